package score_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/agents"
	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/posterior"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hand returns an input of three subjects that is small enough to grade by hand:
//
//	subject   id  op (maximum 8)      lava (maximum 1)   groups    deviations
//	agent 1   s3  truth 1, mean 7.2   truth 1, mean .9   included  op −.1, lava −.1
//	agent 2   s1  truth .5, mean 4.8  undefined          included  op +.1
//	agent 10  s2  truth .25, mean 4   truth .5, mean .8            op +.25, lava +.3
func hand() score.Input {
	return score.Input{
		Public: handPublic(), Manifest: "aa11", Inferred: "dd44", Result: handResult(),
		Sealed: &seal.Truth{
			Digest: "bb22",
			Scale:  map[string]float64{"op": 8, "lava": 1},
			Subjects: map[string]agents.Spec{
				"s1": {Name: "agent 2", Truth: agents.Truth{Groups: []string{"included"}, Capability: map[string]float64{"op": 0.5}}},
				"s2": {Name: "agent 10", Truth: agents.Truth{Capability: map[string]float64{"op": 0.25, "lava": 0.5}}},
				"s3": {Name: "agent 1", Truth: agents.Truth{Groups: []string{"included"}, Capability: map[string]float64{"op": 1, "lava": 1}}},
			},
			Published: json.RawMessage(`{"source": "a paper", "recovery": {"overall": {"op": 0.28}, "included": {"op": 0.13}},
				"prediction": {"agent 1": {"brier": 0.022, "brier_aggregate": 0, "calibration": 0.022, "refinement": 0}},
				"profile": {"agent 2": {"op": [5.1, 1.5]}}, "another table": [1]}`),
		},
	}
}

// handPublic returns two held-out responses per subject, on items i4 and i5, and fit rows on i1 to i3; success is
// measure 0. Success on i1, i2, i3 | i4, i5 is 1 0 1 | 1 0 for s1, 0 0 0 | 0 0 for s2, and 1 1 1 | 1 1 for s3. One fit
// row of s1 is unscored, and steps are not binary: neither counts.
func handPublic() *record.Dataset {
	d := &record.Dataset{
		Manifest: record.Manifest{
			Manifest: *part.New(part.Public, map[string]string{part.Sealed: "bb22"}, nil),
			Schema:   record.Schema{Measures: []record.Measure{{Name: "success", Family: record.Binary}, {Name: "steps", Family: record.Count}}},
		},
		Items:    record.Items{ID: []string{"i1", "i2", "i3", "i4", "i5"}},
		Subjects: []string{"s1", "s2", "s3"},
		Reasons:  []string{"", "timed out"},
	}
	var list []record.Response
	for s, values := range [][]float64{{1, 0, 1, 1, 0}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}} {
		for i, v := range values {
			r := record.Response{Subject: int32(s), Item: int32(i), Value: v}
			if i > 2 {
				r.Split = record.HeldOut
			}
			steps := r
			steps.Measure, steps.Value = 1, 17
			list = append(list, r, steps)
		}
	}
	list[2].Unscored, list[2].Value = 1, 0 // s1 on i2: its success rate on fit rows becomes 1 instead of 2/3
	d.Responses = record.PackResponses(list)
	return d
}

