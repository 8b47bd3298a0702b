package predict

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// AUC returns the probability that the prediction p of a random success is higher than that of a random failure, where
// a tie counts half. A value y of at least ½ counts as a success. AUC is NaN if there are no successes or no failures.
func AUC(y, p []float64) float64 {
	order := num.Indices(len(p))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	wins, successes, failures := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		s, f := 0.0, 0.0 // numbers of successes and failures with the same prediction
		for value := p[order[i]]; i < len(order) && !(p[order[i]] > value); i++ {
			if y[order[i]] >= 0.5 {
				s++
			} else {
				f++
			}
		}
		wins += float64(s * (failures + f/2))
		successes, failures = successes+s, failures+f
	}
	if successes == 0 || failures == 0 {
		return math.NaN()
	}
	return wins / float64(successes*failures)
}

// macroF1 returns the mean of the F1 scores of successes and of failures. p ≥ ½ predicts success. The score of a class
// is 0 if it neither occurs nor is predicted.
func macroF1(y, p []float64) float64 {
	var right, predicted, actual [2]float64
	class := func(x float64) int {
		if x >= 0.5 {
			return 1
		}
		return 0
	}
	for i, v := range p {
		a, b := class(v), class(y[i])
		predicted[a]++
		actual[b]++
		if a == b {
			right[a]++
		}
	}
	sum := 0.0
	for k := range right {
		if all := predicted[k] + actual[k]; all > 0 {
			sum += 2 * right[k] / all
		}
	}
	return sum / 2
}
