package diag

import (
	"math"
	"slices"
	"sort"

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

// SummariseEach returns the summaries of n quantities with equally many draws. All figures except mean, standard deviation and quantiles are NaN if a
// chain has fewer than four draws, if a draw is not finite, or if all draws are equal.
func SummariseEach(n int, quantity func(k int) (chains [][]float64)) []Summary {
	out, ranks := make([]Summary, n), &ranker{}
	for k := range out {
		out[k] = summarise(quantity(k), ranks)
	}
	return out
}

// Column returns quantity k of draws [chain][draw][quantity], as [chain][draw].
func Column(draws [][][]float64, k int) [][]float64 {
	out := make([][]float64, len(draws))
	for c, chain := range draws {
		out[c] = make([]float64, len(chain))
		for i, x := range chain {
			out[c][i] = x[k]
		}
	}
	return out
}

// RHat returns Summary.RHat.
func RHat(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	ranks := &ranker{}
	h := orderHalves(chains)
	bulk, folded := h.scales(ranks.normalScores(h.order, h.each), num.SortedQuantile(h.sorted(chains), 0.5), ranks)
	return max(bulk, folded)
}

// halves has the halves of chains, and their draws in ascending order.
type halves struct {
	each  [][]float64
	all   []float64 // pool of each
	order []place   // of all
}

func orderHalves(chains [][]float64) halves {
	each := split(chains)
	all := pool(each)
	return halves{each, all, ascending(all)}
}

// sorted returns the draws of the chains in ascending order, with those between the halves.
func (h *halves) sorted(chains [][]float64) []float64 {
	if lengthOf(chains)%2 != 0 {
		all := pool(chains)
		slices.Sort(all)
		return all
	}
	out := make([]float64, len(h.order))
	for i, p := range h.order {
		out[i] = h.all[p.at]
	}
	return out
}

// folded returns the places of the draws' distances from the median in ascending order of the distance. It merges the draws below and
// above the median.
func (h *halves) folded(median float64) []place {
	out := make([]place, 0, len(h.order))
	next := func(i int) (distance float64, p place) {
		p = h.order[i]
		distance = math.Abs(h.all[p.at] - median)
		return distance, place{math.Float64bits(distance), p.at}
	}
	above := sort.Search(len(h.order), func(i int) bool { return h.all[h.order[i].at] >= median })
	below := above - 1
	for below >= 0 || above < len(h.order) {
		var near, far place
		down, up := math.Inf(1), math.Inf(1)
		if below >= 0 {
			down, near = next(below)
		}
		if above < len(h.order) {
			up, far = next(above)
		}
		if above == len(h.order) || below >= 0 && down <= up {
			out = append(out, near)
			below--
		} else {
			out = append(out, far)
			above++
		}
	}
	return out
}

// scales returns Summary.RHatBulk and Summary.RHatFolded. scores are the normal scores of the halves, and median is the median of all
// draws.
func (h *halves) scales(scores [][]float64, median float64, ranks *ranker) (bulk, folded float64) {
	return potentialScale(scores), potentialScale(ranks.normalScores(h.folded(median), h.each))
}

func summarise(chains [][]float64, ranks *ranker) Summary {
	if !judgeable(chains) {
		return Describe(chains)
	}
	h := orderHalves(chains)
	s := describe(chains, h.sorted(chains))
	scores := ranks.normalScores(h.order, h.each)
	s.RHatBulk, s.RHatFolded = h.scales(scores, s.Q50, ranks)
	s.RHat = max(s.RHatBulk, s.RHatFolded)
	s.ESSBulk = effective(scores)
	s.ESSTail = min(essBelow(chains, s.Q5), essBelow(chains, s.Q95))
	s.ESSMean = effective(h.each)
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	s.MCSESD = MCSESD(chains)
	return s
}

// Describe returns mean, standard deviation and quantiles of one quantity. All other figures are NaN.
func Describe(chains [][]float64) Summary {
	all := pool(chains)
	slices.Sort(all)
	return describe(chains, all)
}

// describe does Describe's work. sorted has all draws in ascending order.
func describe(chains [][]float64, sorted []float64) (s Summary) {
	mean, variance := momentsOf(chains)
	s.Mean, s.SD = mean, math.Sqrt(variance)
	for _, q := range []struct {
		to *float64
		p  float64
	}{{&s.Q5, 0.05}, {&s.Q25, 0.25}, {&s.Q50, 0.5}, {&s.Q75, 0.75}, {&s.Q95, 0.95}} {
		*q.to = num.SortedQuantile(sorted, q.p)
	}
	nan := math.NaN()
	s.MCSEMean, s.MCSESD, s.ESSMean, s.ESSBulk, s.ESSTail, s.RHat, s.RHatBulk, s.RHatFolded = nan, nan, nan, nan, nan, nan, nan, nan
	return s
}
