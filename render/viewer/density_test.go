package viewer_test

import (
	"math"
	"testing"

	"achilles/render/viewer"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestDensity checks that the density of uniform draws does not fall towards the ends of the axis, and that the density
// of normal draws is a normal density, within the sampling error of 20,000 draws.
func TestDensity(t *testing.T) {
	const n = 20_000
	r := rng.Stream(1, "density")
	even, normal := make([]float64, n), make([]float64, n)
	for i := range n {
		even[i], normal[i] = 3*r.Float64(), 1+0.1*r.Norm()
	}
	for i, h := range viewer.Estimate(even, 0, 3) {
		if h < 0.85 {
			t.Errorf("at place %d the density of even draws is %.2f of the greatest", i, h)
		}
	}
	d := viewer.Estimate(normal, 0, 2)
	for i, h := range d {
		z := (2*float64(i)/float64(len(d)-1) - 1) / 0.1
		if want := num.Exp(-z * z / 2); math.Abs(h-want) > 0.06 {
			t.Errorf("%.1f standard deviations from the mean the density is %.3f, want %.3f", z, h, want)
		}
	}
	for _, h := range viewer.Estimate([]float64{1, 1, 1}, 0, 2) {
		if math.IsNaN(h) {
			t.Fatal("draws that are all the same have no density")
		}
	}
	if d := viewer.Estimate(nil, 0, 1); d[0] != 0 {
		t.Error("no draws have a density")
	}
}
