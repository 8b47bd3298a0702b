package diag

import (
	"achilles/sim/num"
	"math"
)

// EBFMI returns the energy Bayesian fraction of missing information of one chain of a Hamiltonian sampler: the mean
// squared difference of successive energies divided by the variance of the energies (Betancourt 2016, arXiv 1604.00695).
// Below 0.3 the energy changes too little from draw to draw to reach the tails. It returns NaN for fewer than two
// energies, if one is not finite, or if all are equal.
func EBFMI(energy []float64) float64 {
	if len(energy) < 2 {
		return math.NaN()
	}
	mean, _ := num.Moments(energy)
	steps, spread := 0.0, 0.0
	for i, e := range energy {
		spread += float64((e - mean) * (e - mean))
		if i > 0 {
			d := e - energy[i-1]
			steps += float64(d * d)
		}
	}
	if math.IsNaN(spread) || spread == 0 {
		return math.NaN()
	}
	return steps / spread
}
