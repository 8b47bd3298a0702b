package misfit

import (
	"fmt"
	"math"

	"achilles/sim/num"
)

// A family is a set of statistics of the residuals of a table of which the largest counts.
type family struct {
	name   string
	weight float64 // share of the level, relative to other families
	from   int     // its first statistic among all
	n      int
	both   bool // whether a statistic far below its mean counts, too
	sums   func(out []float64)
	say    func(x extreme) string
}

// An extreme is the largest statistic of a family, standardised.
type extreme struct {
	size  float64
	at    int
	above bool // whether the statistic is larger than its mean
}

// strong is the logarithm of 20, from which a likelihood ratio is strong evidence (Kass and Raftery 1995): an item of which it is less hardly rises or falls.
const strong = 3

// families returns the families of checks of the table.
func (w *whole) families() (out []family) {
	add := func(f family) {
		if f.n > 0 {
			if k := len(out); k > 0 {
				f.from = out[k-1].from + out[k-1].n
			}
			out = append(out, f)
		}
	}
	side := func(above bool, up, down string) string {
		if above {
			return up
		}
		return down
	}
	items, subjects := len(w.Items), len(w.Subjects)
	if !w.SlopeFree {
		add(family{name: "reversed keys", weight: 20, n: 1, sums: func(out []float64) { out[0], _ = mostReversed(w.reversed()) }, say: func(extreme) string {
			all := w.reversed()
			_, at := mostReversed(all)
			item := w.Items[at]
			if all[at].ratio < strong {
				return fmt.Sprintf("item %s hardly rises with ability: items that differ in discrimination need a layout such as 2pl", item)
			}
			return fmt.Sprintf("item %s falls with ability: its responses are %.3g times as probable with its key reversed; check its key, or use a layout such as 2pl-signed", item, num.Exp(all[at].ratio))
		}})
		add(family{name: "items by ability", weight: 1, n: items, both: true, sums: w.byItem, say: func(x extreme) string {
			return fmt.Sprintf("item %s rises %s with ability than expected, by %.1f standard deviations: items that differ in discrimination need a layout such as 2pl", w.Items[x.at], side(x.above, "more", "less"), x.size)
		}})
	}
	if !w.ItemFree {
		add(family{name: "items", weight: 1, n: items, both: true, sums: w.byEase, say: func(x extreme) string {
			return fmt.Sprintf("item %s is passed %s often than expected, by %.1f standard deviations: a layout with a difficulty for each item ([item]) describes such items", w.Items[x.at], side(x.above, "more", "less"), x.size)
		}})
	}
	add(family{name: "subjects by difficulty", weight: 1, n: subjects, both: true, sums: w.ofSubjects(w.alongEase), say: func(x extreme) string {
		return fmt.Sprintf("subject %s passes %s than expected, by %.1f standard deviations", w.Subjects[x.at], side(x.above, "easy items more often and hard ones less often", "hard items more often and easy ones less often"), x.size)
	}})
	add(family{name: "subjects", weight: 1, n: subjects, both: true, sums: w.ofSubjects(w.squares), say: func(x extreme) string {
		return fmt.Sprintf("subject %s responds %s than expected, by %.1f standard deviations", w.Subjects[x.at], side(x.above, "less regularly", "more regularly"), x.size)
	}})
	add(family{name: "another dimension", weight: 9, n: 1, sums: func(out []float64) { out[0], _ = twoKinds(w) }, say: func(x extreme) string {
		_, v := twoKinds(w)
		return fmt.Sprintf("the items %s go together against %s beyond what the layout explains, by %.1f standard deviations: two kinds of subjects, several abilities, or items with a common passage", w.ends(v, 1), w.ends(v, -1), x.size)
	}})
	add(family{name: "neighbours", weight: 2, n: 1, sums: func(out []float64) { out[0] = w.neighbours() }, say: func(x extreme) string {
		return fmt.Sprintf("items near each other in the table go together beyond what the layout explains, by %.1f standard deviations: items with a common passage, or of one topic", x.size)
	}})
	if w.pairs {
		add(family{name: "all pairs of items", weight: 1, n: 1, sums: func(out []float64) {
			w.products = resized(w.products, items*(items-1)/2)
			w.together(w.products)
			out[0] = num.Dot(w.products, w.products)
		}, say: func(x extreme) string {
			v := w.dimension()
			return fmt.Sprintf("pairs of items go together, or against each other, beyond what the layout explains, by %.1f standard deviations over all; most of all %s, and %s: items with a common passage, two kinds of subjects, or several abilities", x.size, w.ends(v, 1), w.ends(v, -1))
		}})
		add(family{name: "pairs of items", weight: 1, n: items * (items - 1) / 2, both: true, sums: func(out []float64) { w.together(out) }, say: func(x extreme) string {
			a, b := pairAt(x.at, items)
			return fmt.Sprintf("items %s and %s go %s beyond what the layout explains, by %.1f standard deviations", w.Items[a], w.Items[b], side(x.above, "together", "against each other"), x.size)
		}})
	}
	for k := range w.Labels {
		l := &w.Labels[k]
		if l.OfItems {
			add(family{name: "alike within " + l.Name, weight: 4, n: len(l.Groups) + 1, sums: func(out []float64) { w.within(l, out) }, say: func(x extreme) string {
				of := "items of one " + l.Name
				if x.at < len(l.Groups) {
					of = "the items of " + l.Name + " " + l.Groups[x.at]
				}
				return fmt.Sprintf("%s go together beyond what the layout explains, by %.1f standard deviations; intervals are widened for it (warning widened)", of, x.size)
			}})
			continue
		}
		add(family{name: "items by " + l.Name, weight: 2, n: len(l.Groups) * items, both: true, sums: func(out []float64) { w.crossed(l, out) }, say: func(x extreme) string {
			return fmt.Sprintf("subjects with %s = %s pass item %s %s often than expected, by %.1f standard deviations", l.Name, l.Groups[x.at/items], w.Items[x.at%items], side(x.above, "more", "less"), x.size)
		}})
	}
	return out
}

