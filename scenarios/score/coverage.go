package score

import (
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/table"
)

// A Coverage says how often credible intervals of 50 % (q25 to q75) and 90 % (q5 to q95) contain the truth, by
// capability, over all subjects with a true value of the capability. If subjects are drawn from the prior, the
// intervals of a calibrated posterior have these rates. A truth exactly at a bound of the capability lies outside every
// central interval, whatever the posterior: such truths count as misses in Share50 and Share90, and Detail keeps them
// apart.
type Coverage struct {
	Share50 map[string]float64                   `json:"50"`
	Share90 map[string]float64                   `json:"90"`
	Detail  map[string]map[string]CoverageDetail `json:"detail"` // "50" or "90" → capability

	// Stacked is the coverage of the central 90 % of the posterior averaged over all rival layouts by their weights, by
	// capability; absent without verdicts.
	Stacked map[string]CoverageDetail `json:"bma,omitempty"`
}

// A CoverageDetail is the coverage of one capability at one level.
type CoverageDetail struct {
	All      Share  `json:"all"`
	AtBound  int    `json:"at_bound"`           // number of truths at 0 or at the maximum
	Interior *Share `json:"interior,omitempty"` // without the truths at a bound; absent if all are at a bound

	// Shortest is the coverage of the shortest interval that has the level's share of the draws. For a truth at a
	// bound, the interval contains it if the interval ends at the draw nearest to that bound. Absent if a subject has
	// no draws.
	Shortest *Share `json:"shortest,omitempty"`
}

// A Share is a share of Covered out of N, with its exact (Clopper–Pearson) interval at Level.
type Share struct {
	Covered  int      `json:"covered"`
	N        int      `json:"n"`
	Share    float64  `json:"share"`
	Interval Interval `json:"interval"`
}

// levels are the credible levels whose intervals are graded.
var levels = [...]struct {
	name    string
	percent int
	central func(*Profile) (low, high float64)
}{
	{"50", 50, func(p *Profile) (low, high float64) { return p.Q25, p.Q75 }},
	{"90", 90, func(p *Profile) (low, high float64) { return p.Q5, p.Q95 }},
}

// gradeCoverage sets the coverage of every capability with a true value.
func gradeCoverage(s *Scores, r *infer.Result) error {
	tight, err := shortestIntervals(s, r.Draws)
	if err != nil {
		return err
	}
	s.Coverage = &Coverage{Share50: map[string]float64{}, Share90: map[string]float64{}, Detail: map[string]map[string]CoverageDetail{}, Stacked: stackedCoverage(s)}
	shares := [...]map[string]float64{s.Coverage.Share50, s.Coverage.Share90}
	for i, level := range levels {
		detail := map[string]CoverageDetail{}
		s.Coverage.Detail[level.name] = detail
		for _, c := range s.Parameters() {
			if rows := s.graded(overall, c); len(rows) > 0 {
				detail[c] = coverage(rows, level.central, i, tight)
				shares[i][c] = detail[c].All.Share
			}
		}
	}
	return nil
}

// A held says, by level, whether the shortest interval of the draws of a parameter contains the truth.
type held [len(levels)]bool

// shortestIntervals tests the shortest intervals of all graded posteriors, by subject and parameter. It holds the draws of one subject
// at a time. It leaves out a posterior without draws, or with one that is NaN.
func shortestIntervals(s *Scores, draws infer.Draws) (map[[2]string]held, error) {
	of := map[string][]Profile{}
	for _, p := range s.graded(overall, "") {
		of[p.Subject] = append(of[p.Subject], p)
	}
	out := map[[2]string]held{}
	if draws == nil || len(of) == 0 {
		return out, nil
	}
	for d, err := range draws.All() {
		if err != nil {
			return nil, err
		}
		for _, p := range of[d.Subject] {
			k := slices.Index(draws.Parameters(), p.Parameter)
			if k < 0 || len(d.Values[k]) == 0 || slices.ContainsFunc(d.Values[k], math.IsNaN) {
				continue
			}
			x, h := slices.Sorted(slices.Values(d.Values[k])), held{}
			for i, level := range levels {
				h[i] = holdsShortest(x, level.percent, &p)
			}
			out[[2]string{p.Subject, p.Parameter}] = h
		}
	}
	return out, nil
}

// stackedCoverage grades the central 90 % intervals of the posteriors averaged over all rivals, for the subjects that
// have such a posterior.
func stackedCoverage(s *Scores) map[string]CoverageDetail {
	out := map[string]CoverageDetail{}
	for _, c := range s.Parameters() {
		rows := slices.DeleteFunc(s.graded(overall, c), func(p Profile) bool { return p.Stacked == nil })
		if len(rows) > 0 {
			central := func(p *Profile) (low, high float64) { return p.Stacked.Q5, p.Stacked.Q95 }
			out[c] = coverage(rows, central, 0, nil)
		}
	}
	return out
}

