package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/table"
)

// A Label is the level of a demand that a judge sees in a state. At names its place in a file, for errors.
type Label struct {
	Judge, State, Demand string
	Level                float64
	At                   string
}

// An Agreement says how a judge's labels of one demand agree with the truth. Intervals are of 95 %, by the influence of each cluster of
// states on the number (the delete-a-cluster variance to first order), with Student's t; nil where nothing varies or there is one cluster.
type Agreement struct {
	Judge, Demand string
	N             int // labelled states with a true level
	Unlabelled    int // states with a true level and no label
	Clusters      int
	Exact         float64 // proportion of labels that are the true level
	Kappa         float64 // Cohen's, weighted by squares; NaN where truth or labels are all one level
	Rank          float64 // Spearman's correlation, with mean ranks of ties; NaN there, too
	Bias          float64 // mean of label − truth

	ExactInterval, KappaInterval, RankInterval, BiasInterval *Interval

	Confusion []Confused
}

// A Confused is a true level and a label, and how many states have both.
type Confused struct {
	Judge, Demand string
	Truth, Label  float64
	N, Of         int // states with both, and with the true level
}

// GradeLabels grades labels of states against the demands of their items. cluster has the cluster of each item, as a text. The error names
// a label of no state or of no demand, or one that appears twice.
func GradeLabels(labels []Label, states []State, demands []JudgedDemand, cluster []string) ([]Agreement, error) {
	stateAt, demandAt := map[string]int{}, map[string]int{}
	for i := range states {
		stateAt[states[i].ID] = i
	}
	var names []string
	for i := range demands {
		demandAt[demands[i].Name] = i
		names = append(names, demands[i].Name)
	}
	type key struct {
		judge  string
		demand int
	}
	given := map[key][]float64{} // by state; NaN: no label
	for _, x := range labels {
		s, ok := stateAt[x.State]
		if !ok {
			return nil, fmt.Errorf("%s: no state is called %q", x.At, x.State)
		}
		d, ok := demandAt[x.Demand]
		if !ok {
			return nil, fmt.Errorf("%s: %q is not a demand that varies%s", x.At, x.Demand, expr.DidYouMean(x.Demand, names))
		}
		list := given[key{x.Judge, d}]
		if list == nil {
			list = slices.Repeat([]float64{math.NaN()}, len(states))
			given[key{x.Judge, d}] = list
		}
		if isNumber(list[s]) {
			return nil, fmt.Errorf("%s: state %s has a label of %s already", x.At, x.State, x.Demand)
		}
		list[s] = x.Level
	}
	keys := make([]key, 0, len(given))
	for k := range given {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.judge, b.judge), a.demand-b.demand) })
	var out []Agreement
	for _, k := range keys {
		a, err := agreementOf(given[k], states, demands[k.demand].Values, cluster)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", demands[k.demand].Name, err)
		}
		if a.Judge, a.Demand = k.judge, demands[k.demand].Name; a.N == 0 {
			continue
		}
		for i := range a.Confusion {
			a.Confusion[i].Judge, a.Confusion[i].Demand = a.Judge, a.Demand
		}
		out = append(out, a)
	}
	return out, nil
}

// maxLevels is the largest number of levels of a demand, in truth and labels together.
const maxLevels = 1000

// A square counts states by true level and label.
type square struct {
	levels []float64 // sorted, of truth and labels
	share  []float64 // of true level i and label j at i·len(levels) + j; sums to 1
}

