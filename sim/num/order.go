package num

import "math"

// SortedQuantile returns the p-quantile of sorted numbers by linear interpolation between order statistics (type 7 of
// Hyndman and Fan 1996). It is NaN without numbers or with a NaN among them, which slices.Sort puts first, and panics for p
// outside [0, 1].
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
