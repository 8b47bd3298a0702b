// Package rendertest makes small results for tests of figures and reports. The results have every part that results can
// have, also warnings, published values, and whatever else figures and reports draw in a special way.
package rendertest

import (
	"context"
	"fmt"
	"math"

	"achilles/infer"
	"achilles/infer/analysis"
	"achilles/infer/compare"
	"achilles/infer/infertest"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/infer/voe"
	"achilles/render/figure"
	"achilles/scenarios/score"
	"achilles/sim/record"
	"achilles/sim/rng"
)

func ptr(x float64) *float64 { return &x }

var parameters = []struct {
	name, group string
	scale       float64
}{{"op", "capability", 50}, {"visual", "capability", 6}, {"rightLeft", "bias", 0}}

// Results returns a graded result of three subjects: agent-1, agent-2 and one whose name would be markup in HTML.
func Results() *figure.Material {
	m := &figure.Material{Dir: ".", Name: "rendertest", Public: public(), Result: &infer.Result{}, Scores: &score.Scores{}}
	s, r := m.Scores, m.Result
	s.Format, s.Version, s.Public, s.Inferred, s.Sealed = score.Format, score.Version, "aa11", "bb22", "cc33"
	s.Layout, s.Source = infer.LayoutDigest{Name: "op", SHA256: "dd44"}, "a paper & its tables"
	s.Data, s.Notes = score.Data{Subjects: 3, Items: 12, Responses: 36, HeldOut: 9}, []string{"something is not graded"}
	r.Settings = infer.Settings{Layout: s.Layout, Seed: 1, Predict: true, Sampling: posterior.Sampling{Chains: 4, Warmup: 100, Draws: 100, Engine: posterior.Auto}}
	rnd := rng.Stream(1, "rendertest")
	draws, predictions := &infertest.Draws{}, []infer.Prediction(nil)
	for i, id := range m.Public.Subjects {
		name := []string{"agent-1", "agent-2", "<b>agent-10</b>"}[i]
		for k, p := range parameters {
			mean := 0.2 + 0.3*float64(i)
			q := score.Profile{Name: name, Scale: p.scale, Groups: []string{"all"}}
			width := max(p.scale, 1)
			q.Profile = infer.Profile{Subject: id, Parameter: p.name, Group: p.group, Mean: mean * width, SD: 0.05 * width, MCSE: ptr(0.001), Q5: (mean - 0.1) * width, Q25: (mean - 0.04) * width, Q50: mean * width, Q75: (mean + 0.04) * width, Q95: (mean + 0.1) * width, RHat: ptr(1.001)}
			if p.scale > 0 && !(i == 2 && k == 1) {
				f := mean + 0.03
				q.Fraction, q.Truth = &f, ptr(f*p.scale)
			}
			if i == 0 {
				q.Published = &score.Moments{mean * width, 0.07 * width}
			}
			s.Profiles, r.Profiles = append(s.Profiles, q), append(r.Profiles, q.Profile)
		}
		for chain := range int32(4) {
			for draw := range int32(100) {
				values := make([]float64, len(parameters))
				for k := range values {
					values[k] = rnd.Norm()
				}
				draws.Add(id, chain, draw, values...)
			}
		}
		r.Diagnostics.Fits = append(r.Diagnostics.Fits,
			infer.Fit{Subject: id, Rows: infer.AllRows, Engine: "nuts", Chains: 4, Draws: 100, WorstRHat: ptr(1.001 + 0.01*float64(i%2)), MinESSBulk: ptr(300), MinESSTail: ptr(200), LogEvidence: ptr(-50), Gradients: 1000, Likelihoods: 500},
			infer.Fit{Subject: id, Rows: infer.FitRows, Engine: "tempered", Replaced: []string{"R-hat of op is 1.4"}, Chains: 4, Draws: 100, Divergences: 3, Warnings: []posterior.Warning{{Kind: "ess", Parameter: "op", Message: "few draws of op"}}})
	}
	for _, p := range parameters {
		draws.Names = append(draws.Names, p.name)
	}
	grade(s, m.Public)
	for _, x := range m.Public.Responses.All() {
		if x.Split == record.HeldOut {
			predictions = append(predictions, infer.Prediction{Subject: m.Public.Subjects[x.Subject], Item: m.Public.Items.ID[x.Item], Measure: "success", P: 0.05 + 0.9*rnd.Float64()})
		}
	}
	r.Draws, r.Predictions = draws, infertest.Predictions(predictions)
	s.Verdicts = verdicts(m.Public)
	m.Chances = chances{}
	return m
}

// chances implements figure.Chances. It gives every subject, in both of two posterior draws, a probability of success
// that falls from item to item.
type chances struct{}

// Row implements figure.Chances.
func (chances) Row(r *record.Response) int { return int(r.Item) }