func agreementOf(label []float64, states []State, truth []float64, cluster []string) (a Agreement, err error) {
	var s square
	cell := make([][2]float64, 0, len(states)) // truth and label
	var of []string
	for i := range states {
		t, l := truth[states[i].Item], label[i]
		switch {
		case !isNumber(t):
			continue
		case !isNumber(l):
			a.Unlabelled++
			continue
		}
		cell, of = append(cell, [2]float64{t, l}), append(of, cluster[states[i].Item])
		s.levels = append(s.levels, t, l)
	}
	if a.N = len(cell); a.N == 0 {
		return a, nil
	}
	slices.Sort(s.levels)
	s.levels = slices.Compact(s.levels)
	k := len(s.levels)
	if k > maxLevels {
		return a, fmt.Errorf("%d levels among truth and labels: want at most %d", k, maxLevels)
	}
	count := make([]int, k*k)
	at := make([]int, a.N)
	for i, c := range cell {
		x, _ := slices.BinarySearch(s.levels, c[0])
		y, _ := slices.BinarySearch(s.levels, c[1])
		at[i] = x*k + y
		count[at[i]]++
	}
	s.share = make([]float64, k*k)
	for i, n := range count {
		s.share[i] = float64(n) / float64(a.N)
	}
	for x := range k {
		row := 0
		for y := range k {
			row += count[x*k+y]
		}
		for y := range k {
			if n := count[x*k+y]; n > 0 {
				a.Confusion = append(a.Confusion, Confused{Truth: s.levels[x], Label: s.levels[y], N: n, Of: row})
			}
		}
	}
	clusters := map[string]int{}
	group := make([]int, a.N)
	for i, c := range of {
		if _, ok := clusters[c]; !ok {
			clusters[c] = len(clusters)
		}
		group[i] = clusters[c]
	}
	a.Clusters = len(clusters)
	for _, g := range []struct {
		of       func(*square) (float64, func(x, y int) float64)
		value    *float64
		interval **Interval
		low, top float64 // the values that are possible
	}{
		{(*square).exact, &a.Exact, &a.ExactInterval, 0, 1}, {(*square).kappa, &a.Kappa, &a.KappaInterval, -1, 1},
		{(*square).rank, &a.Rank, &a.RankInterval, -1, 1}, {(*square).bias, &a.Bias, &a.BiasInterval, math.Inf(-1), math.Inf(1)},
	} {
		value, influence := g.of(&s)
		*g.value, *g.interval = value, interval(value, influence, k, at, group, a.Clusters)
		if i := *g.interval; i != nil {
			i[0], i[1] = max(i[0], g.low), min(i[1], g.top)
		}
	}
	if a.Exact == 0 || a.Exact == 1 { // nothing varies: as if each cluster were one state
		i := ClopperPearson(int(a.Exact)*a.Clusters, a.Clusters, Level)
		a.ExactInterval = &i
	}
	return a, nil
}

// interval returns the interval of a number by the influence on it of a state with true level x and label y, summed by cluster.
func interval(value float64, influence func(x, y int) float64, levels int, at, group []int, clusters int) *Interval {
	if clusters < 2 || !isNumber(value) {
		return nil
	}
	sum := make([]float64, clusters)
	for i, c := range at {
		sum[group[i]] += influence(c/levels, c%levels)
	}
	var squares float64
	for _, x := range sum {
		squares += x * x
	}
	n, g := float64(len(at)), float64(clusters)
	se := math.Sqrt(squares*g/(g-1)) / n
	if !(se > 1e-12) {
		return nil
	}
	t := num.StudentTQuantile(1-(1-Level)/2, g-1)
	return &Interval{value - t*se, value + t*se}
}

// The statistics of a square come with their influence: the derivative by the share of states with true level x and label y, as these
// are moved there from all others in proportion.

// exact returns the share on the diagonal.
func (s *square) exact() (sum float64, influence func(x, y int) float64) {
	for x := range s.levels {
		sum += s.share[x*len(s.levels)+x]
	}
	return sum, func(x, y int) float64 {
		if x == y {
			return 1 - sum
		}
		return -sum
	}
}

// bias returns the mean of label − truth.
func (s *square) bias() (mean float64, influence func(x, y int) float64) {
	k := len(s.levels)
	for i, p := range s.share {
		mean += p * (s.levels[i%k] - s.levels[i/k])
	}
	return mean, func(x, y int) float64 { return s.levels[y] - s.levels[x] - mean }
}

// margins returns the shares of the true levels and of the labels.
func (s *square) margins() (truth, label []float64) {
	k := len(s.levels)
	truth, label = make([]float64, k), make([]float64, k)
	for i, p := range s.share {
		truth[i/k] += p
		label[i%k] += p
	}
	return truth, label
}

