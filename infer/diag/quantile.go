package diag

import (
	"slices"

	"achilles/sim/num"
)

// Quantile returns the p-quantile of all draws (num.SortedQuantile).
func Quantile(chains [][]float64, p float64) float64 {
	all := pool(chains)
	slices.Sort(all)
	return num.SortedQuantile(all, p)
}