// Size implements figure.Chances.
func (chances) Size() (draws, rows int) { return 200, 12 }

// Of implements figure.Chances.
func (chances) Of(string) ([][]float64, error) {
	var p []float64
	for i := range 12 {
		p = append(p, 1-float64(i)/12)
	}
	return [][]float64{p, p}, nil
}

// public returns a data set of three subjects, twelve items and every response to them. Every fourth item's responses
// are held out.
func public() *record.Dataset {
	d := &record.Dataset{Subjects: []string{"0a", "1b", "2c"}, Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	size := record.Column{Feature: record.Feature{Name: "size", Kind: record.Number, Role: record.Demand}}
	for i := range 12 {
		d.Items.ID, d.Items.Suite = append(d.Items.ID, fmt.Sprintf("i%02d", i)), append(d.Items.Suite, "suite")
		d.Items.Paradigm, d.Items.Task = append(d.Items.Paradigm, fmt.Sprint("paradigm-", i%2)), append(d.Items.Task, "task")
		size.Number = append(size.Number, float64(i))
	}
	d.Items.Columns = []record.Column{size}
	var responses []record.Response
	for s := range int32(3) {
		for i := range int32(12) {
			x := record.Response{Subject: s, Item: i, Value: float64((s + i) % 2)}
			if i%4 == 0 {
				x.Split = record.HeldOut
			}
			responses = append(responses, x)
		}
	}
	d.Responses = record.PackResponses(responses)
	return d
}

// grade fills in plausible recovery, coverage, prediction, warnings and diagnostics.
func grade(s *score.Scores, d *record.Dataset) {
	s.Recovery = map[string]map[string]score.Recovery{}
	for _, block := range []string{score.Overall, "all"} {
		s.Recovery[block] = map[string]score.Recovery{
			"op":     {N: 3, RMSE: 0.03, Interval: &score.Interval{0.02, 0.05}, Bias: -0.03, MCSE: ptr(0.0004), Published: ptr(0.28)},
			"visual": {N: 2, RMSE: 0.05, Bias: -0.03, Published: ptr(0.01)},
		}
	}
	share := score.Share{Covered: 2, N: 3, Share: 2.0 / 3, Interval: score.ClopperPearson(2, 3, score.Level)}
	detail := map[string]score.CoverageDetail{"op": {All: share, AtBound: 1, Interior: &share}, "visual": {All: share}}
	s.Coverage = &score.Coverage{Share50: map[string]float64{"op": 2.0 / 3}, Share90: map[string]float64{"op": 2.0 / 3}, Detail: map[string]map[string]score.CoverageDetail{"50": detail, "90": detail}}
	s.Prediction = &score.Predictions{Bins: score.Bins, Subjects: map[string]score.Prediction{}}
	for i, name := range []string{"agent-1", "agent-2", "<b>agent-10</b>"} {
		p := score.Prediction{ID: d.Subjects[i], N: 3, SuccessRate: 0.3 * float64(i), Brier: 0.1, BrierInterval: &score.Interval{0.05, 0.15}, Calibration: 0.01, Refinement: 0.09, BrierAggregate: ptr(0.2), Excess: ptr(-0.1), ExcessInterval: &score.Interval{-0.2, 0}}
		if i == 0 {
			p.Published = &score.PublishedPrediction{Brier: ptr(0.12)}
		}
		s.Prediction.Subjects[name] = p
	}
	pooled := s.Prediction.Subjects["agent-2"]
	s.Prediction.Pooled = &pooled
	s.Paths = map[string]score.PathScore{"paradigm-0": {N: 5, Subjects: 3, RMSE: 1, Fan: 1.2, Direct: 2, Still: 4, Pooled: 1.5, Interval: &score.Interval{0.8, 1.2}, OverPooled: &score.Interval{-0.9, -0.1}}, score.Overall: {N: 5, Subjects: 3, RMSE: 1, Fan: 1.2, Direct: 2, Still: 4, Pooled: 1.5}}
	s.Warnings = []score.Warning{
		{Kind: score.Unclassified, Subject: "<b>agent-10</b>", Rows: infer.AllRows, Detail: "two rivals explain it alike"},
		{Kind: score.Misfit, Subject: "<b>agent-10</b>", Rows: infer.AllRows, Detail: "fails cups too often"},
		{Subject: "agent-1", Rows: infer.AllRows, Kind: "rhat", Parameter: "op", Detail: "R-hat of op is 1.02"},
		{Subject: "agent-2", Rows: infer.FitRows, Kind: "ess", Parameter: "op", Detail: "few draws of op"},
		{Subject: "agent-2", Rows: infer.AllRows, Kind: "ebfmi", Detail: "the energy moves slowly"},
	}
	s.Diagnostics = score.Diagnostics{Fits: 6, Divergences: 9, WorstRHat: ptr(1.011), MinESSBulk: ptr(300), Replaced: 3, Warned: 3}
}

func verdicts(d *record.Dataset) *score.Verdicts {
	v := &score.Verdicts{FamiliesRight: 2, Subjects: 3, FraudstersRight: 1, Fraudsters: 1, HasOPBrier: ptr(0.04), HasOPSubjects: 3,
		Confusion: map[string]map[string]int{compare.Capable: {compare.Capable: 2}, compare.Fraudster: {compare.Unclassified: 1}}}
	for i, name := range []string{"agent-1", "agent-2", "<b>agent-10</b>"} {
		r := score.VerdictRow{Name: name, Right: i != 2}
		r.Subject, r.Family, r.Leading, r.Weight, r.HasOP = d.Subjects[i], compare.Capable, compare.Capable, 0.9, 0.95
		r.Words = name + " is capable: it passes where anybody passes."
		r.Families = []compare.FamilyWeight{{Name: compare.Capable, Weight: 0.9}, {Name: compare.Fraudster, Weight: 0.1}}
		r.Truth.Family, r.Truth.HasOP = compare.Capable, "yes"
		if i == 2 {
			r.Family, r.Unclassified, r.Truth.Family, r.Truth.HasOP = compare.Unclassified, "two rivals explain it alike", compare.Fraudster, "no"
			r.Misfit = []misfit.Finding{{Check: "family", Statement: "fails cups too often"}}
			r.WeaknessNames, r.TrueWeaknesses = []string{"lava"}, []string{"lava", "ramp"}
			r.Components = []compare.ComponentWeight{{Name: "lava", Probability: 0.97}, {Name: "ramp", Probability: 0.61}}
			r.Mild = []compare.Weakness{{Name: "ramp", Probability: 0.6}}
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

// Watched returns a graded result of two observers that watched four items.
func Watched() *figure.Material {
	m := &figure.Material{Dir: ".", Name: "watched", Public: public(), Scores: &score.Scores{Format: score.Format, Version: score.Version, Public: "aa", Inferred: "bb", Sealed: "cc", Source: "a paper", Data: score.Data{Items: 12}}}
	m.Public.Subjects, m.Public.Responses = nil, record.Responses{}
	s := m.Scores
	one := map[string]score.ObserverScore{"preference": {N: 4, Accuracy: 87.5, Interval: &score.Interval{50, 99}, AUC: ptr(90), Best: ptr(99)}, "multi_agent": {N: 4, Accuracy: 50}}
	s.Observers = map[string]map[string]score.ObserverScore{"achilles": one, "random": {"preference": {N: 4, Accuracy: 50}}}
	s.PublishedObservers = map[string]map[string]float64{"achilles": {"preference": 99}}
	for i := range 4 {
		seen := score.Seen{Right: map[string]float64{"achilles": 1, "random": 0.5}}
		seen.Item, seen.Task, seen.Outcome = fmt.Sprintf("i%02d", i), "preference", append(seen.Outcome, 1, 2) // expected, unexpected
		s.Seen = append(s.Seen, seen)
		for _, video := range []string{"a", "b"} {
			for f := range int32(20) {
				m.Frames = append(m.Frames, voe.Frame{Observer: "achilles", Item: seen.Item, Video: video, Trial: 8, Frame: f, Step: math.Sin(float64(f)) + float64(len(video))})
			}
		}
	}
	return m
}

// Analysis returns an analysis of simulated subjects, with a group and a few models.
func Analysis() *figure.Material {
	d, r := public(), rng.Stream(3, "rendertest")
	d.Subjects = nil
	var responses []record.Response
	side := record.Column{Feature: record.Feature{Name: "side", Kind: record.Text, Role: record.Nuisance}}
	for i := range d.Items.ID {
		side.Text = append(side.Text, []string{"left", "right"}[i%2])
	}
	d.Items.Columns = append(d.Items.Columns, side)
	for s := range int32(10) {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s%d", s))
		for i := range int32(12) {
			v := 0.0
			if r.Bernoulli(1 / (1 + math.Exp(float64(i)-float64(s)))) {
				v = 1
			}
			responses = append(responses, record.Response{Subject: s, Item: i, Value: v})
		}
	}
	d.Responses = record.PackResponses(responses)
	c := analysis.Default()
	c.Replicates, c.Permutations, c.Prediction.Models, c.Prediction.Splits = 50, 50, []string{"global", "subject", "tree", "irt", "camilla_base"}, 2
	c.Groups = []analysis.Group{{Name: "first", Subjects: []string{"s0", "s1", "s2"}}}
	a, err := analysis.Run(context.Background(), d, c)
	if err != nil {
		panic("rendertest: " + err.Error())
	}
	return &figure.Material{Dir: ".", Name: "rendertest", Analysis: a.Document()}
}