func handResult() *infer.Result {
	number := func(x float64) *float64 { return &x }
	profile := func(subject, parameter string, mean, sd float64) infer.Profile {
		return infer.Profile{
			Subject: subject, Parameter: parameter, Group: "capability", Mean: mean, SD: sd, MCSE: number(sd / 20),
			Q5: mean - 1.6*sd, Q25: mean - 0.7*sd, Q50: mean, Q75: mean + 0.7*sd, Q95: mean + 1.6*sd,
			ESSBulk: number(400), ESSTail: number(380), RHat: number(1.001),
			LogEvidence: number(-12.35), LogEvidenceSE: number(0.021),
		}
	}
	prediction := func(subject, item string, p float64) infer.Prediction {
		return infer.Prediction{Subject: subject, Item: item, Measure: "success", P: p}
	}
	draws := &infertest.Draws{Names: []string{"op"}}
	for i, x := range []float64{3.9, 4.2, 4.9, 6, 2.1, 4, 4.5, 5, 6.9, 7.3, 7.6, 7.7} {
		draws.Add(fmt.Sprintf("s%d", 1+i/4), 0, int32(i%4), x)
	}
	return &infer.Result{
		Manifest: part.Manifest{Parents: map[string]string{"public": "aa11"}}, Settings: infer.Settings{Layout: infer.LayoutDigest{Name: "op", SHA256: "cc33"}},
		Profiles: []infer.Profile{
			profile("s1", "op", 4.8, 1), profile("s1", "lava", 0.5, 0.3),
			profile("s2", "op", 4, 1.1), profile("s2", "lava", 0.8, 0.1),
			profile("s3", "op", 7.2, 0.4), profile("s3", "lava", 0.9, 0.05),
		},
		Predictions: infertest.Predictions([]infer.Prediction{
			prediction("s1", "i4", 0.8), prediction("s1", "i5", 0.4),
			prediction("s2", "i4", 0.1), prediction("s2", "i5", 0.1),
			prediction("s3", "i4", 0.9), prediction("s3", "i5", 1),
		}),
		Draws: draws,
		Diagnostics: infer.Diagnostics{
			Layout: "op", Divergences: 3, WorstRHat: number(1.02), MinESSBulk: number(380), Replaced: 1,
			Fits: []infer.Fit{
				{Subject: "s1", Rows: "all", Warnings: []posterior.Warning{{Kind: "rhat", Parameter: "op", Message: "R-hat of op is 1.02"}}},
				{Subject: "s1", Rows: "fit", Warnings: []posterior.Warning{{Kind: "divergences", Message: "3 divergences"}}},
				{Subject: "s2", Rows: "all"}, {Subject: "s2", Rows: "fit"}, {Subject: "s3", Rows: "all"}, {Subject: "s3", Rows: "fit"},
			},
		},
	}
}

// spoilt returns a function that changes the predictions of a result.
func spoilt(change func(all []infer.Prediction)) func(in *score.Input) {
	return func(in *score.Input) {
		infertest.EditPredictions(in.Result, func(all []infer.Prediction) []infer.Prediction {
			change(all)
			return all
		})
	}
}