// statistics returns the number of all statistics.
func (w *whole) statistics() int {
	all := w.families()
	last := all[len(all)-1]
	return last.from + last.n
}

// A scale has the sums of the first three powers of a statistic over the calibrating replicates and, once settled, what makes it nearly
// normal.
type scale struct {
	sums           [3]float64
	mean, sd, skew float64
}

// calibrate takes the statistics of a replicate that was fitted into their scales.
func (w *whole) calibrate() {
	for _, f := range w.families() {
		part := w.stats[f.from : f.from+f.n]
		clear(part)
		f.sums(part)
		for k, x := range part {
			c := &w.scales[f.from+k]
			c.sums[0] += x
			c.sums[1] += float64(x * x)
			c.sums[2] += float64(float64(x*x) * x)
		}
	}
}

// settle ends the calibration.
func (w *whole) settle() {
	for k := range w.scales {
		c := &w.scales[k]
		a, b, d := c.sums[0]/calibrated, c.sums[1]/calibrated, c.sums[2]/calibrated
		c.mean, c.sd = a, math.Sqrt(max(b-float64(a*a), 0))
		if c.sd > 1e-9*(1+math.Abs(a)) {
			c.skew = (d - float64(3*a*b) + float64(2*a*a*a)) / float64(c.sd*c.sd*c.sd)
		} else {
			c.sd = 0
		}
	}
}

// normal returns the statistic as a nearly standard normal number, by the cube root of a shifted gamma variable with its mean, SD and
// skewness (Wilson and Hilferty 1931).
func (c *scale) normal(x float64) float64 {
	z := (x - c.mean) / c.sd
	if math.Abs(c.skew) < 0.01 {
		return z
	}
	return float64(6/c.skew*(math.Cbrt(1+float64(c.skew*z/2))-1)) + c.skew/6
}

// measure returns the largest statistic of every family of the table that was fitted last.
func (w *whole) measure() (out []extreme) {
	for _, f := range w.families() {
		part := w.stats[f.from : f.from+f.n]
		clear(part)
		f.sums(part)
		worst := extreme{size: math.Inf(-1)}
		for k, x := range part {
			c := &w.scales[f.from+k]
			if c.sd == 0 {
				continue
			}
			z := c.normal(x)
			size := z
			if f.both {
				size = math.Abs(z)
			}
			if size > worst.size {
				worst = extreme{size, k, z > 0}
			}
		}
		out = append(out, worst)
	}
	return out
}

