package score_test

import (
	"math"
	"testing"

	"achilles/scenarios/score"
	"achilles/sim/rng"
)

// TestVigorishByHand checks that forecasts of .8 which come true in four of five cases are as good as a coin of weight
// .8, and forecasts that are always ½ as a coin of ½, so that the gain is .3/.5.
func TestVigorishByHand(t *testing.T) {
	p, half, y := []float64{0.8, 0.8, 0.8, 0.8, 0.8}, []float64{0.5, 0.5, 0.5, 0.5, 0.5}, []float64{1, 1, 1, 1, 0}
	for _, c := range []struct {
		name        string
		p, baseline []float64
		want        float64
	}{{"over a fair coin", p, half, 0.6}, {"over itself", p, p, 0}, {"a fair coin over it", half, p, -0.375}, {"worse than a fair coin", []float64{0.2, 0.2, 0.2, 0.2, 0.2}, half, 0}} {
		if got, _ := score.Vigorish(c.p, c.baseline, y); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got, _ := score.Vigorish([]float64{1, 1, 1, 1, 0}, half, y); math.Abs(got-1) > 1e-4 {
		t.Errorf("certain and right over a fair coin: %v, want 1", got)
	}
	if got, _ := score.Vigorish([]float64{0, 0, 0, 0, 1}, half, y); got != 0 {
		t.Errorf("certain and wrong over a fair coin: %v, want 0", got)
	}
}

// TestVigorishError checks that the standard error agrees with the spread of the gain over samples.
func TestVigorishError(t *testing.T) {
	r := rng.Stream(1, "vigorish")
	const n, samples = 200, 300
	var gains []float64
	var error float64
	for range samples {
		p, base, y := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range y {
			p[i], base[i] = r.Float64(), 0.5
			if r.Bernoulli(p[i]) {
				y[i] = 1
			}
		}
		g, se := score.Vigorish(p, base, y)
		gains, error = append(gains, g), error+se/samples
	}
	mean, squares := 0.0, 0.0
	for _, g := range gains {
		mean += g / samples
	}
	for _, g := range gains {
		squares += (g - mean) * (g - mean) / (samples - 1)
	}
	if sd := math.Sqrt(squares); math.Abs(error/sd-1) > 0.25 {
		t.Errorf("standard error %v, spread %v", error, sd)
	}
}
