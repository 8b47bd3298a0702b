package num

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns p-values corrected for their number (Holm 1979). NaN stays, and counts as no test.
func Holm(p []float64) []float64 {
	order := ascending(p)
	out := slices.Repeat([]float64{math.NaN()}, len(p))
	most := 0.0
	for r, i := range order {
		most = max(most, min(1, float64(len(order)-r)*p[i]))
		out[i] = most
	}
	return out
}

// BenjaminiHochberg returns p-values corrected for their number, such that a share of at most α of those up to α is false (Benjamini and Hochberg
// 1995). NaN stays, and counts as no test.
func BenjaminiHochberg(p []float64) []float64 {
	order := ascending(p)
	out := slices.Repeat([]float64{math.NaN()}, len(p))
	least := 1.0
	for r := len(order) - 1; r >= 0; r-- {
		i := order[r]
		least = min(least, p[i]*float64(len(order))/float64(r+1))
		out[i] = least
	}
	return out
}

// ascending returns the indices of the numbers in p, the least first.
func ascending(p []float64) (order []int) {
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}
