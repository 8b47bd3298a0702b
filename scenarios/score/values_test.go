package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

// TestValuesByHand grades predictions of steps: s1 took 17 steps everywhere but 20 on i5, and 19 and 18 were predicted.
func TestValuesByHand(t *testing.T) {
	in := hand()
	list := in.Public.Responses.List()
	list[9].Value = 20
	in.Public.Responses = record.PackResponses(list)
	for item, p := range map[string]float64{"i4": 19, "i5": 18} {
		infertest.EditPredictions(in.Result, func(all []infer.Prediction) []infer.Prediction {
			return append(all, infer.Prediction{Subject: "s1", Item: item, Measure: "steps", P: p})
		})
	}
	s := run(t, in)
	v := s.Values["steps"]
	g := v.Subjects["agent 2"]
	if g.N != 2 || g.Mean != 18.5 || g.RMSE != 2 || g.MAE != 2 || *g.MAEAggregate != 1.5 || v.Unpredicted != 4 {
		t.Errorf("%+v, %d unpredicted", g, v.Unpredicted)
	}
	// Squared errors are 4 and 4, those of the aggregate 0 and 9; the differences 4 and −5 have the standard error 4.5.
	if math.Abs(*g.RMSEAggregate-math.Sqrt(4.5)) > 1e-12 || *g.Excess != -0.5 || math.Abs(g.ExcessInterval[1]+0.5-1.96*4.5) > 1e-3 {
		t.Errorf("%+v, interval %v", g, *g.ExcessInterval)
	}
	if pooled := *v.Pooled; pooled.N != 2 || pooled.RMSE != g.RMSE {
		t.Errorf("all together: %+v", pooled)
	}
	if s.Prediction.Pooled.N != 6 {
		t.Errorf("%d binary predictions, want 6", s.Prediction.Pooled.N)
	}
	files, err := s.Files(asCSV)
	if err != nil || !strings.HasPrefix(string(files["values.csv"]), "measure,subject,id,n,mean,rmse,") {
		t.Errorf("values.csv: %q, %v", files["values.csv"], err)
	}
	if x := tableOf(t, s, "values"); x.Rows[0][0].Text() != "steps" {
		t.Errorf("the table is of %v", x.Rows)
	}
}

// TestValuesAmongTrials grades counts among known numbers of trials. Everybody took 17 steps; of s1 they count among 34 trials on the
// fit items and among 68 on the held-out ones, so that its rate predicts 34.
func TestValuesAmongTrials(t *testing.T) {
	in := hand()
	list := in.Public.Responses.List()
	for i := range list[:10] {
		if r := &list[i]; r.Measure == 1 {
			if r.Trials = 34; r.Split == record.HeldOut {
				r.Trials = 68
			}
		}
	}
	in.Public.Responses = record.PackResponses(list)
	infertest.EditPredictions(in.Result, func(all []infer.Prediction) []infer.Prediction {
		return append(all, infer.Prediction{Subject: "s1", Item: "i4", Measure: "steps", P: 30})
	})
	if g := run(t, in).Values["steps"].Subjects["agent 2"]; g.MAE != 13 || *g.MAEAggregate != 17 {
		t.Errorf("errors %v and %v, want 13 and 17", g.MAE, *g.MAEAggregate)
	}
}

// TestNumbersAlone checks that a result without binary measures is graded, and that the predictions of categories are not.
func TestNumbersAlone(t *testing.T) {
	for family, graded := range map[record.Family]bool{record.Real: true, record.Unit: true, record.Choice: false} {
		in := hand()
		in.Public.Manifest.Measures[0].Family = family
		s := run(t, in)
		if s.Prediction != nil || (s.Values != nil) != graded {
			t.Errorf("%s: %+v and %+v", family, s.Prediction, s.Values)
		}
		if noted := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "choices") }); noted == graded {
			t.Errorf("%s: notes are %q", family, s.Notes)
		}
	}
}

// TestValueRefusals checks that predictions of numbers are paired as strictly as those of successes.
func TestValueRefusals(t *testing.T) {
	for p, want := range map[infer.Prediction]string{
		{Subject: "s1", Item: "i4", Measure: "steps", P: math.Inf(1)}: "+Inf is not finite",
		{Subject: "s1", Item: "i1", Measure: "steps", P: 3}:           "no scored response is held out there",
		{Subject: "s1", Item: "i4", Measure: "jumps", P: 3}:           "no scored response is held out there",
	} {
		in := hand()
		infertest.EditPredictions(in.Result, func(all []infer.Prediction) []infer.Prediction { return append(all, p) })
		if _, err := score.Run(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}
