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
	if effective(points, 1-present) >= wanted {
		return 1
	}
	low, high := 0.0, 1-present
	for range 60 { // bisection down to the last bit
		middle := (low + high) / 2
		if effective(points, middle) >= wanted {
			low = middle
		} else {
			high = middle
		}
	}
	return present + low
}

// effective returns the effective sample size of the weights L^power.
func effective(points []point, power float64) float64 {
	top := highest(points)
	sum, squares := 0.0, 0.0
	for _, p := range points {
		w := num.Exp(float64(power * (p.logL - top)))
		sum += w
		squares += float64(w * w)
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

// resample draws n indices in proportion to the weights by systematic resampling: at n equally spaced positions with one
// random offset.
func resample(weights []float64, n int, rng *rng.Rand) []int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	picks := make([]int, 0, n)
	spacing := total / float64(n)
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
