package mml

import (
	"math"
	"testing"
)

// TestOneCategory checks that the log probability of one category alone is that among all, for each shape of curve.
func TestOneCategory(t *testing.T) {
	var buffer [8]float64
	for _, it := range []item{
		{shape: cumulative, d: []float64{0.4}},
		{shape: cumulative, d: []float64{1.2, 0.3, -0.5}},
		{shape: cumulative, d: []float64{0.3, 0.3}}, // nobody is in the category between equal ends
		{shape: adjacent, d: []float64{0.7, -0.2}},
		{shape: guessing, d: []float64{-0.3}, g: -1.5},
	} {
		all := make([]float64, len(it.d)+1)
		for z := -8.0; z <= 8; z += 0.5 {
			it.logP(z, all)
			for k, want := range all {
				if got := it.logPOf(k, z, it.gap(k), buffer[:]); got != want && !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("%+v, category %d at %g: %v, among all %v", it, k, z, got, want)
				}
			}
		}
	}
}