// byEase writes the sum of residuals of every item to out.
func (w *whole) byEase(out []float64) {
	for i, u := range w.item {
		out[u] += float64(w.times[i] * w.residual[i])
	}
}

// squares writes the sum of squared residuals less their variances of every subject to out, in standard deviations of responses that are 0 or
// 1 or normal.
func (w *whole) squares(out []float64) {
	spread := make([]float64, len(out))
	for i, u := range w.subject {
		v := w.now[i]
		out[u] += float64(w.residual[i]*w.residual[i]) - v
		if w.binary {
			spread[u] += float64(v * (1 - float64(4*v)))
		} else {
			spread[u] += float64(2 * v * v)
		}
	}
	studentise(out, spread)
}

// studentise divides sums by the square roots of their variances; one without variance is 0.
func studentise(sums, variance []float64) {
	for u, v := range variance {
		if sums[u] /= math.Sqrt(v); !(v > leastSpread) {
			sums[u] = 0
		}
	}
}

// leastSpread is a variance of a sum below which it is rounding.
const leastSpread = 1e-9

// alongEase writes, for every subject, the sum of the products of its residuals and the ease of items to out, in standard deviations.
func (w *whole) alongEase(out []float64) {
	n := len(out)
	mean, weight, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, s := range w.subject {
		c := w.curvature(i)
		mean[s] += float64(c * w.ease.of[w.item[i]])
		weight[s] += c
	}
	for i, s := range w.subject {
		x := w.ease.of[w.item[i]] - mean[s]/weight[s]
		out[s] += float64(x * w.residual[i])
		square[s] += float64(x * x * w.now[i])
	}
	studentise(out, square)
}

// together writes the product of the scaled residuals of every pair of items, over subjects, to out.
func (w *whole) together(out []float64) {
	items := len(w.Items)
	for from := 0; from < len(w.subject); {
		to := from + 1
		for to < len(w.subject) && w.subject[to] == w.subject[from] {
			to++
		}
		for i := from; i < to; i++ {
			for k := from; k < i; k++ {
				a, b := int(w.item[k]), int(w.item[i])
				if a != b {
					out[pairOf(min(a, b), max(a, b), items)] += float64(w.times[i] * w.scaled[i] * w.scaled[k])
				}
			}
		}
		from = to
	}
}

// pairOf returns the place of items a < b among all pairs, and pairAt inverts it.
func pairOf(a, b, items int) int { return a*(2*items-a-1)/2 + b - a - 1 }

func pairAt(k, items int) (a, b int) {
	for a = 0; k >= items-a-1; a++ {
		k -= items - a - 1
	}
	return a, a + 1 + k
}

// within writes, for each group of items, the products of the residuals of its pairs within subjects, and behind them their sum.
func (w *whole) within(l *Labels, out []float64) {
	n := len(l.Groups)
	sum, square := make([]float64, n), make([]float64, n)
	var touched []int32
	for from := 0; from < len(w.subject); {
		to := from
		for ; to < len(w.subject) && w.subject[to] == w.subject[from]; to++ {
			g := l.Of[w.item[to]]
			if g < 0 {
				continue
			}
			if square[g] == 0 {
				touched = append(touched, g)
			}
			sum[g] += w.residual[to]
			square[g] += float64(w.residual[to] * w.residual[to])
		}
		for _, g := range touched {
			x := w.times[from] * (float64(sum[g]*sum[g]) - square[g])
			out[g] += x
			out[n] += x
			sum[g], square[g] = 0, 0
		}
		touched, from = touched[:0], to
	}
}

// crossed writes the sum of residuals of every group of subjects and item.
func (w *whole) crossed(l *Labels, out []float64) {
	for i, s := range w.subject {
		if g := l.Of[w.member(s)]; g >= 0 {
			out[int(g)*len(w.Items)+int(w.item[i])] += float64(w.times[i] * w.residual[i])
		}
	}
}
