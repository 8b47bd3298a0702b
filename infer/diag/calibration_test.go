package diag_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/rng"
)

// autoregressive draws stationary normal chains with autocorrelation rho^lag. Their ESS for the mean is n(1−ρ)/(1+ρ).
func autoregressive(r *rng.Rand, chains, draws int, rho float64) [][]float64 {
	out := make([][]float64, chains)
	for i := range out {
		x := r.Norm()
		for range draws {
			out[i] = append(out[i], x)
			x = rho*x + math.Sqrt(1-rho*rho)*r.Norm()
		}
	}
	return out
}

// TestKnownESS checks that the mean estimate over 50 replications lies within 4 % of the exact ESS. The estimate from
// one replication has a standard deviation of 3–7 %, so that the mean of the 50 estimates has one of 0.4–1 %. The rest
// of the 4 % allows for the known bias from truncating the correlogram.
func TestKnownESS(t *testing.T) {
	const reps, chains, draws = 50, 4, 2000
	for _, rho := range []float64{-0.5, 0, 0.5, 0.9} {
		r := rng.Stream(11, "known-ess", fmt.Sprint(rho))
		mean, bulk := 0.0, 0.0
		for range reps {
			c := autoregressive(&r, chains, draws, rho)
			mean += diag.ESSMean(c) / reps
			bulk += diag.Summarise(c).ESSBulk / reps
		}
		want := chains * draws * (1 - rho) / (1 + rho)
		if math.Abs(mean/want-1) > 0.04 || math.Abs(bulk/want-1) > 0.04 {
			t.Errorf("ρ = %g: mean ESS %.0f, bulk %.0f, exact %.0f", rho, mean, bulk, want)
		}
	}
}

// TestStandardErrorsAreHonest divides the error of each estimate by its MCSE. Over independent replications the squares
// must average 1. With 600 replications the mean square has standard error √(2/600) = 0.058. The tolerance 0.35 is six
// of these, with a margin because MCSEs are themselves estimates.
func TestStandardErrorsAreHonest(t *testing.T) {
	const reps = 600
	r := rng.Stream(12, "honest")
	square := map[string]float64{}
	for range reps {
		c := autoregressive(&r, 4, 500, 0.6)
		z := map[string]float64{
			"mean": mean(c) / diag.MCSEMean(c),
			"sd":   (sd(c) - 1) / diag.MCSESD(c),
		}
		for k, v := range z {
			square[k] += v * v / reps
		}
	}
	for k, v := range square {
		if math.Abs(v-1) > 0.35 {
			t.Errorf("the squared errors of the %s average %.2f squared MCSEs", k, v)
		}
	}
}

// TestLaws checks three laws over 200 seeds: bulk ESS does not change under a monotone map, the order of the chains does
// not matter, and a chain 20 sd away gives a large R-hat and a small ESS.
func TestLaws(t *testing.T) {
	for root := range uint64(200) {
		r := rng.Stream(root, "laws")
		c := autoregressive(&r, 3, 40+r.IntN(20), 0.3)
		rhat, ess := diag.Summarise(c).RHat, diag.Summarise(c).ESSBulk
		swapped := [][]float64{c[2], c[0], c[1]}
		monotone := [][]float64{nil, nil, nil}
		for i := range c {
			for _, x := range c[i] {
				monotone[i] = append(monotone[i], math.Exp(3*x))
			}
		}
		if !near(diag.Summarise(monotone).ESSBulk, ess, 1e-12) {
			t.Errorf("seed %d: bulk ESS changed from %g to %g under a monotone map", root, ess, diag.Summarise(monotone).ESSBulk)
		}
		if !near(diag.Summarise(swapped).RHat, rhat, 1e-12) || !near(diag.Summarise(swapped).ESSBulk, ess, 1e-12) {
			t.Errorf("seed %d: the order of the chains matters", root)
		}
		far := [][]float64{c[0], c[1], nil}
		for _, x := range c[2] {
			far[2] = append(far[2], x+20)
		}
		if diag.Summarise(far).RHat < 1.5 || diag.Summarise(far).ESSBulk > 10 {
			t.Errorf("seed %d: a chain 20 sd away gives R-hat %g and ESS %g", root, diag.Summarise(far).RHat, diag.Summarise(far).ESSBulk)
		}
	}
}

func BenchmarkSummarise(b *testing.B) {
	r := rng.Stream(1, "benchmark")
	c := autoregressive(&r, 4, 1000, 0.5)
	b.ReportAllocs()
	for b.Loop() {
		diag.Summarise(c)
	}
}
