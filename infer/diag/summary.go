package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A Summary describes the draws of one quantity.
type Summary struct {
	Mean, SD               float64
	MCSEMean, MCSESD       float64
	Q5, Q25, Q50, Q75, Q95 float64
	ESSMean                float64 // effective sample size for the mean, from the draws themselves and not their ranks
	ESSBulk                float64 // effective sample size of the rank-normalised draws; says how well the centre is known
	ESSTail                float64 // the smaller of the effective sample sizes for the 5 % and the 95 % quantile

	// RHatBulk is the split R-hat of the rank-normalised draws; it is large if chains are in different places. RHatFolded is
	// the split R-hat of the draws' distances from their median; it is large if chains have different widths. RHat is the
	// larger of the two. Above 1.01 the chains disagree. RHat is at least about 1 − 1/draws, and +Inf if each chain stays at
	// its own value.
	RHat                 float64
	RHatBulk, RHatFolded float64
}

// Summarise returns the summary of one quantity. All figures except mean, standard deviation and quantiles are NaN if a
// chain has fewer than four draws, if a draw is not finite, or if all draws are equal.
func Summarise(chains [][]float64) Summary { return summarise(chains, &ranker{}) }

// SummariseEach returns the summaries of n quantities with equally many draws.
func SummariseEach(n int, quantity func(k int) (chains [][]float64)) []Summary {
	out, ranks := make([]Summary, n), &ranker{}
	for k := range out {
		out[k] = summarise(quantity(k), ranks)
	}
	return out
}

// RHat returns Summary.RHat.
func RHat(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	ranks := &ranker{}
	bulk, folded := splitScales(chains, ranks.normalScores(split(chains)), Quantile(chains, 0.5), ranks)
	return max(bulk, folded)
}

// splitScales returns Summary.RHatBulk and Summary.RHatFolded. scores are the normal scores of the halves of the chains,
// and median is the median of all draws.
func splitScales(chains, scores [][]float64, median float64, ranks *ranker) (bulk, folded float64) {
	return potentialScale(scores), potentialScale(ranks.normalScores(split(fold(chains, median))))
}

func summarise(chains [][]float64, ranks *ranker) Summary {
	s := Describe(chains)
	if !judgeable(chains) {
		return s
	}
	halves := split(chains)
	scores := ranks.normalScores(halves)
	s.RHatBulk, s.RHatFolded = splitScales(chains, scores, s.Q50, ranks)
	s.RHat = max(s.RHatBulk, s.RHatFolded)
	s.ESSBulk = effective(scores)
	s.ESSTail = min(essBelow(chains, s.Q5), essBelow(chains, s.Q95))
	s.ESSMean = effective(halves)
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	s.MCSESD = MCSESD(chains)
	return s
}

// Describe returns mean, standard deviation and quantiles of one quantity. All other figures are NaN.
func Describe(chains [][]float64) Summary {
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
	return s
}
