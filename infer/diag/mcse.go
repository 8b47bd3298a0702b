package diag

import "math"

// MCSEMean returns the Monte Carlo standard error of the mean: SD/√ESSMean. It returns NaN for draws for which Summarise
// sets MCSEMean to NaN.
func MCSEMean(chains [][]float64) float64 {
	_, variance := momentsOf(chains)
	return math.Sqrt(variance) / math.Sqrt(ESSMean(chains))
}

// MCSESD returns the Monte Carlo standard error of the standard deviation, without assuming a normal distribution: the
// error of the mean squared deviation (Kenney and Keeping 1951, page 141), transformed by the delta method. It returns
// NaN for draws for which Summarise sets MCSESD to NaN.
func MCSESD(chains [][]float64) float64 {
	mean, _ := momentsOf(chains)
	squares := transform(chains, func(x float64) float64 { return float64((x - mean) * (x - mean)) })
	n := float64(len(chains) * lengthOf(chains))
	second, fourth := 0.0, 0.0
	for _, c := range squares {
		for _, s := range c {
			second += s / n
			fourth += float64(s*s) / n
		}
	}
	// If the draws have two values, each equally often, all squared deviations are equal. The SD then has no error, and
	// the ESS of the squared deviations is NaN.
	if ess := ESSMean(squares); !math.IsNaN(ess) {
		return math.Sqrt((fourth - float64(second*second)) / ess / second / 4)
	}
	if judgeable(chains) {
		return 0
	}
	return math.NaN()
}
