package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

// TestDotInFour compares sums of whole numbers, which are exact in any order, for every length around its blocks of four.
func TestDotInFour(t *testing.T) {
	var a, b []float64
	for n := range 13 {
		if got, want := num.DotInFour(a, b), num.Dot(a, b); got != want {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
		a, b = append(a, float64(n+1)), append(b, float64(7-n))
	}
	if got := num.DotInFour([]float64{1, 2, 3, 4, 5}, []float64{1, 1, 1, 1, 1, math.NaN()}); got != 15 {
		t.Errorf("a longer second vector: %v, want 15", got)
	}
}
