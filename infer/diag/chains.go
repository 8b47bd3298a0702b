package diag

import "math"

// minDraws is the smallest number of draws of a chain that Summarise can judge. Each half of a chain needs two draws for
// a variance.
const minDraws = 4

// lengthOf returns the number of draws of each chain. It panics if the chains differ in length.
func lengthOf(chains [][]float64) int {
	if len(chains) == 0 {
		return 0
	}
	n := len(chains[0])
	for _, c := range chains {
		if len(c) != n {
			panic("diag: chains of different lengths")
		}
	}
	return n
}

// judgeable reports whether every chain has at least minDraws draws, all draws are finite, and the draws are not all
// equal.
func judgeable(chains [][]float64) bool {
	if lengthOf(chains) < minDraws {
		return false
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, c := range chains {
		for _, x := range c {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
			lowest, highest = min(lowest, x), max(highest, x)
		}
	}
	return lowest < highest
}

// split divides every chain into its first and its last half. It leaves out the middle draw of a chain of odd length.
func split(chains [][]float64) [][]float64 {
	halves := make([][]float64, 0, 2*len(chains))
	for _, c := range chains {
		h := len(c) / 2
		halves = append(halves, c[:h], c[len(c)-h:])
	}
	return halves
}

// pool returns all draws, chain after chain, in a new slice.
func pool(chains [][]float64) []float64 {
	all := make([]float64, 0, len(chains)*lengthOf(chains))
	for _, c := range chains {
		all = append(all, c...)
	}
	return all
}

// transform returns f of every draw.
func transform(chains [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(chains))
	for i, c := range chains {
		out[i] = make([]float64, len(c))
		for j, x := range c {
			out[i][j] = f(x)
		}
	}
	return out
}

// momentsOf returns the mean and the sample variance of all draws, as num.Moments.
func momentsOf(chains [][]float64) (mean, variance float64) {
	n := 0.0
	for _, c := range chains {
		n += float64(len(c))
		for _, x := range c {
			mean += x
		}
	}
	mean /= n
	for _, c := range chains {
		for _, x := range c {
			d := x - mean
			variance += float64(d * d)
		}
	}
	return mean, variance / (n - 1)
}
