package score

import (
	"math"

	"achilles/sim/num"
)

// coin returns the probability w of heads of a coin that is as predictable as forecasts with this mean log likelihood:
// the solution in [½, 1] of w log w + (1 − w) log(1 − w) = mean. It returns ½ for forecasts that are worse than those of
// a fair coin.
func coin(mean float64) float64 {
	if mean <= -math.Ln2 {
		return 0.5
	}
	low, high := 0.5, 1.0
	for range 60 { // each step halves the interval: to 1e-18 in the end
		w := (low + high) / 2
		if float64(w*num.Log(w))+float64((1-w)*num.Log1p(-w)) < mean {
			low = w
		} else {
			high = w
		}
	}
	return (low + high) / 2
}

// leastForecast is the least distance of a forecast from 0 and 1, so that no outcome is impossible.
const leastForecast = 1e-6

// logLikelihoods returns the log likelihood of each outcome y under its forecast p.
func logLikelihoods(p, y []float64) sample {
	return sample{len(p), func(i int) float64 {
		x := min(max(p[i], leastForecast), 1-leastForecast)
		if y[i] == 0 {
			x = 1 - x
		}
		return num.Log(x)
	}}
}

// coins are coins by their mean log likelihoods. Many are asked for again and again, and to compute one takes microseconds.
type coins map[float64]float64

// mostCoins is the largest number of coins that are kept.
const mostCoins = 1 << 12

func (c coins) of(mean float64) float64 {
	w, ok := c[mean]
	if !ok {
		if len(c) == mostCoins {
			clear(c)
		}
		w = coin(mean)
		c[mean] = w
	}
	return w
}

// vigorish returns the InterModel Vigorish of forecasts p over those of a baseline: (w − w₀)/w₀, where w and w₀ are the
// coins of their mean log likelihoods. This is the expected gain per unit staked of a bettor who knows p against one
// who knows the baseline only. se is its jackknife standard error over outcomes, NaN for a single outcome.
func vigorish(p, baseline, y []float64) (imv, se float64) {
	ours, theirs := logLikelihoods(p, y), logLikelihoods(baseline, y)
	n := float64(len(y))
	a, b := ours.mean(), theirs.mean()
	known := coins{}
	gain := func(a, b float64) float64 { w := known.of(b); return (known.of(a) - w) / w }
	leftOut := make([]float64, len(y))
	for i := range y {
		leftOut[i] = gain((float64(n*a)-ours.at(i))/(n-1), (float64(n*b)-theirs.at(i))/(n-1))
	}
	return gain(a, b), values(leftOut).jackknifeSE()
}
