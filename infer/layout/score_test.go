package layout_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
)

// TestInformationOfScores holds Fisher's information against the integral of the squared rate of the log density, over log odds of scores, and worked values:
// of mean ½ and precision 2, scores are uniform and the information about the mean is 2²·2·ψ′(1) = 4π²/3; with a quarter of zeros and ones, three quarters
// of that; about ones of ½, ¼·4.
func TestInformationOfScores(t *testing.T) {
	for _, c := range []struct {
		family layout.Family
		args   []float64
		change []float64
		want   float64 // 0: not worked
	}{
		{layout.Beta, []float64{0.5, 2}, []float64{1, 0}, 4 * math.Pi * math.Pi / 3},
		{layout.Beta, []float64{0.3, 5}, []float64{0.2, 1}, 0},
		{layout.ZeroOneInflatedBeta, []float64{0.5, 2, 0.25, 0.5}, []float64{1, 0, 0, 0}, math.Pi * math.Pi},
		{layout.ZeroOneInflatedBeta, []float64{0.5, 2, 0.25, 0.5}, []float64{0, 0, 0, 1}, 1},
		{layout.ZeroOneInflatedBeta, []float64{0.7, 8, 0.1, 0.6}, []float64{0.3, 1, 0.1, -0.2}, 0},
		{layout.Normal, []float64{2, 0.5}, []float64{1, 0}, 4},
		{layout.Normal, []float64{2, 0.5}, []float64{1, 0.5}, 6},
	} {
		got := c.family.Information(c.args, c.change)
		at := func(step float64) []float64 {
			out := make([]float64, len(c.args))
			for i := range out {
				out[i] = c.args[i] + step*c.change[i]
			}
			return out
		}
		const h = 1e-4
		up, down := at(h), at(-h)
		add := func(y, weight float64) float64 {
			rate := (c.family.LogDensity(up, y) - c.family.LogDensity(down, y)) / (2 * h)
			return weight * math.Exp(c.family.LogDensity(c.args, y)) * rate * rate
		}
		sum := 0.0
		for k := -3000; k <= 3000; k++ {
			x := float64(k) / 200 // from −15 to 15
			if c.family == layout.Normal {
				sum += add(x, 1./200)
				continue
			}
			y := 1 / (1 + math.Exp(-x))
			sum += add(y, y*(1-y)/200)
		}
		if c.family == layout.ZeroOneInflatedBeta {
			sum += add(0, 1) + add(1, 1)
		}
		if math.Abs(got/sum-1) > 1e-4 || c.want != 0 && math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%s %v along %v: information %.8f, by integral %.8f, worked %.8f", c.family, c.args, c.change, got, sum, c.want)
		}
	}
}
