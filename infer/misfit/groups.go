package misfit

import (
	"fmt"
	"math"
)

// leastVariance is the expected variance of a group below which it is pooled with other such groups, and left out where
// they do not reach it together: the square of a residual of very few responses has a tail that two moments do not
// describe.
const leastVariance = 1

// groups are the groups of a grouping that residuals are summed by.
type groups struct {
	grouping
	sumOf    []int     // [group] the sum that it goes into: its own or that of the pooled; −1: none
	variance []float64 // [sum] before the fit
	left     []float64 // [sum] after it
	fourth   []float64 // [sum] fourth cumulant
	mean     float64   // of the sum of squares
	spread   float64   // its variance
}

// newGroups is nil where nothing is left to sum.
func (r *residuals) newGroups(g grouping) *groups {
	out := &groups{grouping: g}
	variance := make([]float64, len(g.names))
	for i, k := range g.of {
		variance[k] += r.variance[r.data.Class[i]]
	}
	out.pool(variance)
	if len(out.variance) == 0 {
		return nil
	}
	out.fourth = make([]float64, len(out.variance))
	loads := make([][]float64, len(r.taken)) // [direction][sum]
	for k := range loads {
		loads[k] = make([]float64, len(out.variance))
	}
	for i, k := range g.of {
		s := out.sumOf[k]
		if s < 0 {
			continue
		}
		out.fourth[s] += r.fourth(i)
		for k := range loads {
			loads[k][s] += r.load(i, k)
		}
	}
	if out.moments(r, loads); out.variances() == 0 {
		return nil
	}
	return out
}

// pool gives a sum of its own to every group that varies enough, and throws the others together.
func (g *groups) pool(variance []float64) {
	rest := 0.0
	for _, v := range variance {
		if v < leastVariance {
			rest += v
			g.sumOf = append(g.sumOf, -1)
			continue
		}
		g.sumOf = append(g.sumOf, len(g.variance))
		g.variance = append(g.variance, v)
	}
	if rest < leastVariance {
		return
	}
	for k, s := range g.sumOf {
		if s < 0 {
			g.sumOf[k] = len(g.variance)
		}
	}
	g.variance = append(g.variance, rest)
}

// moments are those of the sum over groups of squared residuals, each over its variance before the fit. The residuals are
// correlated by what the fit has taken up: with covariance matrix M of the standardised ones, the mean is tr M and the variance
// 2·tr M² and the excess kurtosis of each.
func (g *groups) moments(r *residuals, loads [][]float64) {
	n := len(g.variance)
	g.left = make([]float64, n)
	for a := range n {
		for b := range a + 1 {
			m := 0.0
			if a == b {
				m = 1
			}
			for k := range loads {
				m -= float64(r.taken[k].share*loads[k][a]*loads[k][b]) / math.Sqrt(g.variance[a]*g.variance[b])
			}
			if a == b {
				m = max(m, 0)
				g.left[a] = float64(m * g.variance[a])
				g.mean += m
				g.spread += float64(2*m*m) + float64(float64(m*m)*max(g.fourth[a]/float64(g.variance[a]*g.variance[a]), -1))
				continue
			}
			g.spread += float64(4 * m * m)
		}
	}
}

// variances is the number of sums of which the fit has left enough.
func (g *groups) variances() (n int) {
	for s, v := range g.left {
		if v > leastLeft*g.variance[s] {
			n++
		}
	}
	return n
}

// sums are the sums of residuals.
func (g *groups) sums(residual []float64) []float64 {
	out := make([]float64, len(g.variance))
	for i, k := range g.of {
		if s := g.sumOf[k]; s >= 0 {
			out[s] += residual[i]
		}
	}
	return out
}

func (g *groups) squares(sums []float64) (total float64) {
	for s, x := range sums {
		total += float64(x*x) / g.variance[s]
	}
	return total
}

// sum compares the sum of squares.
func (g *groups) sum(sums []float64) value {
	total := g.squares(sums)
	return value{statistic: total, p: above(total, g.mean, g.spread)}
}

// most compares the largest square, each over its variance after the fit.
func (g *groups) most(sums []float64) value {
	out, n := value{p: 1}, 0
	for s, x := range sums {
		if g.left[s] <= leastLeft*g.variance[s] {
			continue
		}
		n++
		square := float64(x*x) / g.left[s]
		if p := above(square, 1, g.second(s)); p < out.p {
			out = value{square, p, s}
		}
	}
	out.p = anyOf(out.p, n)
	return out
}

// reach reports whether the sum of squares, or the largest of them, reaches its limit.
func (g *groups) reach(sums, limits []float64, largest bool) bool {
	if !largest {
		return g.squares(sums) >= limits[0]
	}
	for s, x := range sums {
		if float64(x*x)/max(g.left[s], floor) >= limits[s] {
			return true
		}
	}
	return false
}

// second is the variance of a squared standardised sum.
func (g *groups) second(s int) float64 {
	return 2 + max(g.fourth[s]/float64(g.left[s]*g.left[s]), -1)
}

// worst says where the residual is largest: in a group that is off materially, if there is any.
func (g *groups) worst(r *residuals) (material bool, statement string) {
	type tally struct{ n, seen, expected, variance float64 }
	tallies := make([]tally, len(g.names))
	for i, k := range g.of {
		t := &tallies[k]
		c := r.data.Class[i]
		t.n++
		t.seen += r.data.Responses[i].Value
		t.expected += r.mean[c]
		t.variance += r.variance[c]
	}
	// A residual is material that is large, not only significant: a fifth of at least 20 responses and four standard deviations.
	large := func(t *tally) bool {
		d := math.Abs(t.seen - t.expected)
		return t.n >= 20 && d >= float64(0.2*t.n) && d >= 4*math.Sqrt(t.variance)
	}
	best, at := -1.0, -1
	for k := range tallies {
		t := &tallies[k]
		if t.variance < leastVariance {
			continue
		}
		z := math.Abs(t.seen-t.expected) / math.Sqrt(t.variance)
		if m := large(t); at < 0 || m && !material || m == material && z > best {
			best, at, material = z, k, m
		}
	}
	if at < 0 {
		return false, "in groups of few responses, taken together"
	}
	t := tallies[at]
	return material, fmt.Sprintf("where %s it passes %.2f of %.0f, and %.2f were expected", g.names[at], t.seen/t.n, t.n, t.expected/t.n)
}
