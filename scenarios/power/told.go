package power

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// Told is the least log Bayes factor, in nats, at which responses tell a subject from a rival: odds of 20 to 1.
const Told = 3

// runs is the number of simulated runs behind a probability. Its standard error is then at most 0.025.
const runs = 400

// Tell returns the probability that a subject is told from each of some rivals, by rival and by number of items 1 … most.
// The subject passes item i with probability p[i] and rival k with probability rivals[k][i]. The subject takes items that
// are drawn without replacement, one response to each; it is told if the log likelihood ratio of its responses against the
// rival is at least Told. The probabilities are shares of simulated runs.
func Tell(p []float64, rivals [][]float64, most int, r *rng.Rand) [][]float64 {
	ratio := make([][2][]float64, len(rivals)) // by rival, response and item
	for k, q := range rivals {
		for i := range p {
			ratio[k][0] = append(ratio[k][0], logRatio(1-p[i], 1-q[i]))
			ratio[k][1] = append(ratio[k][1], logRatio(p[i], q[i]))
		}
	}
	out := make([][]float64, len(rivals))
	for k := range out {
		out[k] = make([]float64, most)
	}
	pass := make([]int, most)
	for range runs {
		items := r.Perm(len(p))[:most]
		for n, i := range items {
			pass[n] = 0
			if r.Bernoulli(p[i]) {
				pass[n] = 1
			}
		}
		for k := range rivals {
			sum := 0.0
			for n, i := range items {
				if sum += ratio[k][pass[n]][i]; sum >= Told {
					out[k][n] += 1.0 / runs
				}
			}
		}
	}
	return out
}

// logRatio returns log(p/q). It is +Inf if only q is 0. Its value for p = 0 is of no use, because such a response never
// comes.
func logRatio(p, q float64) float64 {
	switch {
	case p <= 0:
		return 0
	case q <= 0:
		return math.Inf(1)
	}
	return num.Log(p) - num.Log(q)
}

// Pairs returns the probability that n items tell subject i from subject k, by i and k; 0 where i = k. root is the root of
// the random streams.
func Pairs(subjects []Subject, n int, root uint64) [][]float64 {
	rivals := make([][]float64, len(subjects))
	for k, x := range subjects {
		rivals[k] = x.P
	}
	out := make([][]float64, len(subjects))
	for i, x := range subjects {
		r := rng.Stream(root, "power", "pairs", x.Name)
		for _, p := range Tell(x.P, rivals, n, &r) {
			out[i] = append(out[i], p[n-1])
		}
	}
	return out
}
