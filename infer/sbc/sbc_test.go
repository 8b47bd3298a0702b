package sbc_test

import (
	"math"
	"testing"

	"achilles/infer/sbc"
	"achilles/sim/rng"
)

// TestUniform checks that uniform ranks reach the critical statistic with the probability that P gives, and that this is
// about alpha.
func TestUniform(t *testing.T) {
	r := rng.Stream(501, "uniform")
	test := sbc.NewTest(60, 19)
	critical := test.Critical(0.1)
	if p := test.P(critical); math.Abs(p-0.1) > 0.02 { // not exactly 0.1, because the statistic is discrete
		t.Errorf("P(critical) = %v", p)
	}
	const sets = 4000
	reached, want := 0, sets*test.P(critical)
	for range sets {
		ranks := make([]int, 60)
		for i := range ranks {
			ranks[i] = r.IntN(20)
		}
		if test.Statistic(ranks) <= critical {
			reached++
		}
	}
	if math.Abs(float64(reached)-want) > 5*math.Sqrt(want) {
		t.Errorf("%d of %d sets of uniform ranks reach it, want %.0f", reached, sets, want)
	}
}

// TestPower checks that ranks leave the band if most of them are small, if they crowd at both ends, or if they crowd in
// the middle. Evenly spread ranks must stay inside it.
func TestPower(t *testing.T) {
	test := sbc.NewTest(200, 99)
	for name, bend := range map[string]func(u float64) float64{
		"leaning": func(u float64) float64 { return math.Pow(u, 1.5) },
		"too narrow": func(u float64) float64 {
			if u < 0.5 {
				return 2 * u * u
			}
			return 1 - 2*(1-u)*(1-u)
		},
		"too wide": func(u float64) float64 { return 0.2 + 0.6*u },
	} {
		ranks := make([]int, 200)
		for i := range ranks {
			ranks[i] = int(100 * bend((float64(i)+0.5)/200))
		}
		s := test.Statistic(ranks)
		if p := test.P(s); p > 0.01 {
			t.Errorf("%s: p = %v", name, p)
		}
		lower, upper := test.Band(test.Critical(0.01))
		outside, below := false, 0
		for i := range lower {
			below = 0
			for _, r := range ranks {
				if r <= i {
					below++
				}
			}
			share := float64(below) / 200
			outside = outside || share < lower[i] || share > upper[i]
		}
		if !outside {
			t.Errorf("%s: inside the band", name)
		}
	}
	even := make([]int, 200)
	for i := range even {
		even[i] = i / 2
	}
	if p := test.P(test.Statistic(even)); p < 0.99 {
		t.Errorf("even ranks: p = %v", p)
	}
}
