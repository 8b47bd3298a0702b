package diag

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// normalScores replaces every draw by the normal quantile of its rank among all draws, with Blom's offset 3/8 (Vehtari
// et al. 2021, equation 14). Tied draws share the mean of their ranks. With these scores the diagnostics work even for a
// distribution without mean or variance.
func normalScores(chains [][]float64) [][]float64 {
	type place struct {
		value float64
		chain int
		draw  int
	}
	total := len(chains) * lengthOf(chains)
	order := make([]place, 0, total)
	scores := make([][]float64, len(chains))
	for i, c := range chains {
		scores[i] = make([]float64, len(c))
		for j, x := range c {
			order = append(order, place{x, i, j})
		}
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Compare(a.value, b.value) })
	for from := 0; from < total; {
		to := from + 1
		for to < total && order[to].value == order[from].value {
			to++
		}
		rank := float64(from+1+to) / 2 // tied draws share the mean of the ranks `from`+1 to `to`
		z := num.NormalQuantile((rank - 0.375) / (float64(total) + 0.25))
		for _, p := range order[from:to] {
			scores[p.chain][p.draw] = z
		}
		from = to
	}
	return scores
}

// fold returns the distances of the draws from their common median.
func fold(chains [][]float64) [][]float64 {
	median := Quantile(chains, 0.5)
	return transform(chains, func(x float64) float64 { return math.Abs(x - median) })
}
