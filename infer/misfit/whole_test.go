package misfit_test

import (
	"math"
	"testing"

	"achilles/infer/misfit"
)

// TestTails checks the numbers 0 to 19 by hand: of 20, as many as are not smaller. Above 17, the upper tenth, what exceeds it is 1 and 2, 1.5 on
// average.
func TestTails(t *testing.T) {
	var x []float64
	for i := range 20 {
		x = append(x, float64(i))
	}
	p := misfit.Tails(x)
	for i, want := range map[int]float64{0: 1, 10: 0.5, 17: 0.15, 18: 0.1 * math.Exp(-1/1.5), 19: 0.1 * math.Exp(-2/1.5)} {
		if math.Abs(p[i]-want) > 1e-12 {
			t.Errorf("%d: %v, want %v", i, p[i], want)
		}
	}
	if p := misfit.Tails(make([]float64, 20)); p[0] != 1 {
		t.Errorf("numbers that are all the same: %v", p)
	}
}