// coverage grades central intervals, and the shortest ones of a level, given by its index.
func coverage(rows []Profile, central func(*Profile) (low, high float64), level int, shortest map[[2]string]held) CoverageDetail {
	var d CoverageDetail
	var all, interior, tight tallyShare
	for i := range rows {
		p := &rows[i]
		low, high := central(p)
		held := low <= *p.Truth && *p.Truth <= high
		all.add(held)
		if p.atBound() {
			d.AtBound++
		} else {
			interior.add(held)
		}
		if h, ok := shortest[[2]string{p.Subject, p.Parameter}]; ok {
			tight.add(h[level])
		}
	}
	d.All = *all.share()
	d.Interior = interior.share()
	if tight.n == len(rows) { // a share over only some of the subjects would not compare with the other shares
		d.Shortest = tight.share()
	}
	return d
}

// holdsShortest says whether the shortest interval with the given percentage of the draws x (ascending) contains the
// truth of p.
func holdsShortest(x []float64, percent int, p *Profile) bool {
	low, high := shortest(x, percent)
	if *p.Fraction >= 1 && high == x[len(x)-1] || *p.Fraction <= 0 && low == x[0] {
		return true
	}
	return low <= *p.Truth && *p.Truth <= high
}

// shortest returns the ends of the shortest interval that has at least percent per cent of x. x is ascending and not
// empty. Of several shortest intervals it returns the lowest.
func shortest(x []float64, percent int) (low, high float64) {
	k := max(1, (percent*len(x)+99)/100)
	low, high = x[0], x[k-1]
	for i := 1; i+k <= len(x); i++ {
		if x[i+k-1]-x[i] < high-low {
			low, high = x[i], x[i+k-1]
		}
	}
	return low, high
}

type tallyShare struct{ covered, n int }

func (t *tallyShare) add(held bool) {
	t.n++
	if held {
		t.covered++
	}
}

// share returns the share and its interval, or nil if nothing was added.
func (t *tallyShare) share() *Share {
	if t.n == 0 {
		return nil
	}
	return &Share{t.covered, t.n, float64(t.covered) / float64(t.n), ClopperPearson(t.covered, t.n, Level)}
}

// A covered is a row of the table of coverage.
type covered struct {
	level              int // in per cent
	capability, truths string
	atBound            int
	*Share
}

// rows returns the shares that d has: over all truths, over those inside the range, and of the shortest intervals.
func (d CoverageDetail) rows(level int, capability, prefix string) []covered {
	all := []covered{{level, capability, prefix + "all", d.AtBound, &d.All}, {level, capability, prefix + "interior", 0, d.Interior}, {level, capability, prefix + "shortest", d.AtBound, d.Shortest}}
	return slices.DeleteFunc(all, func(c covered) bool { return c.Share == nil })
}

// coverageTable returns how often credible intervals contain the truth, by level and capability; nil if it is not graded.
func coverageTable(s *Scores) *table.Table {
	if s.Coverage == nil {
		return nil
	}
	var rows []covered
	add := func(level int, of map[string]CoverageDetail, prefix string) {
		for _, c := range s.Parameters() {
			if d, ok := of[c]; ok {
				rows = append(rows, d.rows(level, c, prefix)...)
			}
		}
	}
	for _, l := range levels {
		add(l.percent, s.Coverage.Detail[l.name], "")
	}
	add(90, s.Coverage.Stacked, "model-averaged ")
	t := table.Of(table.Table{
		Name: "coverage", Title: "Coverage: proportion of truths inside credible intervals", Key: []string{"level", "capability", "truths"},
		Foot: []string{
			"Brackets: exact 95 % interval (Clopper–Pearson). all: all truths, equal-tailed intervals (ETI), which never contain a truth at a bound; interior: truths that are neither 0 nor the maximum, ETI; shortest: all truths, highest-density intervals (HDI), which may reach a bound.",
		},
	}, rows, []table.Field[covered]{
		table.Col(table.Column{Name: "level", Kind: table.Count, Unit: "%", Doc: "probability of the credible interval"}, func(c covered) table.Value { return table.Int(c.level) }),
		table.Col(table.Column{Name: "capability", Kind: table.Text}, func(c covered) table.Value { return table.String(c.capability) }),
		table.Col(table.Column{Name: "truths", Kind: table.Text, Doc: "which truths, in which kind of interval"}, func(c covered) table.Value { return table.String(c.truths) }),
		table.Col(table.Column{Name: "covered", Kind: table.Count, Weight: 2, Doc: "truths inside the interval"}, func(c covered) table.Value { return table.Int(c.Covered) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "truths"}, func(c covered) table.Value { return table.Int(c.N) }),
		table.Col(table.Column{Name: "share", Head: "proportion", Digits: 2, Low: "low", High: "high"}, func(c covered) table.Value { return table.Float(c.Share.Share) }),
		table.Col(table.Column{Name: "low"}, func(c covered) table.Value { return low(&c.Interval) }),
		table.Col(table.Column{Name: "high"}, func(c covered) table.Value { return high(&c.Interval) }),
		table.Col(table.Column{Name: "at_bound", Kind: table.Count, Weight: 1, Doc: "truths at 0 or at the maximum"}, func(c covered) table.Value { return table.Int(c.atBound) }),
	})
	if len(s.Coverage.Stacked) > 0 {
		t.Foot = append(t.Foot, "Model-averaged: Bayesian model averages over the candidate set. Some models fix a capability at a bound, so equal-tailed intervals may contain a boundary truth.")
	}
	return t
}