// kappa returns Cohen's kappa (1968), weighted by the squares of differences: 1 − observed/expected disagreement.
func (s *square) kappa() (kappa float64, influence func(x, y int) float64) {
	truth, label := s.margins()
	if one(truth) || one(label) {
		return math.NaN(), nil
	}
	k := len(s.levels)
	distance := func(x, y int) float64 { d := s.levels[x] - s.levels[y]; return d * d }
	fromTruth, fromLabel := make([]float64, k), make([]float64, k) // expected disagreement of a true level, and of a label
	var observed, expected float64
	for i, p := range s.share {
		x, y := i/k, i%k
		observed += p * distance(x, y)
		fromTruth[x] += label[y] * distance(x, y)
		fromLabel[y] += truth[x] * distance(x, y)
	}
	for x := range k {
		expected += truth[x] * fromTruth[x]
	}
	return 1 - observed/expected, func(x, y int) float64 {
		return (observed*(fromTruth[x]+fromLabel[y]-2*expected) - expected*(distance(x, y)-observed)) / (expected * expected)
	}
}

// one reports whether all share is at one level.
func one(margin []float64) bool {
	return slices.ContainsFunc(margin, func(p float64) bool { return p > 1-1e-12 })
}

// rank returns Spearman's correlation: that of mean ranks. As ranks are shares of states below, a state has influence on the ranks of all
// levels above its own.
func (s *square) rank() (rho float64, influence func(x, y int) float64) {
	truth, label := s.margins()
	if one(truth) || one(label) {
		return math.NaN(), nil
	}
	k := len(s.levels)
	a, b := ranks(truth), ranks(label)
	ofTruth, ofLabel := make([]float64, k), make([]float64, k) // for each true level the label's rank × share, and the reverse
	var ab, aa, bb float64
	for i, p := range s.share {
		x, y := i/k, i%k
		ab += p * a[x] * b[y]
		ofTruth[x] += p * b[y]
		ofLabel[y] += p * a[x]
	}
	own := func(margin, rank []float64) (out []float64) {
		for i := range margin {
			out = append(out, margin[i]*rank[i])
		}
		return out
	}
	ownTruth, ownLabel := own(truth, a), own(label, b)
	for i := range k {
		aa += ownTruth[i] * a[i]
		bb += ownLabel[i] * b[i]
	}
	aboveTruth, aboveLabel, selfTruth, selfLabel := above(ofTruth), above(ofLabel), above(ownTruth), above(ownLabel)
	rho = ab / math.Sqrt(aa*bb)
	return rho, func(x, y int) float64 {
		of := a[x]*b[y] + aboveTruth[x] + aboveLabel[y] - 3*ab
		return of/math.Sqrt(aa*bb) - rho/2*((a[x]*a[x]+2*selfTruth[x]-3*aa)/aa+(b[y]*b[y]+2*selfLabel[y]-3*bb)/bb)
	}
}

// ranks returns the mean rank of each level, as a share, about the mean of all, which is 0.
func ranks(margin []float64) []float64 {
	out, below := make([]float64, len(margin)), 0.0
	for i, p := range margin {
		out[i] = below + p/2 - 0.5
		below += p
	}
	return out
}

// above returns, for each level, the sum of what the levels above it have, and half of its own.
func above(list []float64) []float64 {
	out, sum := make([]float64, len(list)), 0.0
	for i := len(list) - 1; i >= 0; i-- {
		out[i] = sum + list[i]/2
		sum += list[i]
	}
	return out
}

