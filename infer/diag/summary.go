package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// Summary describes the draws of one quantity.
type Summary struct {
	Mean, SD               float64
	MCSEMean, MCSESD       float64
	Q5, Q25, Q50, Q75, Q95 float64
	ESSMean                float64 // effective sample size behind MCSEMean: of the draws without ranks
	ESSBulk                float64 // of the rank-normalised draws: how well their centre is known, whatever their distribution
	ESSTail                float64 // the smaller of those of the 5 % and the 95 % quantile

	// RHat is the rank-normalised split R-hat, the larger of that of the draws, which sees chains in different places, and
	// that of the folded draws, which sees chains of different widths. Above 1.01 the chains disagree. It is at least about
	// 1 − 1/draws, and +Inf when each chain stays at a value of its own.
	RHat                 float64
	RHatBulk, RHatFolded float64
}

// Summarise returns the summary of one quantity. Every figure but mean, standard deviation and quantiles is NaN for
// fewer than four draws a chain, a draw that is not finite, or draws that are all the same.
func Summarise(chains [][]float64) Summary {
	var s Summary
	all := pool(chains)
	s.Mean = Mean(chains)
	s.SD = SD(chains)
	slices.Sort(all)
	for _, q := range []struct {
		to *float64
		p  float64
	}{{&s.Q5, 0.05}, {&s.Q25, 0.25}, {&s.Q50, 0.5}, {&s.Q75, 0.75}, {&s.Q95, 0.95}} {
		*q.to = num.SortedQuantile(all, q.p)
	}
	nan := math.NaN()
	s.MCSEMean, s.MCSESD, s.ESSMean, s.ESSBulk, s.ESSTail, s.RHat, s.RHatBulk, s.RHatFolded = nan, nan, nan, nan, nan, nan, nan, nan
	if !judgeable(chains) {
		return s
	}
	halves := split(chains)
	scores := normalScores(halves)
	s.RHatBulk, s.RHatFolded = potentialScale(scores), potentialScale(normalScores(split(fold(chains))))
	s.RHat = max(s.RHatBulk, s.RHatFolded)
	s.ESSBulk = effective(scores)
	s.ESSTail = min(essBelow(chains, s.Q5), essBelow(chains, s.Q95))
	s.ESSMean = effective(halves)
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	s.MCSESD = MCSESD(chains)
	return s
}
