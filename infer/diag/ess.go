package diag

import (
	"math"

	"achilles/sim/num"
)

// essBelow returns the effective sample size for the quantile at q: that of the indicator of draws at or below q.
func essBelow(chains [][]float64, q float64) float64 {
	return essOf(transform(chains, func(x float64) float64 {
		if x <= q {
			return 1
		}
		return 0
	}))
}

// ESSMean returns the effective sample size for the mean, from the draws themselves and not their ranks. It returns NaN
// for draws for which Summarise sets ESSMean to NaN.
func ESSMean(chains [][]float64) float64 { return essOf(chains) }

func essOf(chains [][]float64) float64 {
	if !judgeable(chains) {
		return math.NaN()
	}
	return effective(split(chains))
}

// effective returns the effective sample size draws·chains/τ. τ is the integrated autocorrelation time over all chains
// (Vehtari et al. 2021, equations 10–12), which also counts the variance between chains. τ is at least
// 1/log10(draws·chains), because otherwise chains with negative autocorrelation could give any size.
func effective(chains [][]float64) float64 {
	total := float64(len(chains) * lengthOf(chains))
	return total / max(autocorrelationTime(chains), math.Ln10/num.Log(total))
}

// autocorrelationTime sums the autocorrelations by Geyer's (1992) initial monotone sequence. It adds pairs of lags while
// their sum is positive, and reduces each sum to the smallest one before it. Of the first pair that is not added, the
// autocorrelation at the even lag still counts if it is positive; the estimate is then less variable for chains with
// negative autocorrelation.
func autocorrelationTime(chains [][]float64) float64 {
	rho := newCorrelogram(chains)
	n := lengthOf(chains)
	tau, least := -1.0, math.Inf(1)
	for lag := 0; ; lag += 2 {
		even := rho.at(lag)
		if lag > 0 && lag >= n-5 { // the last lags are sums of only a few products
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

// A correlogram has the autocorrelation of several chains about their own means, relative to the variance over all of
// them. It computes each lag when at is called, because chains that mix well need only a few lags.
type correlogram struct {
	centred       [][]float64
	within, total float64 // mean variance of the chains, and variance estimate over all of them
}

func newCorrelogram(chains [][]float64) *correlogram {
	g := &correlogram{centred: make([][]float64, len(chains))}
	length := lengthOf(chains)
	n := float64(length)
	values := make([]float64, len(chains)*length)
	means := make([]float64, len(chains))
	for i, c := range chains {
		m, v := num.Moments(c)
		means[i] = m
		g.within += v / float64(len(chains))
		g.centred[i], values = values[:length], values[length:]
		for j, x := range c {
			g.centred[i][j] = x - m
		}
	}
	g.total = g.within * (n - 1) / n
	if len(chains) > 1 {
		_, between := num.Moments(means)
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
