package smc_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/smc"
)

func TestCombineByHand(t *testing.T) {
	run := func(evidence, relative float64) *smc.Population {
		return &smc.Population{LogEvidence: math.Log(evidence), LogEvidenceError: relative}
	}
	for _, c := range []struct {
		name             string
		runs             []*smc.Population
		evidence, relerr float64
	}{
		{"one", []*smc.Population{run(5, 0.2)}, 5, 0.2},
		// The mean is 2, the relative deviations ±½, and the variance of the mean (½² + ½²)/(2·1) = ¼.
		{"one and three", []*smc.Population{run(1, 0), run(3, 0)}, 2, 0.5},
		// There is no spread. The runs' own errors 0.3 and 0.4, each of half the mean, give √(0.15² + 0.2²) = ¼.
		{"equal", []*smc.Population{run(2, 0.3), run(2, 0.4)}, 2, 0.25},
	} {
		log, e := smc.Combine(c.runs)
		if math.Abs(log-math.Log(c.evidence)) > 1e-12 || math.Abs(e-c.relerr) > 1e-12 {
			t.Errorf("%s: log evidence %g ± %g, want log %g ± %g", c.name, log, e, c.evidence, c.relerr)
		}
	}
}

// TestCombineIsHonest checks the standard error from six runs. The square of Student's t with 5 degrees of freedom has
// mean 1.7; its mean over 20 replications lies outside 0.3 … 7 with probability below 1e-5.
func TestCombineIsHonest(t *testing.T) {
	target := binomial(40, 7, 1)
	zz := 0.0
	const reps, runs = 20, 6
	for i := range reps {
		var ps []*smc.Population
		for j := range runs {
			ps = append(ps, run(t, target, smc.Default(), 7, "combine", fmt.Sprint(i), fmt.Sprint(j)))
		}
		log, e := smc.Combine(ps)
		z := (log + math.Log(41)) / e
		zz += z * z / reps
	}
	if zz < 0.3 || zz > 7 {
		t.Errorf("squared errors average %.2f squared standard errors", zz)
	}
}