func run(t *testing.T, in score.Input) *score.Scores {
	t.Helper()
	s, err := score.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRecoveryByHand(t *testing.T) {
	s := run(t, hand())
	for _, c := range []struct {
		block, capability string
		n                 int
		rmse, bias, mcse  float64
	}{
		// The squared deviations are .01, .01, .0625; the MCSEs of the means are sd/20 over the maximum 8: .0025, .00625, .006875.
		{"overall", "op", 3, math.Sqrt(0.0825 / 3), 0.25 / 3,
			math.Sqrt(0.1*0.1*0.0025*0.0025+0.1*0.1*0.00625*0.00625+0.25*0.25*0.006875*0.006875) / (3 * math.Sqrt(0.0825/3))},
		{"included", "op", 2, 0.1, 0, math.Sqrt(0.0025*0.0025+0.00625*0.00625) / 2},
		{"overall", "lava", 2, math.Sqrt(0.05), 0.1, math.Sqrt(0.1*0.1*0.0025*0.0025+0.3*0.3*0.005*0.005) / (2 * math.Sqrt(0.05))},
		{"included", "lava", 1, 0.1, -0.1, 0.0025},
	} {
		r := s.Recovery[c.block][c.capability]
		if r.N != c.n || !same(r.RMSE, c.rmse) || !same(r.Bias, c.bias) || r.MCSE == nil || !same(*r.MCSE, c.mcse) {
			t.Errorf("%s %s: got %+v, want n %d rmse %v bias %v mcse %v", c.block, c.capability, r, c.n, c.rmse, c.bias, c.mcse)
		}
	}
	// Of the 27 bootstrap samples of {.01, .01, .0625} the smallest mean has probability 8/27, and the largest 1/27 >
	// 2.5 %, so that these two are the ends of the interval.
	if i := s.Recovery["overall"]["op"].Interval; i == nil || !same(i[0], 0.1) || !same(i[1], 0.25) {
		t.Errorf("interval of overall op: %v", i)
	}
	if i := s.Recovery["included"]["lava"].Interval; i != nil {
		t.Errorf("one subject has an interval: %v", i)
	}
	if p := s.Recovery["included"]["op"].Published; p == nil || *p != 0.13 {
		t.Errorf("published: %v", p)
	}
}

func TestCoverageByHand(t *testing.T) {
	s := run(t, hand())
	// Central 90 % intervals of op: that of agent 1 ends at 7.84, below the truth 8; [3.2, 6.4] of agent 2 holds 4;
	// [2.24, 5.76] of agent 10 does not hold 2. Central 50 %: [4.1, 5.5] of agent 2 does not hold 4 either.
	// The shortest 90 % interval has all four draws. That of agent 1 ends at its extreme draw, so that it counts as
	// reaching the bound; 3.9 … 6 holds 4; 2.1 … 5 does not hold 2. The shortest 50 % interval has two draws: 7.6 …
	// 7.7 of agent 1 reaches the bound, and 3.9 … 4.2 of agent 2 holds 4.
	want := map[string][5]int{ // covered, n, at bound, interior covered, shortest covered
		"50": {0, 3, 1, 0, 2},
		"90": {1, 3, 1, 1, 2},
	}
	for level, w := range want {
		d := s.Coverage.Detail[level]["op"]
		got := [5]int{d.All.Covered, d.All.N, d.AtBound, d.Interior.Covered, d.Shortest.Covered}
		if got != w || d.Interior.N != 2 {
			t.Errorf("%s %%: got %v, want %v", level, got, w)
		}
	}
	if got := s.Coverage.Share90["op"]; !same(got, 1.0/3) {
		t.Errorf("share %v", got)
	}
	if d := s.Coverage.Detail["90"]["lava"]; d.Shortest != nil || d.AtBound != 1 {
		t.Errorf("lava has no draws: %+v", d)
	}
	// One of three is covered: low solves 1 − (1−low)³ = .025.
	if i := s.Coverage.Detail["90"]["op"].All.Interval; !same(i[0], 1-math.Cbrt(0.975)) {
		t.Errorf("interval %v", i)
	}
}

func TestPredictionByHand(t *testing.T) {
	s := run(t, hand())
	// agent 2 has forecasts .8 of a success and .4 of a failure, so that Brier is (.04 + .16)/2. They are in different
	// bins, so that calibration is the same and refinement is 0. The aggregate always forecasts 1, because the failure
	// on i2 is unscored: its Brier is (0 + 1)/2, its calibration (1 − .5)², its refinement .25.
	p := s.Prediction.Subjects["agent 2"]
	got := []float64{p.Brier, p.BrierBinned, p.Calibration, p.Refinement, *p.BrierAggregate, *p.CalibrationAggregate, *p.RefinementAggregate, *p.Excess}
	for i, want := range []float64{0.1, 0.1, 0.1, 0, 0.5, 0.25, 0.25, -0.4} {
		if !same(got[i], want) {
			t.Errorf("agent 2, number %d: got %v, want %v", i, got[i], want)
		}
	}
	// The standard error of the mean of {.04, .16} is .06.
	if i := p.BrierInterval; i == nil || !same(i[1], 0.1+1.959963984540054*0.06) || i[0] != 0 {
		t.Errorf("agent 2: interval %v", i)
	}
	// agent 1 has forecasts .9 and 1 of two successes: Brier is .005. Both are in the last bin, whose mean is .95, so
	// that calibration is .0025.
	if p := s.Prediction.Subjects["agent 1"]; !same(p.Brier, 0.005) || !same(p.BrierBinned, 0.0025) || *p.BrierAggregate != 0 {
		t.Errorf("agent 1: %+v", p)
	}
	// The mean over all six responses is (.04 + .16 + .01 + .01 + .01 + 0)/6.
	if p := s.Prediction.Pooled; p.N != 6 || !same(p.Brier, 0.23/6) {
		t.Errorf("pooled: %+v", p)
	}
	if s.Prediction.Unpredicted != 0 {
		t.Errorf("%d unpredicted", s.Prediction.Unpredicted)
	}
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// TestWithoutSeal checks that, if the seal is not opened, the scores have ids instead of names and no recovery, a note
// says so, and predictions are graded all the same.
func TestWithoutSeal(t *testing.T) {
	in := hand()
	in.Sealed = nil
	in.Published = &score.Published{Profile: map[string]map[string]score.Moments{"s1": {"op": {5, 1}}}}
	s := run(t, in)
	if s.Recovery != nil || s.Coverage != nil || s.Sealed != "" || !same(s.Prediction.Subjects["s1"].Brier, 0.1) {
		t.Errorf("got %+v", s)
	}
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "no sealed part") {
		t.Errorf("notes %q", s.Notes)
	}
	if text := string(tables(s)); !strings.Contains(text, ",5,1\n") || strings.Contains(text, "Recovery") {
		t.Errorf("tables:\n%s", text)
	}
	if _, err := s.Files(asCSV); err != nil {
		t.Error(err)
	}
}

// TestNothingToGrade checks that, if truths define nothing and there are no predictions, grades are absent with a note,
// never NaN.
func TestNothingToGrade(t *testing.T) {
	in := hand()
	for id, spec := range in.Sealed.Subjects {
		spec.Truth.Capability = nil
		in.Sealed.Subjects[id] = spec
	}
	in.Result.Predictions = nil
	s := run(t, in)
	if len(s.Recovery["overall"]) != 0 || s.Prediction != nil || len(s.Notes) != 2 {
		t.Errorf("recovery %v, prediction %v, notes %q", s.Recovery, s.Prediction, s.Notes)
	}
	if _, err := s.Files(asCSV); err != nil {
		t.Error(err)
	}
	tables(s)

	in = hand()
	in.Result.Profiles, in.Result.Diagnostics = nil, infer.Diagnostics{}
	s = run(t, in)
	if len(s.Notes) != 2 || s.Notes[0] != "layout op has no posterior of lava (true of 2 subjects), op (true of 3 subjects): not graded" {
		t.Errorf("notes %q", s.Notes)
	}
	if text := string(tables(s)); strings.Contains(text, "NaN") {
		t.Errorf("tables:\n%s", text)
	}
}

// TestUnpredicted checks that a held-out response without a prediction is counted in Unpredicted and is not graded.
func TestUnpredicted(t *testing.T) {
	in := hand()
	infertest.EditPredictions(in.Result, func(all []infer.Prediction) []infer.Prediction { return all[1:] })
	s := run(t, in)
	if p := s.Prediction.Subjects["agent 2"]; s.Prediction.Unpredicted != 1 || p.N != 1 || p.BrierInterval != nil || !same(p.Brier, 0.16) {
		t.Errorf("%d unpredicted, %+v", s.Prediction.Unpredicted, p)
	}
}

// TestNoFitRows checks that the prediction for a subject without any fit response has no aggregate.
func TestNoFitRows(t *testing.T) {
	in := hand()
	in.Public.Responses = record.PackResponses(in.Public.Responses.List()[6:]) // s1 keeps its two held-out responses only
	s := run(t, in)
	if p := s.Prediction.Subjects["agent 2"]; p.BrierAggregate != nil || p.Excess != nil || p.N != 2 {
		t.Errorf("%+v", p)
	}
	if s.Prediction.Pooled.BrierAggregate != nil {
		t.Error("the pool has an aggregate although one of its subjects has none")
	}
}

func TestRefusals(t *testing.T) {
	truth := func(in *score.Input, edit func(*agents.Spec)) {
		spec := in.Sealed.Subjects["s1"]
		edit(&spec)
		in.Sealed.Subjects["s1"] = spec
	}
	for name, c := range map[string]struct {
		edit func(*score.Input)
		want string
	}{
		"another public":   {func(in *score.Input) { in.Manifest = "aa12" }, "inferred/manifest.json: made from another public part"},
		"another result":   {func(in *score.Input) { in.Result.Manifest.Parents = map[string]string{"public": "ba11"} }, "inferred/manifest.json: made from another public part"},
		"another seal":     {func(in *score.Input) { in.Sealed.Digest = "bb23" }, "public/manifest.json: made from another sealed part"},
		"no commitment":    {func(in *score.Input) { in.Public.Manifest.Parents = nil }, "commits to no sealed part"},
		"stranger":         {func(in *score.Input) { in.Sealed.Subjects["s4"] = agents.Spec{Name: "x"} }, "subject s4 (x) is not in the public data"},
		"fewer subjects":   {func(in *score.Input) { delete(in.Sealed.Subjects, "s2") }, "has 2 subjects, the public data 3"},
		"same name":        {func(in *score.Input) { truth(in, func(s *agents.Spec) { s.Name = "agent 1" }) }, `name "agent 1" is empty or used twice`},
		"no name":          {func(in *score.Input) { truth(in, func(s *agents.Spec) { s.Name = "" }) }, `name "" is empty`},
		"fraction":         {func(in *score.Input) { truth(in, func(s *agents.Spec) { s.Truth.Capability["op"] = 1.5 }) }, "fraction 1.5 is outside [0, 1]"},
		"not a number":     {func(in *score.Input) { truth(in, func(s *agents.Spec) { s.Truth.Capability["op"] = math.NaN() }) }, "fraction NaN is outside [0, 1]"},
		"no maximum":       {func(in *score.Input) { delete(in.Sealed.Scale, "op") }, "capability op: no maximum"},
		"group overall":    {func(in *score.Input) { truth(in, func(s *agents.Spec) { s.Truth.Groups = []string{"overall"} }) }, "must not be called overall"},
		"published":        {func(in *score.Input) { in.Sealed.Published = []byte(`{"recovery": 1}`) }, "published values"},
		"profile twice":    {func(in *score.Input) { in.Result.Profiles = append(in.Result.Profiles, in.Result.Profiles[0]) }, "appears twice"},
		"profile stranger": {func(in *score.Input) { in.Result.Profiles[0].Subject = "s9" }, "no such subject"},
		"profile NaN":      {func(in *score.Input) { in.Result.Profiles[0].Q95 = math.NaN() }, "is not a number to grade"},
		"probability":      {spoilt(func(all []infer.Prediction) { all[0].P = 1.01 }), "item i4, trial 0, repetition 0, measure success: 1.01 is not a probability"},
		"probability NaN":  {spoilt(func(all []infer.Prediction) { all[0].P = math.NaN() }), "is not a probability"},
		"fit row":          {spoilt(func(all []infer.Prediction) { all[0].Item = "i1" }), "no scored response is held out there"},
		"other measure":    {spoilt(func(all []infer.Prediction) { all[0].Measure = "jumps" }), "no scored response is held out there"},
		"predicted twice":  {spoilt(func(all []infer.Prediction) { all[1] = all[0] }), "predicted twice"},
	} {
		t.Run(name, func(t *testing.T) {
			in := hand()
			c.edit(&in)
			s, err := score.Run(in)
			if err == nil {
				t.Fatalf("graded: %+v", s)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q, want one line with %q", err, c.want)
			}
		})
	}
}

// tables returns what every table says: title, values, notes and foot.
func tables(s *score.Scores) (out []byte) {
	for _, x := range s.Tables() {
		out = fmt.Appendf(out, "%s\n%s", x.Title, asCSV(x))
		for _, n := range x.Notes {
			out = fmt.Appendf(out, "%d %s: %s\n", n.Row, n.Column, n.Text)
		}
		for _, f := range x.Foot {
			out = fmt.Appendf(out, "%s\n", f)
		}
		out = append(out, '\n')
	}
	return out
}

func TestGolden(t *testing.T) {
	s := run(t, hand())
	s.Unblinded = true
	files, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s (-update rewrites it):\n%s", name, path, cmp.Diff(string(want), string(got)))
		}
	}
}

