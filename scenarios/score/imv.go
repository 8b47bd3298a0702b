package score

import (
	"math"

	"achilles/sim/num"
)

// coin is the weight w of the coin whose outcomes are as predictable as forecasts of this mean log likelihood: the solution in
// [½, 1] of w log w + (1 − w) log(1 − w) = mean. Forecasts that are worse than a fair coin's have ½.
func coin(mean float64) float64 {
	if mean <= -math.Ln2 {
		return 0.5
	}
	low, high := 0.5, 1.0
	for range 60 { // halves the interval to 1e-18
		w := (low + high) / 2
		if float64(w*num.Log(w))+float64((1-w)*num.Log1p(-w)) < mean {
			low = w
		} else {
			high = w
		}
	}
	return (low + high) / 2
}

// leastForecast keeps forecasts off 0 and 1, under which an outcome would be impossible.
const leastForecast = 1e-6

// logLikelihoods are those of outcomes under forecasts.
func logLikelihoods(p, y []float64) []float64 {
	out := make([]float64, len(p))
	for i, x := range p {
		x = min(max(x, leastForecast), 1-leastForecast)
		if y[i] == 0 {
			x = 1 - x
		}
		out[i] = num.Log(x)
	}
	return out
}

// vigorish is the InterModel Vigorish of forecasts p over those of a baseline: (w − w₀)/w₀ with the weights of their coins. It is
// what a bettor who has p expects to gain a unit from one who has the baseline only. se is its jackknife standard error over
// outcomes; NaN for one.
func vigorish(p, baseline, y []float64) (imv, se float64) {
	ours, theirs := logLikelihoods(p, y), logLikelihoods(baseline, y)
	n := float64(len(y))
	a, b := mean(ours), mean(theirs)
	gain := func(a, b float64) float64 { w := coin(b); return (coin(a) - w) / w }
	leftOut := make([]float64, len(y))
	for i := range y {
		leftOut[i] = gain((n*a-ours[i])/(n-1), (n*b-theirs[i])/(n-1))
	}
	return gain(a, b), jackknifeSE(leftOut)
}
