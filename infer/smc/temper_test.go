package smc_test

import (
	"math"
	"testing"

	"achilles/infer/smc"
	"achilles/sim/rng"
)

func TestNextPower(t *testing.T) {
	// The log likelihoods of two points differ by 2: the weights are 1 and w = e^(−2p), the effective size is
	// (1+w)²/(1+w²).
	if got := smc.NextPower([]float64{0, -2}, 0, 0.9); math.Abs(smc.Effective([]float64{0, -2}, got)-1.8) > 1e-3 || smc.Effective([]float64{0, -2}, got) < 1.8 {
		t.Errorf("power %g keeps %g of 2", got, smc.Effective([]float64{0, -2}, got))
	}
	if e := smc.Effective([]float64{0, -2}, math.Ln2/2); math.Abs(e-1.8) > 1e-12 { // w = ½: (3/2)²/(5/4) = 1.8
		t.Errorf("effective size %g, want 1.8", e)
	}
	if e := smc.Effective([]float64{0, 0, -2, -2, -2, 0}, math.Ln2/2); math.Abs(e-6*0.9) > 1e-12 { // three times as many of each
		t.Errorf("effective size %g of points that stay, want 5.4", e)
	}
	for _, c := range []struct {
		name          string
		logL          []float64
		present, want float64
	}{
		{"flat", []float64{3, 3, 3}, 0, 1},
		{"nearly there", []float64{0, -1}, 0.9, 1},
		{"points of zero likelihood do not count", []float64{5, 5, -smc.Inf, -smc.Inf}, 0, 1},
	} {
		if got := smc.NextPower(c.logL, c.present, 0.5); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestResample checks systematic resampling: every index is picked as often as the whole part of its share, or once
// more, and in the mean over many runs as often as its share.
func TestResample(t *testing.T) {
	rng := rng.Stream(1, "resample")
	weights := []float64{0, 1, 2.5, 0, 0.5, 6, 0}
	const n, reps = 7, 20_000 // expected numbers of picks: 0.7, 1.75, 0.35 and 4.2, and 0 for weight 0
	mean := make([]float64, len(weights))
	for range reps {
		count := make([]float64, len(weights))
		picks := smc.Resample(weights, n, &rng)
		if len(picks) != n {
			t.Fatalf("%d picks", len(picks))
		}
		for _, i := range picks {
			count[i]++
		}
		for i, w := range weights {
			share := w * n / 10
			if count[i] < math.Floor(share) || count[i] > math.Ceil(share) {
				t.Fatalf("index %d of share %g picked %g times", i, share, count[i])
			}
			mean[i] += count[i] / reps
		}
	}
	for i, w := range weights {
		if math.Abs(mean[i]-w*n/10) > 6*0.5/math.Sqrt(reps) {
			t.Errorf("index %d picked %g times on average, want %g", i, mean[i], w*n/10)
		}
	}
}

func TestRelativeVarianceByHand(t *testing.T) {
	// Walkers of two steps have mean weights 1, 2 and 3. The sample variance of these three is 1, so that their mean, which
	// is 2, has variance 1/3. Divided by 2² this is 1/12.
	if got := smc.RelativeVariance([]float64{0, 2, 2, 2, 1, 5}, 2); math.Abs(got-1./12) > 1e-15 {
		t.Errorf("relative variance %g, want 1/12", got)
	}
}
