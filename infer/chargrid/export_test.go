package chargrid

// Percentiles is the percentile interval of the first statistic of some replicates.
func Percentiles(x []float64, value, level float64) Interval {
	replicates := make([][]float64, len(x))
	for i, v := range x {
		replicates[i] = []float64{v}
	}
	return percentiles(replicates, 0, value, level)
}

// Ranks is tested on its own.
var Ranks = ranks