// TestPaths checks that scores.json has values under the keys on which scripts of users depend.
func TestPaths(t *testing.T) {
	files, err := run(t, hand()).Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal(files["scores.json"], &root); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"recovery/overall/op/rmse", "recovery/included/lava/rmse", "coverage/50/op", "coverage/90/lava",
		"prediction/subjects/agent 10/brier", "prediction/subjects/agent 10/brier_aggregate",
		"prediction/subjects/agent 10/calibration", "prediction/subjects/agent 10/refinement",
		"diagnostics/divergences", "diagnostics/worst_rhat", "diagnostics/min_ess_bulk", "version",
	} {
		at := root
		for _, k := range strings.Split(path, "/") {
			m, _ := at.(map[string]any)
			at = m[k]
		}
		if _, ok := at.(float64); !ok {
			t.Errorf("%s is %v, not a number", path, at)
		}
	}
}

// TestEncodedWhole checks that scores.json has everything except the profiles, which have their own table.
func TestEncodedWhole(t *testing.T) {
	files, err := run(t, hand()).Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	var s score.Scores
	if err := json.Unmarshal(files["scores.json"], &s); err != nil {
		t.Fatal(err)
	}
	again, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again["scores.json"], files["scores.json"]) || !bytes.Equal(again["prediction.csv"], files["prediction.csv"]) {
		t.Error("reading and writing changes scores.json or prediction.csv")
	}
}
