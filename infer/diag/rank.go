package diag

import (
	"math"

	"achilles/sim/num"
)

// A ranker replaces draws by normal scores. It keeps the scores of ranks that it has met, for quantities with as many draws.
type ranker struct{ scores []float64 } // [rank − 1] NaN: not met yet

// score returns the normal quantile of a rank among this number of draws, with Blom's offset 3/8 (Vehtari et al. 2021,
// equation 14).
func (r *ranker) score(rank float64, total int) float64 {
	whole := int(rank)
	if float64(whole) != rank {
		return num.NormalQuantile((rank - 0.375) / (float64(total) + 0.25))
	}
	if len(r.scores) != total {
		r.scores = make([]float64, total)
		for i := range r.scores {
			r.scores[i] = math.NaN()
		}
	}
	z := &r.scores[whole-1]
	if math.IsNaN(*z) {
		*z = num.NormalQuantile((rank - 0.375) / (float64(total) + 0.25))
	}
	return *z
}

// normalScores replaces every draw of the chains by the normal score of its rank among all draws. order has the places of all draws,
// chain after chain, in ascending order; draws with the same key are tied, and share the mean of their ranks. With these scores the
// diagnostics work even for a distribution without mean or variance.
func (r *ranker) normalScores(order []place, chains [][]float64) [][]float64 {
	n := lengthOf(chains)
	all := make([]float64, len(order))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && order[to].key == order[from].key {
			to++
		}
		z := r.score(float64(from+1+to)/2, len(order)) // tied draws share the mean of the ranks `from`+1 to `to`
		for _, p := range order[from:to] {
			all[p.at] = z
		}
		from = to
	}
	scores := make([][]float64, len(chains))
	for i := range scores {
		scores[i] = all[i*n : (i+1)*n]
	}
	return scores
}
