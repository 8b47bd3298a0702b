package diag

import (
	"math"
	"slices"

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
	each, l := make([]PointwiseLOO, len(logLik)), &leaver{}
	for i, chains := range logLik {
		each[i] = l.leaveOut(chains)
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

// mostNats is the largest difference, in nats, between two log likelihoods of an observation that counts. Beyond it the weights of
// draws would underflow.
const mostNats = 600

// A leaver has memory for observations that are left out one after another.
type leaver struct {
	logs, likelihoods, weights, excess []float64
	sorter                             sorter
}

// leaveOut estimates one observation from the draws, each weighted by the inverse of the observation's likelihood.
func (o *leaver) leaveOut(chains [][]float64) PointwiseLOO {
	o.logs = o.logs[:0]
	for _, c := range chains {
		o.logs = append(o.logs, c...)
	}
	logs := o.logs
	low, top := math.Inf(1), math.Inf(-1)
	for _, l := range logs {
		if math.IsNaN(l) || math.IsInf(l, 0) {
			nan := math.NaN()
			return PointwiseLOO{nan, nan, nan, nan, nan}
		}
		low, top = min(low, l), max(top, l)
	}
	low = max(low, top-mostNats)
	o.likelihoods, o.weights = slices.Grow(o.likelihoods[:0], len(logs))[:len(logs)], slices.Grow(o.weights[:0], len(logs))[:len(logs)]
	likelihoods, weights := o.likelihoods, o.weights // relative to the largest
	for i, l := range logs {
		l = max(l, low)
		likelihoods[i], weights[i] = l-top, low-l
	}
	num.ExpEach(likelihoods)
	num.ExpEach(weights)
	relative := relativeEfficiency(likelihoods, len(chains))
	k := o.smooth(weights, relative)
	all, total, weighted := 0.0, 0.0, 0.0
	for i, w := range weights {
		all += likelihoods[i]
		total += w
		weighted += float64(w * likelihoods[i])
	}
	mean := weighted / total
	squares, variance := 0.0, 0.0
	for i, w := range weights {
		w /= total
		d := float64(w * (likelihoods[i]/mean - 1))
		squares += float64(w * w)
		variance += float64(d * d)
	}
	e := PointwiseLOO{ELPD: num.Log(mean) + top, K: k, ESS: relative / squares, MCSE: math.Sqrt(variance / relative)}
	e.P = num.Log(all/float64(len(logs))) - num.Log(mean)
	return e
}

// relativeEfficiency returns the effective sample size for the mean likelihood divided by the number of draws. likelihoods has chain
// after chain. It returns 1 if ESSMean is NaN, for instance for a constant likelihood.
func relativeEfficiency(likelihoods []float64, chains int) float64 {
	each := make([][]float64, chains)
	n := len(likelihoods) / chains
	for i := range each {
		each[i] = likelihoods[i*n : (i+1)*n]
	}
	ess := ESSMean(each)
	if math.IsNaN(ess) {
		return 1
	}
	return ess / float64(len(likelihoods))
}

// leastTail is the smallest number of weights to which a Pareto distribution is fitted.
const leastTail = 5

// smooth replaces the largest weights by the expected order statistics of a Pareto distribution fitted to them, cut off at the largest
// weight, which is 1. It returns the shape of the distribution: 0 if all weights are equal, +Inf if no fit is possible.
func (o *leaver) smooth(weights []float64, relative float64) float64 {
	n := len(weights)
	order := o.sorter.ascending(weights)
	if weights[order[0].at] == 1 {
		return 0
	}
	tail := int(math.Ceil(min(0.2*float64(n), 3*math.Sqrt(float64(n)/relative))))
	if tail < leastTail || tail >= n || weights[order[n-tail].at] == 1 {
		return math.Inf(1)
	}
	cutoff := weights[order[n-tail-1].at]
	o.excess = slices.Grow(o.excess[:0], tail)[:tail]
	excess := o.excess
	for i := range excess {
		excess[i] = weights[order[n-tail+i].at] - cutoff
	}
	fit, ok := fitPareto(excess)
	if !ok {
		return math.Inf(1)
	}
	for i := range excess {
		x := fit.quantile((float64(i)+0.5)/float64(tail)) + cutoff
		weights[order[n-tail+i].at] = min(x, 1)
	}
	return fit.shape
}
