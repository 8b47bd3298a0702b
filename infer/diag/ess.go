package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// ESSBulk returns the effective sample size of the rank-normalised draws: how well their centre is known whatever
// their distribution. NaN as RHat.
func ESSBulk(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	return effective(normalScores(split(chains)))
}

// ESSTail returns the smaller of the effective sample sizes of the 5 % and the 95 % quantile. NaN as RHat.
func ESSTail(chains [][]float64) float64 {
	return min(ESSQuantile(chains, 0.05), ESSQuantile(chains, 0.95))
}

// ESSQuantile returns the effective sample size of the p-quantile: that of the indicator of lying at or below it.
// NaN as RHat, and when all draws lie at or below it. It panics for p outside [0, 1].
func ESSQuantile(chains [][]float64, p float64) float64 {
	q := Quantile(chains, p)
	if !judgeable(chains) {
		return math.NaN()
	}
	return essBelow(chains, q)
}

func essBelow(chains [][]float64, q float64) float64 {
	return essOf(transform(chains, func(x float64) float64 {
		if x <= q {
			return 1
		}
		return 0
	}))
}

// ESSMean returns the effective sample size of the mean: that of the draws as they are. NaN as RHat.
func ESSMean(chains [][]float64) float64 { return essOf(chains) }

func essOf(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	return effective(split(chains))
}

// effective is draws·chains/τ, τ the integrated autocorrelation time over all chains (Vehtari et al. 2021,
// equations 10–12), which also counts the variance between chains. τ is at least 1/log10(draws·chains), so that
// antithetic chains are not credited without limit.
func effective(chains [][]float64) float64 {
	total := float64(len(chains) * lengthOf(chains))
	return total / max(autocorrelationTime(chains), math.Ln10/num.Log(total))
}

// autocorrelationTime sums the autocorrelations by Geyer's (1992) initial monotone sequence: pairs of lags are added
// while positive, each cut down to the least before it. The even lag of the first pair left out still counts where
// positive, which steadies the estimate for antithetic chains.
func autocorrelationTime(chains [][]float64) float64 {
	rho := newCorrelogram(chains)
	n := lengthOf(chains)
	tau, least := -1.0, math.Inf(1)
	for lag := 0; ; lag += 2 {
		even := rho.at(lag)
		if lag > 0 && lag >= n-5 { // the last lags rest on a few products only
			return tau + max(even, 0)
		}
		pair := even + rho.at(lag+1)
		if !(pair > 0) {
			return tau + max(even, 0)
		}
		least = min(least, pair)
		tau += 2 * least
	}
}

// correlogram gives the autocorrelation of several chains about their own means, relative to the variance over all
// of them. Lags are computed when asked for: chains that mix need a few.
type correlogram struct {
	centred       [][]float64
	within, total float64 // mean variance of the chains, and variance estimate over all of them
}

func newCorrelogram(chains [][]float64) *correlogram {
	g := &correlogram{centred: make([][]float64, len(chains))}
	n := float64(lengthOf(chains))
	means := make([]float64, len(chains))
	for i, c := range chains {
		m, v := moments(c)
		means[i] = m
		g.within += v / float64(len(chains))
		g.centred[i] = slices.Clone(c)
		for j := range g.centred[i] {
			g.centred[i][j] -= m
		}
	}
	g.total = g.within * (n - 1) / n
	if len(chains) > 1 {
		_, between := moments(means)
		g.total += between
	}
	return g
}

func (g *correlogram) at(lag int) float64 {
	if lag == 0 {
		return 1
	}
	sum := 0.0
	for _, c := range g.centred {
		later := c[lag:]
		s := 0.0
		for i, x := range later {
			s += float64(c[i] * x)
		}
		sum += s / float64(len(c))
	}
	return 1 - (g.within-sum/float64(len(g.centred)))/g.total
}
