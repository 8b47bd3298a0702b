package num

import "math"

// SortedQuantile returns the p-quantile of sorted numbers by linear interpolation between order statistics (type 7 of
// Hyndman and Fan 1996). It is NaN if there are no numbers or the first is NaN, where slices.Sort puts NaN. It panics
// unless 0 ≤ p ≤ 1.
func SortedQuantile(sorted []float64, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("num: quantile outside [0, 1]")
	}
	if len(sorted) == 0 || math.IsNaN(sorted[0]) {
		return math.NaN()
	}
	at := float64(float64(len(sorted)-1) * p)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}
