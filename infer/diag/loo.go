package diag

import (
	"math"

	"achilles/sim/num"
)

// LOO has an estimate of how well a model predicts each observation from the other observations.
type LOO struct {
	ELPD float64        // expected log predictive density, summed over the observations
	SE   float64        // standard error of ELPD from the differences between observations, which count as a sample
	MCSE float64        // Monte Carlo standard error of ELPD from the finite number of draws
	P    float64        // effective number of parameters: log density of the observations given all data, minus ELPD
	Each []PointwiseLOO // one for every entry of logLik
}

// PointwiseLOO has the estimate for one observation.
type PointwiseLOO struct {
	ELPD float64 // log predictive density given the other observations
	MCSE float64 // Monte Carlo standard error of ELPD
	P    float64 // contribution to LOO.P
	K    float64 // Pareto shape of the importance weights; +Inf if no distribution can be fitted to them
	ESS  float64 // effective sample size of the weighted draws
}

// KLimit returns the largest Pareto shape at which the estimate from this number of draws is reliable: min(1 −
// 1/log10(draws), 0.7) (Vehtari et al. 2024).
func KLimit(draws int) float64 {
	return min(1-math.Ln10/num.Log(float64(draws)), 0.7)
}

// PSISLOO estimates leave-one-out cross-validation by Pareto smoothed importance sampling (Vehtari, Gelman and Gabry
// 2017, Statistics and Computing 27; Vehtari et al. 2024, JMLR 25). logLik[observation][chain][draw] has the log
// likelihood of each observation at each posterior draw. repeats[i] is the number of equal observations that entry i of
// logLik stands for; nil means 1 for every entry. The estimate for an entry with a log likelihood that is not finite is
// NaN, and so are the sums. PSISLOO panics if repeats is not as long as logLik.
func PSISLOO(logLik [][][]float64, repeats []float64) LOO {
	if repeats != nil && len(repeats) != len(logLik) {
		panic("diag: not as many repeats as observations")
	}
	each := make([]PointwiseLOO, len(logLik))
	for i, chains := range logLik {
		each[i] = leaveOut(chains)
	}
	return SumLOO(each, repeats)
}

// SumLOO returns the estimate for all observations from that of each, with repeats as in PSISLOO.
func SumLOO(each []PointwiseLOO, repeats []float64) LOO {
	out := LOO{Each: each}
	n, variance := 0.0, 0.0
	for i, e := range each {
		r := 1.0
		if repeats != nil {
			r = repeats[i]
		}
		n += r
		out.ELPD += float64(r * e.ELPD)
		out.P += float64(r * e.P)
		variance += float64(float64(r*e.MCSE) * float64(r*e.MCSE)) // r observations share this one error
	}
	out.MCSE = math.Sqrt(variance)
	mean, spread := out.ELPD/n, 0.0
	for i, e := range out.Each {
		r := 1.0
		if repeats != nil {
			r = repeats[i]
		}
		spread += float64(r * (e.ELPD - mean) * (e.ELPD - mean))
	}
	out.SE = math.Sqrt(n * spread / (n - 1))
	return out
}

// leaveOut estimates one observation from the draws, each weighted by the inverse of the observation's likelihood.
func leaveOut(chains [][]float64) PointwiseLOO {
	logs := pool(chains)
	for _, l := range logs {
		if math.IsNaN(l) || math.IsInf(l, 0) {
			nan := math.NaN()
			return PointwiseLOO{nan, nan, nan, nan, nan}
		}
	}
	relative := relativeEfficiency(chains)
	weights := make([]float64, len(logs))
	for i, l := range logs {
		weights[i] = -l
	}
	k := smooth(weights, relative)
	total := num.LogSumExp(weights)
	terms := make([]float64, len(logs))
	squares := 0.0
	for i, l := range logs {
		weights[i] -= total
		terms[i] = weights[i] + l
		squares += num.Exp(2 * weights[i])
	}
	e := PointwiseLOO{ELPD: num.LogSumExp(terms), K: k, ESS: relative / squares}
	e.P = num.LogSumExp(logs) - num.Log(float64(len(logs))) - e.ELPD
	variance := 0.0
	for i, l := range logs {
		d := num.Exp(weights[i]) * num.Expm1(l-e.ELPD)
		variance += float64(d * d)
	}
	e.MCSE = math.Sqrt(variance / relative)
	return e
}

// relativeEfficiency returns the effective sample size for the mean likelihood divided by the number of draws. It
// returns 1 if ESSMean is NaN, for instance for a constant likelihood.
func relativeEfficiency(chains [][]float64) float64 {
	top := math.Inf(-1)
	for _, c := range chains {
		for _, l := range c {
			top = max(top, l)
		}
	}
	ess := ESSMean(transform(chains, func(l float64) float64 { return num.Exp(l - top) }))
	if math.IsNaN(ess) {
		return 1
	}
	return ess / float64(len(chains)*lengthOf(chains))
}

// leastTail is the smallest number of weights to which a Pareto distribution is fitted.
const leastTail = 5

// smooth replaces the largest log weights by the expected order statistics of a Pareto distribution fitted to them, cut
// off at the largest weight. It also subtracts the largest log weight from all log weights. It returns the shape of the
// distribution: 0 if all weights are equal, +Inf if no fit is possible.
func smooth(logWeights []float64, relative float64) float64 {
	n := len(logWeights)
	top := math.Inf(-1)
	for _, w := range logWeights {
		top = max(top, w)
	}
	for i := range logWeights {
		logWeights[i] -= top
	}
	order := ascending(logWeights)
	if logWeights[order[0].at] == 0 {
		return 0
	}
	tail := int(math.Ceil(min(0.2*float64(n), 3*math.Sqrt(float64(n)/relative))))
	if tail < leastTail || tail >= n || logWeights[order[n-tail].at] == 0 {
		return math.Inf(1)
	}
	cutoff := num.Exp(logWeights[order[n-tail-1].at])
	excess := make([]float64, tail)
	for i := range excess {
		excess[i] = num.Exp(logWeights[order[n-tail+i].at]) - cutoff
	}
	fit, ok := fitPareto(excess)
	if !ok {
		return math.Inf(1)
	}
	for i := range excess {
		x := fit.quantile((float64(i)+0.5)/float64(tail)) + cutoff
		logWeights[order[n-tail+i].at] = min(num.Log(x), 0)
	}
	return fit.shape
}
