package chargrid

// Percentiles returns the percentile interval of a statistic whose replicates are x.
func Percentiles(x []float64, value, level float64) Interval {
	replicates := make([][]float64, len(x))
	for i, v := range x {
		replicates[i] = []float64{v}
	}
	return percentiles(replicates, 0, value, level)
}

// Ranks exports ranks for its test.
var Ranks = ranks
