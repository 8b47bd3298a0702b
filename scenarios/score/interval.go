package score

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// Level is the probability of every interval that is given with a score.
const Level = 0.95

// normal975 is the 97.5 % point of the standard normal distribution.
const normal975 = 1.959963984540054

// An Interval is [low, high] at Level.
type Interval [2]float64

// ClopperPearson returns the exact interval of a binomial share with k successes out of n at the given level
// (Clopper and Pearson 1934). It panics unless 0 ≤ k ≤ n, n ≥ 1 and 0 < level < 1.
func ClopperPearson(k, n int, level float64) Interval {
	if k < 0 || n < 1 || k > n || !(level > 0 && level < 1) {
		panic("score: Clopper-Pearson needs 0 ≤ k ≤ n, n ≥ 1 and a level in (0, 1)")
	}
	tail := (1 - level) / 2
	interval := Interval{0, 1}
	if k > 0 { // the p at which k or more successes have probability (1 − level)/2
		interval[0] = num.BetaQuantile(tail, float64(k), float64(n-k+1))
	}
	if k < n { // 1 minus the q at which n−k or more failures have that probability
		interval[1] = 1 - num.BetaQuantile(tail, float64(n-k), float64(k+1))
	}
	return interval
}

// resamples is the number of bootstrap samples of an interval. The ends of an interval then move by about 2 % of its
// width from one root seed to another.
const resamples = 4000

// bootstrapRMS returns the percentile bootstrap interval (Efron and Tibshirani 1993, ch. 13) of the root of the mean
// of squared errors. It returns nil for fewer than two errors.
func bootstrapRMS(r rng.Rand, squared []float64) *Interval {
	n := len(squared)
	if n < 2 {
		return nil
	}
	means := make([]float64, resamples)
	for b := range means {
		s := 0.0
		for range n {
			s += squared[r.IntN(n)]
		}
		means[b] = s / float64(n)
	}
	slices.Sort(means)
	cut := int((1 - Level) / 2 * resamples)
	return &Interval{math.Sqrt(means[cut]), math.Sqrt(means[resamples-1-cut])}
}

// normalInterval returns estimate ± 1.96 se, cut to [low, high]. It returns nil if the standard error is not finite.
func normalInterval(estimate, se, low, high float64) *Interval {
	if math.IsNaN(se) || math.IsInf(se, 0) {
		return nil
	}
	h := float64(normal975 * se)
	return &Interval{max(low, estimate-h), min(high, estimate+h)}
}

// low and high return the ends of an interval; None if i is nil.
func low(i *Interval) table.Value {
	if i == nil {
		return table.None
	}
	return table.Float(i[0])
}

func high(i *Interval) table.Value {
	if i == nil {
		return table.None
	}
	return table.Float(i[1])
}
