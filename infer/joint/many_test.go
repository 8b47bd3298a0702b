package joint_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestWhitened checks the gradient of the density in which chains move where items are summed out, and that the coordinates of what is kept are those
// it was converted from.
func TestWhitened(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 3, 24, "whitened")
	d, there, back, err := joint.NewWhitened(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "whitened")
	x, kept, again := make([]float64, d.Dim()), make([]float64, d.Dim()), make([]float64, d.Dim())
	for range 3 {
		for i := range x {
			x[i] = r.Norm()
		}
		infertest.CheckGradient(t, d, x, 1e-6)
		d.Constrain(x, kept)
		back(there(kept), again)
		for i := range kept {
			if !(math.Abs(again[i]-kept[i]) <= 1e-9*(1+math.Abs(kept[i]))) {
				t.Errorf("value %d is %g, and %g by way of its coordinates", i, kept[i], again[i])
			}
		}
	}
}

// TestFewOfMany checks that items, or subjects, are summed out where they are many: draws have all values, the same bits for any number of goroutines,
// and chains agree with each other.
func TestFewOfMany(t *testing.T) {
	t.Run("items", func(t *testing.T) { fewOfMany(t, 3, 400, joint.SampleFew) })
	t.Run("subjects", func(t *testing.T) { fewOfMany(t, 400, 3, joint.SampleFewItems) })
}

// fewOfMany is TestFewOfMany of one side.
func fewOfMany(t *testing.T, subjects, items int, few func(context.Context, *layout.Cells, posterior.Config) (*posterior.Posterior, error)) {
	_, j, c := simulated(t, hierarchical, subjects, items, "few")
	config := joint.Default()
	config.Chains, config.Warmup, config.Draws = 2, 60, 60
	var all []*posterior.Posterior
	for _, config.Jobs = range []int{1, 2} {
		sample := few
		if config.Jobs > 1 {
			sample = func(ctx context.Context, c *layout.Cells, config posterior.Config) (*posterior.Posterior, error) {
				return joint.Fit(ctx, c, config, 1, "few")
			}
		}
		p, err := sample(t.Context(), c, config)
		if err != nil || p == nil {
			t.Fatalf("%v, error %v", p, err)
		}
		all = append(all, p)
	}
	if n := len(all[0].Parameters); n != j.Len() || len(all[0].Summaries) != n {
		t.Fatalf("%d parameters with %d summaries, want %d", n, len(all[0].Summaries), j.Len())
	}
	for i, chain := range all[0].Draws {
		for k, theta := range chain {
			if !slices.Equal(theta, all[1].Draws[i][k]) {
				t.Fatalf("chain %d, draw %d differs", i, k)
			}
		}
	}
	for k, s := range all[0].Summaries {
		if !(s.RHat < 1.2 && s.SD > 0) { // 120 draws of 806 values
			t.Errorf("%s: SD %g, R-hat %g", all[0].Parameters[k], s.SD, s.RHat)
		}
	}
}

// TestFewAgainstWhole compares the means and SDs of all values of tables of 8 × 60 with those of NUTS on the whole: |z| ≤ 5 of 2 · 131 numbers each,
// which has a false alarm in one of 3,000 runs.
func TestFewAgainstWhole(t *testing.T) {
	longtest.Only(t, "takes a minute")
	_, _, c := simulated(t, hierarchical, 8, 60, "against")
	config := joint.Default()
	config.Jobs = 2
	p, err := joint.SampleFew(t.Context(), c, config)
	if err != nil || p == nil {
		t.Fatalf("%v, error %v", p, err)
	}
	q, err := joint.FitWhole(t.Context(), c, config)
	if err != nil {
		t.Fatal(err)
	}
	worst, worstSD := 0.0, 0.0
	for k, a := range p.Summaries {
		b := q.Summaries[k]
		z := math.Abs(a.Mean-b.Mean) / math.Hypot(a.MCSEMean, b.MCSEMean)
		zs := math.Abs(a.SD-b.SD) / math.Hypot(a.MCSESD, b.MCSESD)
		worst, worstSD = max(worst, z), max(worstSD, zs)
		if !(z <= 5 && zs <= 5 && a.RHat <= 1.02 && b.RHat <= 1.02) {
			t.Errorf("%s is %.3f ± %.3f (R-hat %.3f), by NUTS on the whole %.3f ± %.3f: z = %.1f and %.1f", p.Parameters[k], a.Mean, a.SD, a.RHat, b.Mean, b.SD, z, zs)
		}
	}
	t.Logf("worst z %.1f of means, %.1f of SDs; %d and %d gradients; warnings %v", worst, worstSD, p.Work.Gradients, q.Work.Gradients, p.Warnings)
}
