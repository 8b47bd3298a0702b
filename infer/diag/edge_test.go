package diag_test

import (
	"math"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/rng"
)

func TestEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	constant := [][]float64{{3, 3, 3, 3, 3, 3}, {3, 3, 3, 3, 3, 3}}
	stuck := [][]float64{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}}
	for _, c := range []struct {
		name, why               string
		chains                  [][]float64
		rhat, ess, mcse, mcseSD float64
	}{
		{"none", "no draws, no answer", nil, nan, nan, nan, nan},
		{"one draw", "one draw has no variance", [][]float64{{1}, {2}}, nan, nan, nan, nan},
		{"three draws", "halves of one draw have no variance", [][]float64{{1, 2, 3}, {2, 3, 4}}, nan, nan, nan, nan},
		{"NaN", "an undefined draw spoils all", [][]float64{{1, nan, 3, 4, 5, 6}}, nan, nan, nan, nan},
		{"infinite", "so does an infinite one", [][]float64{{1, inf, 3, 4, 5, 6}}, nan, nan, nan, nan},
		{"constant", "a constant is known exactly or never moved: the draws cannot tell", constant, nan, nan, nan, nan},
		// The variance between the halves' means 1, 1, 2, 2 is 1/3, the variance within is 0. Then τ = −1 + 2·2 (lags 0,
		// 1) + 0 = 3, and the ESS is 12/3.
		{"stuck", "each chain stands at its own value", stuck, inf, 12. / 4, math.Sqrt(0.25 * 12 / 11 / 3), 0},
	} {
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"RHat", diag.Summarise(c.chains).RHat, c.rhat}, {"ESSMean", diag.ESSMean(c.chains), c.ess}, {"MCSEMean", diag.MCSEMean(c.chains), c.mcse},
			{"MCSESD", diag.MCSESD(c.chains), c.mcseSD},
		} {
			if !(near(f.got, f.want, 1e-12) || math.IsNaN(f.got) && math.IsNaN(f.want)) {
				t.Errorf("%s (%s): %s = %g, want %g", c.name, c.why, f.name, f.got, f.want)
			}
		}
		diag.Summarise(c.chains) // must not panic
	}
}

func TestUnequalLengthsPanic(t *testing.T) {
	defer func() {
		if r := recover(); r != "diag: chains of different lengths" {
			t.Errorf("recovered %v", r)
		}
	}()
	diag.Summarise([][]float64{{1, 2, 3, 4}, {1, 2, 3}})
}

func TestQuantileByHand(t *testing.T) {
	chains := [][]float64{{4, 1}, {3, 2}}
	for _, c := range []struct{ p, want float64 }{{0, 1}, {1, 4}, {0.5, 2.5}, {0.25, 1.75}, {0.9, 3.7}} {
		if got := quantile(chains, c.p); !near(got, c.want, 1e-15) {
			t.Errorf("quantile %g of 1, 2, 3, 4 is %g, want %g", c.p, got, c.want)
		}
	}
}

func TestEBFMIByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		energy []float64
		want   float64
	}{
		{"steps 1 and 4, spread 42/9", []float64{1, 2, 4}, 15. / 14},
		{"one energy", []float64{1}, math.NaN()},
		{"constant", []float64{2, 2, 2}, math.NaN()},
		{"infinite", []float64{2, math.Inf(1), 2}, math.NaN()},
	} {
		got := diag.EBFMI(c.energy)
		if !(near(got, c.want, 1e-15) || math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestTailShape checks that draws with a variance are below the limit of shapes and those of a Cauchy distribution, whose shape is 1,
// above, in either tail. The estimate from 190 tail draws has an SD of about 2/√190 = .15, so that 2 % of the Cauchy samples are expected
// below; five or more of 50 have a probability of .003.
func TestTailShape(t *testing.T) {
	missed := 0
	for seed := range uint64(50) {
		r := rng.Stream(501+seed, "tails")
		normal, cauchy, left := make([][]float64, 4), make([][]float64, 4), make([][]float64, 4)
		for c := range normal {
			for range 1000 {
				normal[c] = append(normal[c], r.Norm())
				cauchy[c] = append(cauchy[c], math.Abs(r.Norm()/r.Norm()))
				left[c] = append(left[c], -cauchy[c][len(cauchy[c])-1])
			}
		}
		if k, n := diag.TailShape(normal); k > 0.4 || n != 4000 {
			t.Errorf("seed %d: shape %.2f of %d normal draws", 501+seed, k, n)
		}
		for _, draws := range [][][]float64{cauchy, left} {
			if k, n := diag.TailShape(draws); k < diag.KLimit(n) {
				missed++
			}
		}
	}
	if missed > 2*4 { // each sample is looked at twice
		t.Errorf("%d of 100 tails of Cauchy draws are taken for light", missed)
	}
	for _, draws := range [][][]float64{nil, {{}}, {{1, 2}}, {make([]float64, 100), make([]float64, 100)}} {
		if k, _ := diag.TailShape(draws); !math.IsInf(k, -1) {
			t.Errorf("shape %v of %v", k, draws)
		}
	}
}
