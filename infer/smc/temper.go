package smc

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// nextPower returns the largest power, at most 1, at which the weights L^(power − present) have an effective sample size of
// at least keep times the number of points with positive likelihood.
func nextPower(points []point, present, keep float64) float64 {
	positive := 0
	for _, p := range points {
		if !math.IsInf(p.logL, -1) {
			positive++
		}
	}
	wanted := float64(keep * float64(positive))
	c := countEqual(points)
	if c.effective(1-present) >= wanted {
		return 1
	}
	low, high := 0.0, 1-present
	for range 60 { // bisection: a change below 2^-60 of what is left counts as none
		if high-low <= powerPrecision*high {
			break
		}
		middle := (low + high) / 2
		if c.effective(middle) >= wanted {
			low = middle
		} else {
			high = middle
		}
	}
	return present + low
}

// powerPrecision is the relative precision of the change of a power. Any power near the largest will do.
const powerPrecision = 1e-3

// runs has the log likelihoods of points as runs of equal ones: a walker that rejects a move stays where it is.
type runs struct {
	below  []float64 // log likelihood of each run, minus the highest
	count  []float64 // number of points of each run
	weight []float64 // scratch
}

func countEqual(points []point) (r runs) {
	top := highest(points)
	r.below, r.count = make([]float64, 0, len(points)), make([]float64, 0, len(points))
	for i, p := range points {
		if i > 0 && p.logL == points[i-1].logL {
			r.count[len(r.count)-1]++
			continue
		}
		r.below, r.count = append(r.below, p.logL-top), append(r.count, 1)
	}
	r.weight = make([]float64, len(r.below))
	return r
}

// effective returns the effective sample size of the weights L^power.
func (r *runs) effective(power float64) float64 {
	for i, l := range r.below {
		r.weight[i] = float64(power * l)
	}
	num.ExpEach(r.weight)
	sum, squares := 0.0, 0.0
	for i, w := range r.weight {
		n := float64(r.count[i] * w)
		sum += n
		squares += float64(n * w)
	}
	return float64(sum*sum) / squares
}

func highest(points []point) float64 {
	top := math.Inf(-1)
	for _, p := range points {
		top = max(top, p.logL)
	}
	return top
}

// Resample draws n indices in ascending order, each in proportion to its weight, by systematic resampling: at n equally spaced positions with one random
// offset (Kitagawa 1996).
func Resample(weights []float64, n int, rng *rng.Rand) []int {
	picks := make([]int, 0, n)
	spacing := num.Sum(weights) / float64(n)
	at := float64(spacing * rng.Float64())
	sum := 0.0
	for i, w := range weights {
		sum += w
		for len(picks) < n && at < sum {
			picks = append(picks, i)
			at += spacing
		}
	}
	for len(picks) < n { // rounding can put the last position beyond the sum of the weights
		picks = append(picks, picks[len(picks)-1])
	}
	return picks
}
