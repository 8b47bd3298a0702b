package diag

import (
	"achilles/sim/num"
	"math"
)

// potentialScale returns the square root of the ratio of the total variance to the variance within chains (Gelman and
// Rubin 1992, in the form of Vehtari et al. 2021, equations 1–4). It returns 1 if all draws are equal, which is possible
// for folded draws.
func potentialScale(chains [][]float64) float64 {
	n := float64(lengthOf(chains))
	means := make([]float64, len(chains))
	within := 0.0
	for i, c := range chains {
		m, v := num.Moments(c)
		means[i] = m
		within += v / float64(len(chains))
	}
	_, between := num.Moments(means)
	if between == 0 && within == 0 {
		return 1
	}
	return math.Sqrt(between/within + (n-1)/n)
}
