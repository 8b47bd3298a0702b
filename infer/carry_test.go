package infer_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/infer/infertest"
	"achilles/infer/layout"
)

// drawsOfSkill are draws of the skill of a.
func drawsOfSkill(values ...float64) *infertest.Draws {
	d := &infertest.Draws{Names: []string{"skill"}}
	for i, x := range values {
		d.Add("a", 0, int32(i), x)
	}
	return d
}

// TestCarriedPriors infers with priors that were carried over. Subject a passes one item of two, so that a beta(8, 4) of its rate
// becomes a beta(9, 5), whose mean is 9/14 and whose SD √(45/(14²·15)) = 0.124; b passes one of one by the layout's own prior: 2/3.
func TestCarriedPriors(t *testing.T) {
	for _, prior := range []string{"beta(1, 1)", "uniform(0, 1)"} {
		public, res, l := unseenCase(t, strings.NewReplacer("normal(0, 1)", prior, "logistic(skill - demand)", "skill*logistic(100*demand + 50)").Replace(logisticLayout))
		j := infer.Job{Settings: infer.Default(l), Layout: l}
		j.Draws, j.Warmup = 1000, 500
		j.Carried = []infer.Carried{{Subject: "a", Priors: []layout.Carried{{Parameter: "skill", Args: [2]float64{8, 4}}}}}
		got, err := infer.Run(context.Background(), public, j, sink(), sink())
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{9. / 14, 2. / 3} {
			if p := got.Profiles[i]; math.Abs(p.Mean-want) > 4*0.24/math.Sqrt(400) || p.Parameter != "skill" { // 4 SE at an ESS of 400
				t.Errorf("%s: %s of %s is %g, want %g", prior, p.Parameter, p.Subject, p.Mean, want)
			}
		}
		if sd := got.Profiles[0].SD; math.Abs(sd-0.1238) > 0.01 {
			t.Errorf("%s: SD %g", prior, sd)
		}
		// carried over from the draws 0.5 and 0.75 of a
		res.Draws = drawsOfSkill(0.5, 0.75)
		carried, lost, err := infer.Carry(public, res, l)
		if err != nil || len(carried) != 1 || carried[0].Subject != "a" || len(lost.Rows) != 1 {
			t.Fatalf("%v, %v, %v", carried, lost, err)
		}
		if a, b := carried[0].Priors[0].Args[0], carried[0].Priors[0].Args[1]; math.Abs(a/(a+b)-0.625) > 1e-12 {
			t.Errorf("%s: carried over as beta(%g, %g)", prior, a, b)
		}
		j.Bank = &compare.Source{}
		if err := j.Check(true, false); err == nil || !strings.Contains(err.Error(), "candidate models have priors of their own") {
			t.Error(err)
		}
		res.Draws = drawsOfSkill(2, 3)
		if _, _, err := infer.Carry(public, res, l); err == nil || !strings.Contains(err.Error(), "subject a: the draws of skill are not within its prior "+prior) {
			t.Error(err)
		}
	}
}
