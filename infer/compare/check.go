package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/num"
	"achilles/sim/record"
)

// floor keeps probabilities from being certain where checks and ratios would divide by nothing.
const floor = 1e-6

// A grouping sorts responses by what they have in common.
type grouping struct {
	name  string
	of    []int // response → group
	names []string
}

// check holds the responses against the predictive probabilities, grouped by every feature, every two, and every three
// of those with few levels, and by repetition and trial. Residuals of a group are summed, so that a misfit shows
// wherever it has a direction. The failed checks come back, material ones first and worse ones before others, and how many were
// made. A check fails when its chance is below the bank's alarm, shared by all checks.
func (c *Case) check(p *predictive) (failed []Misfit, checks int) {
	var scored []record.Response
	for _, r := range c.Responses {
		if r.Unscored == 0 {
			scored = append(scored, r)
		}
	}
	groupings := c.groupings(scored)
	for _, g := range groupings {
		m := g.check(scored, p)
		if m.P < c.Bank.Alarm/float64(len(groupings)) {
			failed = append(failed, m)
		}
	}
	slices.SortStableFunc(failed, func(a, b Misfit) int {
		if a.Material != b.Material { // what decides must not be cut off below
			if a.Material {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.P, b.P)
	})
	if len(failed) > mostMisfits {
		failed = failed[:mostMisfits]
	}
	return failed, len(groupings)
}

const mostMisfits = 5

// A tally is what was seen and expected in a group.
type tally struct{ n, seen, expected, variance, fourth float64 }

func (t *tally) add(y, p float64) {
	q := float64(p * (1 - p))
	t.n++
	t.seen += y
	t.expected += p
	t.variance += q
	t.fourth += float64(q * (1 - 6*q)) // excess: fourth cumulant of a coin
}

func (t *tally) join(o tally) {
	t.n += o.n
	t.seen += o.seen
	t.expected += o.expected
	t.variance += o.variance
	t.fourth += o.fourth
}

// leastVariance is the expected spread below which a group is thrown together with other small ones, and all of them left
// out where they do not reach it together: the square of a residual of hardly any response has a tail that no two
// moments describe.
const leastVariance = 1

// check sums the squared standardised residuals of the groups. If the probabilities are right each has mean 1 and the
// variance 2 plus the excess kurtosis of its sum, exactly; the sum is compared with the gamma distribution of these two
// moments.
func (g *grouping) check(scored []record.Response, p *predictive) Misfit {
	tallies := make([]tally, len(g.names))
	for i, r := range scored {
		tallies[g.of[i]].add(r.Value, min(max(p.mixed[r.Item], floor), 1-floor))
	}
	var rest tally
	statistic, mean, variance, worst := 0.0, 0.0, 0.0, 0.0
	at, material := 0, false
	count := func(t tally) {
		d := t.seen - t.expected
		z := d * d / t.variance
		statistic += z
		mean++
		variance += 2 + t.fourth/float64(t.variance*t.variance)
	}
	for k, t := range tallies {
		if t.n == 0 {
			continue
		}
		if t.variance < leastVariance {
			rest.join(t)
			continue
		}
		count(t)
		d, m := math.Abs(t.seen-t.expected)/math.Sqrt(t.variance), t.material()
		if m && !material { // the statement is about a material group where there is one
			worst, material = 0, true
		}
		if m == material && d > worst {
			worst, at = d, k
		}
	}
	if rest.variance >= leastVariance {
		count(rest)
	}
	if mean == 0 {
		return Misfit{Check: g.name, P: 1}
	}
	_, above := num.GammaTails(mean*mean/variance, statistic*mean/variance)
	t := tallies[at]
	m := Misfit{Check: g.name, Statistic: statistic, P: above, Material: material}
	if t.n > 0 {
		m.Statement = fmt.Sprintf("where %s it passes %.2f of %.0f, and %.2f were expected", g.names[at], t.seen/t.n, t.n, t.expected/t.n)
	}
	return m
}

// material reports a residual that is not only significant but large: what was believed of these items is wrong.
func (t *tally) material() bool {
	return t.n >= 20 && math.Abs(t.seen-t.expected) >= float64(0.2*t.n) && math.Abs(t.seen-t.expected) >= 4*math.Sqrt(t.variance)
}

// groupings lists the ways of grouping the responses: by one feature, by two, and by three of at most few levels.
func (c *Case) groupings(scored []record.Response) []grouping {
	singles := c.singles(scored)
	out := slices.Clone(singles)
	for i, a := range singles {
		for j, b := range singles[:i] {
			if len(a.names)*len(b.names) > mostCells {
				continue
			}
			ab := cross(b, a)
			if len(ab.names) == max(len(a.names), len(b.names)) {
				continue // one says all that the other says
			}
			out = append(out, ab)
			for _, d := range singles[:j] {
				if max(len(a.names), len(b.names), len(d.names)) > fewLevels {
					continue
				}
				if abd := cross(d, ab); len(abd.names) > len(ab.names) {
					out = append(out, abd)
				}
			}
		}
	}
	return out
}

const (
	mostCells = 80 // of two features
	fewLevels = 3  // of each of three
	mostNames = 12 // different numbers of a feature that are levels of their own; more are cut into bins
)

// cross groups by both.
func cross(a, b grouping) grouping {
	g := grouping{name: a.name + " × " + b.name, of: make([]int, len(a.of))}
	at := map[int]int{}
	for i := range a.of {
		k := a.of[i]*len(b.names) + b.of[i]
		n, ok := at[k]
		if !ok {
			n = len(g.names)
			at[k] = n
			g.names = append(g.names, a.names[a.of[i]]+" and "+b.names[b.of[i]])
		}
		g.of[i] = n
	}
	return g
}

// singles groups by every column of the items that varies, and by repetition and trial.
func (c *Case) singles(scored []record.Response) []grouping {
	var out []grouping
	add := func(name string, level func(r record.Response) string) {
		g := grouping{name: name, of: make([]int, len(scored))}
		at := map[string]int{}
		for i, r := range scored {
			l := level(r)
			n, ok := at[l]
			if !ok {
				n = len(g.names)
				at[l] = n
				g.names = append(g.names, name+" is "+l)
			}
			g.of[i] = n
		}
		if len(g.names) > 1 && len(g.names) <= mostCells {
			out = append(out, g)
		}
	}
	names := []string{"paradigm", "task"}
	for _, col := range c.Items.Columns {
		names = append(names, col.Name)
	}
	for _, name := range names {
		col, _ := c.Items.Column(name)
		level := levels(col)
		add(name, func(r record.Response) string { return level[r.Item] })
	}
	add("repetition", func(r record.Response) string { return strconv.Itoa(int(r.Repetition)) })
	add("trial", func(r record.Response) string { return strconv.Itoa(int(r.Trial)) })
	return out
}

// levels names the level of every item in a column.
func levels(col record.Column) []string {
	if col.Kind == record.Text {
		out := slices.Clone(col.Text)
		for i := range out {
			if col.Missing != nil && col.Missing[i] {
				out[i] = "missing"
			}
		}
		return out
	}
	var values []float64
	for i, x := range col.Number {
		if col.Missing == nil || !col.Missing[i] {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	distinct := slices.Compact(slices.Clone(values))
	out := make([]string, len(col.Number))
	for i, x := range col.Number {
		switch {
		case col.Missing != nil && col.Missing[i]:
			out[i] = "missing"
		case len(distinct) <= mostNames:
			out[i] = strconv.FormatFloat(x, 'g', -1, 64)
		default:
			out[i] = bin(values, x)
		}
	}
	return out
}

// bins is how many bins a feature of many values is cut into.
const bins = 8

// bin names the quantile bin of x.
func bin(sorted []float64, x float64) string {
	low := strings.Builder{}
	at, _ := slices.BinarySearch(sorted, x)
	k := at * bins / len(sorted)
	fmt.Fprintf(&low, "in the %s eighth", [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"}[min(k, bins-1)])
	return low.String()
}
