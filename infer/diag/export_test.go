package diag

// Ascending returns the indices of xs in the order of ascending.
func Ascending(xs []float64) (at []int) {
	for _, p := range ascending(xs) {
		at = append(at, p.at)
	}
	return at
}

// Summarise returns the summary of one quantity.
func Summarise(chains [][]float64) Summary { return summarise(chains, &ranker{}) }
