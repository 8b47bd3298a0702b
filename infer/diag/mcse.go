package diag

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// MCSEMean returns the Monte Carlo standard error of the mean: sd/√ESS of the draws as they are. NaN as RHat.
func MCSEMean(chains [][]float64) float64 {
	return SD(chains) / math.Sqrt(ESSMean(chains))
}

// MCSESD returns the Monte Carlo standard error of the standard deviation, without assuming a normal distribution:
// the error of the mean squared deviation (Kenney and Keeping 1951, page 141) carried over by the delta method. NaN
// as RHat.
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

// MCSEQuantile returns the Monte Carlo standard error of the p-quantile: half the width between the order statistics
// at the 16 % and the 84 % point of the beta distribution of its rank (Vehtari et al. 2021, section 4.2). NaN as
// ESSQuantile.
func MCSEQuantile(chains [][]float64, p float64) float64 {
	ess := ESSQuantile(chains, p)
	if math.IsNaN(ess) {
		return ess
	}
	all := pool(chains)
	slices.Sort(all)
	n := float64(len(all))
	const oneSigma = 0.1586553 // the normal distribution function at −1
	a, b := float64(ess*p)+1, float64(ess*(1-p))+1
	low := math.Floor(mathext.InvRegIncBeta(a, b, oneSigma) * n)
	high := math.Ceil(mathext.InvRegIncBeta(a, b, 1-oneSigma) * n)
	return (all[int(min(high, n))-1] - all[int(max(low, 1))-1]) / 2
}
