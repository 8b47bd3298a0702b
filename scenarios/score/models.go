package score

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// A ModelRecovery says how far a trait that a model of an analysis estimates is from what a layout drew. RMSE is in the unit of the truth.
type ModelRecovery struct {
	Model     string    `json:"model"`
	Estimate  string    `json:"estimate"` // ability, skill NAME, vector, difficulty, discrimination or mask
	Truth     string    `json:"truth"`    // a parameter of the layout, or one of the names below
	Alignment string    `json:"alignment"`
	N         int       `json:"n"`
	Spearman  *float64  `json:"spearman,omitempty"` // rank correlation; absent for vectors, and if either is constant
	Pearson   *float64  `json:"pearson,omitempty"`  // for vectors, the Procrustes correlation, from 0 to 1
	RMSE      float64   `json:"rmse"`               // after the alignment
	Interval  *Interval `json:"interval,omitempty"` // 95 % interval of RMSE, bootstrap over units at the alignment of all; absent for one unit, vectors and masks
	Spread    *float64  `json:"spread,omitempty"`   // RMSE of the mean of the truth as every estimate
	Coverage  *Share    `json:"coverage,omitempty"` // truths inside the model's intervals, which are aligned like the estimates; absent without intervals
}

// Truths that are not parameters of the layout: what the layout expects at the values that it drew.
const (
	trueRate    = "success rate"
	trueFailure = "failure rate"
	trueSlope   = "slope"
	trueVector  = "all parameters of subjects"
	trueMask    = "items' demands"
)

// How estimates are brought to the unit of the truth.
const (
	unaligned  = "none"       // the estimate has the unit of the truth
	affine     = "affine"     // the line of least squares
	procrustes = "Procrustes" // shift, rotation, reflection and one scale (Schönemann and Carroll 1970)
	matched    = "matching"   // each true skill is matched to another learnt one, then affine
)

// mostMatched is the largest number of learnt skills that are matched to true ones.
const mostMatched = 12

var errOtherAnalysis = errors.New("score: the analysis describes other data than public/ of this directory")

// gradeModels grades the traits of the models of an analysis against what a layout drew.
func gradeModels(s *Scores, in Input) error {
	if in.Analysis == nil {
		return nil
	}
	s.Analysis = in.Analysis.Digest
	switch {
	case in.Analysis.Public != in.Manifest:
		return errOtherAnalysis
	case in.Sealed == nil || in.Sealed.Parameters == nil:
		s.note("the models of the analysis are not graded: no layout drew these data")
		return nil
	}
	rates, err := trueRates(in)
	if err != nil {
		s.note("models of the analysis are not graded against expected success rates: %v", err)
	}
	g, t := &modelGrader{in: in, rates: rates}, &in.Analysis.Document.Tables
	models := modelsOf(t)
	for _, model := range models {
		g.abilities(t, model)
		g.vectors(t, model)
		g.items(t, model)
		g.masks(t, model)
	}
	if len(models) == 0 {
		s.note("the analysis has no model that measures abilities or items")
	}
	s.Models = g.rows
	return nil
}

// modelsOf returns the names of the models that have traits, in the order of the tables.
func modelsOf(t *analysis.Tables) (names []string) {
	for _, r := range t.Agreement {
		names = append(names, r.Model)
	}
	return names
}

// trueRates returns the expected success of every subject on every item at the values that the layout drew.
func trueRates(in Input) ([][]float64, error) {
	j, theta, err := drawnVector(in)
	if err != nil {
		return nil, err
	}
	d, m := in.Public, firstBinary(in.Public)
	if m < 0 {
		return nil, errors.New("no measure is binary")
	}
	var all []record.Response
	for s := range d.Subjects {
		for i := range d.Items.Len() {
			all = append(all, record.Response{Subject: int32(s), Item: int32(i), Measure: uint8(m)})
		}
	}
	cells, err := j.NewCells(all, nil)
	if err != nil {
		return nil, err
	}
	p := make([]float64, len(all))
	cells.NewTarget(make([]bool, len(j.Layout().Parameters)), 1).Expected(theta, p)
	out := make([][]float64, len(d.Subjects))
	for s := range out {
		out[s] = p[s*d.Items.Len():][:d.Items.Len()]
	}
	return out, nil
}

// A modelGrader makes the rows of ModelRecovery.
type modelGrader struct {
	in    Input
	rates [][]float64 // subject → item → expected success; nil: unknown
	rows  []ModelRecovery
}

// of returns the drawn parameters that each subject, or each item, has a value of, sorted by name.
func (g *modelGrader) of(ids []string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(g.in.Sealed.Parameters)) {
		values := g.in.Sealed.Parameters[name]
		if len(values) == len(ids) && !slices.ContainsFunc(ids, func(id string) bool { _, ok := values[id]; return !ok }) {
			names = append(names, name)
		}
	}
	return names
}

// component returns the skill of a component of a vector, such as lava of mastery[lava], or "".
func component(parameter string) string {
	_, skill, _ := strings.Cut(strings.TrimSuffix(parameter, "]"), "[")
	return skill
}

