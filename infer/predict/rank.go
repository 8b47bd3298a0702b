package predict

import (
	"cmp"
	"math"
	"slices"
)

// AUC is the probability that a prediction p of a success is higher than one of a failure, ties counting half. A value y of
// at least ½ counts as a success. It is NaN unless there are both.
func AUC(y, p []float64) float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	wins, successes, failures := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		s, f := 0.0, 0.0 // with the same prediction
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

// macroF1 is the mean of the F1 scores of successes and of failures, p ≥ ½ predicting success. A class that is neither
// there nor predicted has the score 0.
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
