package diag

import "math"

// MCSEMean returns the Monte Carlo standard error of the mean: sd/√ESS of the draws as they are. NaN as Summarise.
func MCSEMean(chains [][]float64) float64 {
	return SD(chains) / math.Sqrt(ESSMean(chains))
}

// MCSESD returns the Monte Carlo standard error of the standard deviation, without assuming a normal distribution:
// the error of the mean squared deviation (Kenney and Keeping 1951, page 141) carried over by the delta method. NaN
// as Summarise.
func MCSESD(chains [][]float64) float64 {
	mean := Mean(chains)
	squares := transform(chains, func(x float64) float64 { return float64((x - mean) * (x - mean)) })
	all := pool(squares)
	second, fourth := 0.0, 0.0
	for _, s := range all {
		second += s / float64(len(all))
		fourth += float64(s*s) / float64(len(all))
	}
	// Two values, equally often: every squared deviation is the same and the sd has no error left.
	if ess := ESSMean(squares); !math.IsNaN(ess) {
		return math.Sqrt((fourth - float64(second*second)) / ess / second / 4)
	}
	if judgeable(chains) {
		return 0
	}
	return math.NaN()
}