// An estimated is an estimate of a unit with its interval, whose ends are NaN without one.
type estimated struct {
	unit             string
	value, low, high float64
}

// abilities grades a model's abilities, overall and by skill: against the one parameter of subjects, or that of the same skill, and
// against expected success rates, which the abilities of some models estimate.
func (g *modelGrader) abilities(t *analysis.Tables, model string) {
	by := map[string][]estimated{}
	var skills []string
	for _, r := range t.Abilities {
		if r.Model != model {
			continue
		}
		if by[r.Skill] == nil {
			skills = append(skills, r.Skill)
		}
		by[r.Skill] = append(by[r.Skill], estimated{r.Subject, r.Value, r.Low, r.High})
	}
	slices.Sort(skills)
	drawn := g.of(g.in.Public.Subjects)
	for _, skill := range skills {
		name := "ability"
		if skill != "" {
			name = "skill " + skill
		}
		for _, p := range drawn {
			if skill == "" && len(drawn) == 1 || skill != "" && component(p) == skill {
				g.grade(model, name, p, affine, by[skill], g.in.Sealed.Parameters[p])
			}
		}
		how := affine
		if analysis.RatesAbility(model) {
			how = unaligned
		}
		if truth := g.rateOf(weights(t, model, skill)); truth != nil {
			g.grade(model, name, trueRate, how, by[skill], truth)
		}
	}
}

// weights returns how much each item needs a skill, by the item's id; nil, which means all alike, of the overall ability.
func weights(t *analysis.Tables, model, skill string) map[string]float64 {
	if skill == "" {
		return nil
	}
	out := map[string]float64{}
	for _, r := range t.Masks {
		if r.Model == model && r.Skill == skill {
			out[r.Item] = r.Weight
		}
	}
	return out
}

// rateOf returns the expected success rate of every subject over the items with scored responses, by weights of items; nil if it is
// not known.
func (g *modelGrader) rateOf(weight map[string]float64) map[string]float64 {
	if g.rates == nil {
		return nil
	}
	d := g.in.Public
	w, all := make([]float64, d.Items.Len()), 0.0
	for _, r := range d.Responses.All() {
		if r.Unscored == 0 && w[r.Item] == 0 {
			w[r.Item] = 1
			if weight != nil {
				w[r.Item] = weight[d.Items.ID[r.Item]]
			}
			all += w[r.Item]
		}
	}
	if all == 0 {
		return nil
	}
	out := map[string]float64{}
	for s, id := range d.Subjects {
		out[id] = num.Dot(g.rates[s], w) / all
	}
	return out
}

// items grades a model's difficulties and discriminations: against parameters of items that have these names, and against expected
// failure rates.
func (g *modelGrader) items(t *analysis.Tables, model string) {
	var difficulty, discrimination []estimated
	for _, r := range t.Parameters {
		if r.Model == model {
			difficulty = append(difficulty, estimated{r.Item, r.Difficulty, math.NaN(), math.NaN()})
			discrimination = append(discrimination, estimated{r.Item, r.Discrimination, math.NaN(), math.NaN()})
		}
	}
	for _, p := range g.of(g.in.Public.Items.ID) {
		switch p {
		case "difficulty":
			g.grade(model, p, p, affine, difficulty, g.in.Sealed.Parameters[p])
		case "discrimination", "slope":
			g.grade(model, "discrimination", p, affine, discrimination, g.in.Sealed.Parameters[p])
		}
	}
	if g.rates == nil {
		return
	}
	failure := map[string]float64{}
	for i, id := range g.in.Public.Items.ID {
		for _, p := range g.rates {
			failure[id] += (1 - p[i]) / float64(len(g.rates))
		}
	}
	g.grade(model, "difficulty", trueFailure, affine, difficulty, failure)
	g.grade(model, "discrimination", trueSlope, affine, discrimination, slopes(g.rates, g.in.Public.Items.ID))
}

// slopes returns the least-squares slope over the subjects of an item's log odds on the standardised mean of those of all items, by item,
// from the rates of success by subject and item: the discrimination where a layout has none by that name. Items whose success is certain
// for somebody have none.
func slopes(rates [][]float64, items []string) map[string]float64 {
	n := float64(len(rates))
	overall, odds, out := make([]float64, len(rates)), map[string][]float64{}, map[string]float64{}
	for i, id := range items {
		of, mean := make([]float64, len(rates)), 0.0
		for s, p := range rates {
			of[s] = math.Log(p[i]) - math.Log1p(-p[i])
			mean += of[s] / n
		}
		if num.Finite(mean) == nil {
			continue
		}
		odds[id] = of
		for s, x := range of {
			overall[s] += x - mean
		}
	}
	square := num.Dot(overall, overall)
	for id, of := range odds {
		out[id] = num.Dot(of, overall) / math.Sqrt(n*square)
	}
	return out
}