// LabelTable returns the agreement of labels with the truth, by judge and demand.
func LabelTable(list []Agreement) *table.Table {
	judged := slices.ContainsFunc(list, func(a Agreement) bool { return a.Judge != "" })
	number := func(of func(a Agreement) float64) func(Agreement) table.Value {
		return func(a Agreement) table.Value {
			if x := of(a); isNumber(x) {
				return table.Float(x)
			}
			return table.None
		}
	}
	end := func(of func(a Agreement) *Interval, side func(*Interval) table.Value) func(Agreement) table.Value {
		return func(a Agreement) table.Value { return side(of(a)) }
	}
	fields := []table.Field[Agreement]{
		table.Col(table.Column{Name: "judge", Kind: table.Text}, func(a Agreement) table.Value { return table.Named(a.Judge) }),
		table.Col(table.Column{Name: "demand", Kind: table.Text}, func(a Agreement) table.Value { return table.String(a.Demand) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "labelled states"}, func(a Agreement) table.Value { return table.Int(a.N) }),
		table.Col(table.Column{Name: "unlabelled", Kind: table.Count, Weight: 3, Doc: "states without a label"}, func(a Agreement) table.Value { return table.Int(a.Unlabelled) }),
		table.Col(table.Column{Name: "clusters", Kind: table.Count, Weight: 4}, func(a Agreement) table.Value { return table.Int(a.Clusters) }),
	}
	for _, x := range []struct {
		name, head, doc string
		weight          int
		of              func(a Agreement) float64
		interval        func(a Agreement) *Interval
	}{
		{"exact", "agreement", "proportion of labels that are the true level", 0, func(a Agreement) float64 { return a.Exact }, func(a Agreement) *Interval { return a.ExactInterval }},
		{"kappa", "weighted kappa", "Cohen's, weighted by squared differences", 0, func(a Agreement) float64 { return a.Kappa }, func(a Agreement) *Interval { return a.KappaInterval }},
		{"rank", "rank correlation", "Spearman's, with mean ranks of ties", 1, func(a Agreement) float64 { return a.Rank }, func(a Agreement) *Interval { return a.RankInterval }},
		{"bias", "bias", "mean of label − truth", 2, func(a Agreement) float64 { return a.Bias }, func(a Agreement) *Interval { return a.BiasInterval }},
	} {
		fields = append(fields,
			table.Col(table.Column{Name: x.name, Head: x.head, Digits: 3, Low: x.name + "_low", High: x.name + "_high", Weight: x.weight, Doc: x.doc}, number(x.of)),
			table.Col(table.Column{Name: x.name + "_low"}, end(x.interval, low)), table.Col(table.Column{Name: x.name + "_high"}, end(x.interval, high)))
	}
	t := table.Table{Name: "labels", Title: "Labels of demands against the truth", Key: []string{"judge", "demand"},
		Foot: []string{"In brackets 95 % intervals, clustered. Kappa and rank correlation are not defined where the truth or all labels are one level."}}
	if !judged {
		t.Key, fields = t.Key[1:], fields[1:]
	}
	return table.Of(t, list, fields)
}

// ConfusionTable returns how often each true level is labelled as which level.
func ConfusionTable(list []Agreement) *table.Table {
	var rows []Confused
	for _, a := range list {
		rows = append(rows, a.Confusion...)
	}
	return table.Of(table.Table{Name: "label-confusion", Title: "Labels by true level", Key: []string{"judge", "demand", "truth", "label"}}, rows, []table.Field[Confused]{
		table.Col(table.Column{Name: "judge", Kind: table.Text}, func(c Confused) table.Value { return table.Named(c.Judge) }),
		table.Col(table.Column{Name: "demand", Kind: table.Text}, func(c Confused) table.Value { return table.String(c.Demand) }),
		table.Col(table.Column{Name: "truth", Digits: 3, Doc: "true level"}, func(c Confused) table.Value { return table.Float(c.Truth) }),
		table.Col(table.Column{Name: "label", Digits: 3, Doc: "level as labelled"}, func(c Confused) table.Value { return table.Float(c.Label) }),
		table.Col(table.Column{Name: "n", Kind: table.Count}, func(c Confused) table.Value { return table.Int(c.N) }),
		table.Col(table.Column{Name: "proportion", Digits: 3, Doc: "of the states with the true level"}, func(c Confused) table.Value { return table.Float(float64(c.N) / float64(c.Of)) }),
	})
}
