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

// floor keeps probabilities off 0 and 1, where residuals and likelihood ratios are not defined.
const floor = 1e-6

// A grouping puts every response into a group by its features.
type grouping struct {
	name  string
	of    []int    // [response] its group
	names []string // [group]
}

// check compares the responses with the predictive probabilities, grouped by every feature, every two, and every three of
// those with few levels, and by repetition and trial. The residuals of a group are summed, so that a systematic misfit
// adds up. It returns the failed checks, material ones first, then by P, and the number of checks made. A check fails when
// its P is below the bank's Alarm divided by that number (Bonferroni).
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
		if a.Material != b.Material { // a material one decides the verdict and must not be cut off below
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

// mostMisfits bounds the failed checks that are reported.
const mostMisfits = 5

// A tally is the responses of a group: their number, sum, expected sum, its variance and its fourth cumulant.
type tally struct{ n, seen, expected, variance, fourth float64 }

func (t *tally) add(y, p float64) {
	q := float64(p * (1 - p))
	t.n++
	t.seen += y
	t.expected += p
	t.variance += q
	t.fourth += float64(q * (1 - 6*q)) // fourth cumulant of a Bernoulli variable
}

// join pools two groups.
func (t *tally) join(o *tally) {
	t.n += o.n
	t.seen += o.seen
	t.expected += o.expected
	t.variance += o.variance
	t.fourth += o.fourth
}

// leastVariance is the expected variance of a group below which it is pooled with other such groups, and left out where
// they do not reach it together: the square of a residual of very few responses has a tail that two moments do not
// describe.
const leastVariance = 1

// squares are a sum of squared standardised residuals with its mean and variance under the predictive probabilities.
type squares struct{ statistic, mean, variance float64 }

// add adds a group. Its square has mean 1, and variance 2 plus the excess kurtosis of the group's sum.
func (s *squares) add(t *tally) {
	d := t.seen - t.expected
	s.statistic += d * d / t.variance
	s.mean++
	s.variance += 2 + t.fourth/float64(t.variance*t.variance)
}

// check sums the squared standardised residuals of the groups and compares the sum with the gamma distribution that has
// its first two moments. The statement is about the group with the largest residual, a material one if there is any.
func (g *grouping) check(scored []record.Response, p *predictive) Misfit {
	tallies := make([]tally, len(g.names))
	for i, r := range scored {
		tallies[g.of[i]].add(r.Value, min(max(p.mixed[r.Item], floor), 1-floor))
	}
	var sum squares
	var rest tally
	worst := -1
	for k := range tallies {
		t := &tallies[k]
		switch {
		case t.n == 0:
		case t.variance < leastVariance:
			rest.join(t)
		default:
			sum.add(t)
			if worst < 0 || t.worseThan(&tallies[worst]) {
				worst = k
			}
		}
	}
	if rest.variance >= leastVariance {
		sum.add(&rest)
	}
	if sum.mean == 0 {
		return Misfit{Check: g.name, P: 1}
	}
	_, above := num.GammaTails(sum.mean*sum.mean/sum.variance, sum.statistic*sum.mean/sum.variance)
	m := Misfit{Check: g.name, Statistic: sum.statistic, P: above}
	if worst >= 0 {
		t := &tallies[worst]
		m.Material = t.material()
		m.Statement = fmt.Sprintf("where %s it passes %.2f of %.0f, and %.2f were expected", g.names[worst], t.seen/t.n, t.n, t.expected/t.n)
	}
	return m
}

// residual is the absolute standardised residual.
func (t *tally) residual() float64 { return math.Abs(t.seen-t.expected) / math.Sqrt(t.variance) }

// worseThan orders groups: material ones first, then by residual.
func (t *tally) worseThan(o *tally) bool {
	if t.material() != o.material() {
		return t.material()
	}
	return t.residual() > o.residual()
}

// material reports a residual that is large, not only significant: a fifth of at least 20 responses and four standard
// deviations.
func (t *tally) material() bool {
	return t.n >= 20 && math.Abs(t.seen-t.expected) >= float64(0.2*t.n) && math.Abs(t.seen-t.expected) >= 4*math.Sqrt(t.variance)
}

// groupings returns the ways of grouping the responses: by one feature, by two, and by three with few levels.
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
				continue // one of the features determines the other
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
	mostCells = 80 // groups by one or two features
	fewLevels = 3  // of each of three features
	mostNames = 12 // distinct numbers of a feature that each make a level; more are cut into bins
)

// cross groups by both groupings.
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

// levels returns the name of every item's level in a column.
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

// bins is the number of bins that a feature with many values is cut into.
const bins = 8

// bin returns the name of the quantile bin of x.
func bin(sorted []float64, x float64) string {
	low := strings.Builder{}
	at, _ := slices.BinarySearch(sorted, x)
	k := at * bins / len(sorted)
	fmt.Fprintf(&low, "in the %s eighth", [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"}[min(k, bins-1)])
	return low.String()
}