// grade adds the row of estimates against the truth of their units. It leaves out units without a finite estimate, and adds none for
// fewer than three, or if all estimates are the same.
func (g *modelGrader) grade(model, estimate, truth, how string, estimates []estimated, truths map[string]float64) {
	var x, y []float64
	var kept []estimated
	for _, e := range estimates {
		if v, ok := truths[e.unit]; ok && num.Finite(e.value) != nil {
			x, y, kept = append(x, e.value), append(y, v), append(kept, e)
		}
	}
	if len(x) < 3 || slices.Min(x) == slices.Max(x) {
		return
	}
	a, b := 0.0, 1.0
	if how == affine {
		a, b = line(x, y)
	}
	_, variance := num.Moments(y)
	out := ModelRecovery{Model: model, Estimate: estimate, Truth: truth, Alignment: how, N: len(x),
		Spearman: num.Finite(chargrid.Spearman(x, y, nil)), Pearson: num.Finite(chargrid.Pearson(x, y, nil)), Spread: num.Finite(math.Sqrt(variance))}
	var squared []float64
	var held tallyShare
	for i, e := range kept {
		d := a + float64(b*e.value) - y[i]
		squared = append(squared, float64(d*d))
		if num.Finite(e.low) != nil && num.Finite(e.high) != nil {
			from, to := a+float64(b*e.low), a+float64(b*e.high)
			held.add(min(from, to) <= y[i] && y[i] <= max(from, to))
		}
	}
	out.RMSE, out.Coverage = math.Sqrt(num.Mean(squared)), held.share()
	out.Interval = bootstrapRMS(rng.Stream(0, "score", "models", model, estimate, truth), squared)
	g.rows = append(g.rows, out)
}

// line returns the line of least squares a + b x. b is 0 if x is constant.
func line(x, y []float64) (a, b float64) {
	mx, my, xx, xy := num.Mean(x), num.Mean(y), 0.0, 0.0
	for i := range x {
		xx += float64((x[i] - mx) * (x[i] - mx))
		xy += float64((x[i] - mx) * (y[i] - my))
	}
	if xx > 0 {
		b = xy / xx
	}
	return my - float64(b*mx), b
}

// modelTable returns the recovery of traits by the models of an analysis; nil without one.
func modelTable(s *Scores) *table.Table {
	return table.Of(table.Table{
		Name: "models", Title: "Traits that models of the analysis estimate, against what the layout drew", Key: []string{"model", "estimate", "truth"},
		Foot: []string{"RMSE: in the unit of the truth, after the alignment; brackets: 95 % intervals, by bootstrap over units (RMSE) or exact (coverage). Baseline: SD of the truth. Success and failure rate: what the layout expects at the values that it drew; slope: of the log odds that it expects of an item, per SD of the subjects' mean log odds. Coverage: truths inside the intervals of the analysis; a model's vector has none."},
	}, s.Models, []table.Field[ModelRecovery]{
		table.Col(table.Column{Name: "model", Kind: table.Text}, func(m ModelRecovery) table.Value { return table.String(m.Model) }),
		table.Col(table.Column{Name: "estimate", Kind: table.Text}, func(m ModelRecovery) table.Value { return table.String(m.Estimate) }),
		table.Col(table.Column{Name: "truth", Kind: table.Text, Doc: "parameter of the layout, or what it expects"}, func(m ModelRecovery) table.Value { return table.String(m.Truth) }),
		table.Col(table.Column{Name: "alignment", Kind: table.Text, Weight: 3, Doc: "how estimates are brought to the unit of the truth"}, func(m ModelRecovery) table.Value { return table.String(m.Alignment) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 4, Doc: "subjects, items, or items × skills"}, func(m ModelRecovery) table.Value { return table.Int(m.N) }),
		table.Col(table.Column{Name: "spearman", Head: "Spearman", Digits: 3}, func(m ModelRecovery) table.Value { return table.Maybe(m.Spearman) }),
		table.Col(table.Column{Name: "pearson", Head: "Pearson", Digits: 3, Weight: 2, Doc: "for vectors, the Procrustes correlation"}, func(m ModelRecovery) table.Value { return table.Maybe(m.Pearson) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: 3, Low: "low", High: "high", Better: table.Less, Than: "spread"}, func(m ModelRecovery) table.Value { return table.Float(m.RMSE) }),
		table.Col(table.Column{Name: "low"}, func(m ModelRecovery) table.Value { return low(m.Interval) }),
		table.Col(table.Column{Name: "high"}, func(m ModelRecovery) table.Value { return high(m.Interval) }),
		table.Col(table.Column{Name: "spread", Head: "baseline", Digits: 3, Weight: 1}, func(m ModelRecovery) table.Value { return table.Maybe(m.Spread) }),
		table.Col(table.Column{Name: "coverage", Digits: 2, Low: "coverage_low", High: "coverage_high"}, func(m ModelRecovery) table.Value {
			if m.Coverage == nil {
				return table.None
			}
			return table.Float(m.Coverage.Share)
		}),
		table.Col(table.Column{Name: "coverage_low"}, func(m ModelRecovery) table.Value { return ofShare(m.Coverage, 0) }),
		table.Col(table.Column{Name: "coverage_high"}, func(m ModelRecovery) table.Value { return ofShare(m.Coverage, 1) }),
	})
}

// ofShare returns an end of the interval of a share, or None.
func ofShare(s *Share, end int) table.Value {
	if s == nil {
		return table.None
	}
	return table.Float(s.Interval[end])
}
