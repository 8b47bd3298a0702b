package diag

import "math"

// RHat returns the rank-normalised split R-hat: the larger of that of the draws, which sees chains in different
// places, and that of the folded draws, which sees chains of different widths. Above 1.01 the chains disagree. It
// is at least about 1 − 1/draws, +Inf when each chain stands still at a value of its own, and NaN for fewer than
// four draws, a draw that is not finite, or draws that are all the same.
func RHat(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	return max(potentialScale(normalScores(split(chains))), potentialScale(normalScores(split(fold(chains)))))
}

// potentialScale is the square root of the total over the within-chain variance (Gelman and Rubin 1992, in the form
// of Vehtari et al. 2021, equations 1–4). Folded draws that are all the same do not disagree: 1.
func potentialScale(chains [][]float64) float64 {
	n := float64(lengthOf(chains))
	means := make([]float64, len(chains))
	within := 0.0
	for i, c := range chains {
		m, v := moments(c)
		means[i] = m
		within += v / float64(len(chains))
	}
	_, between := moments(means)
	if between == 0 && within == 0 {
		return 1
	}
	return math.Sqrt(between/within + (n-1)/n)
}
