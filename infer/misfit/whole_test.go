package misfit_test

import (
	"math"
	"testing"

	"achilles/infer/misfit"
)

// TestTails checks the numbers 0 to 19 by hand: of 20, as many as are not smaller. The largest exceeds the next by 1; of the others, 17 and 18
// exceed 17, the upper tenth, by .5 on average.
func TestTails(t *testing.T) {
	var x []float64
	for i := range 20 {
		x = append(x, float64(i))
	}
	p := misfit.Tails(x)
	for i, want := range map[int]float64{0: 1, 10: 0.5, 18: 0.1, 19: 0.05 * math.Exp(-2)} {
		if math.Abs(p[i]-want) > 1e-12 {
			t.Errorf("%d: %v, want %v", i, p[i], want)
		}
	}
	if p := misfit.Tails(make([]float64, 20)); p[0] != 1 {
		t.Errorf("numbers that are all the same: %v", p)
	}
}
