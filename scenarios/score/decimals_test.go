package score

import (
	"math"
	"testing"
)

// TestDecimals checks how many digits are printed of losses of all sizes, by hand.
func TestDecimals(t *testing.T) {
	for x, want := range map[float64]int{0: 4, 0.5: 4, 0.0015: 4, 5e-4: 6, -8.5e-7: 9, 1e-30: 12, 12.3: 2, 542: 1, 2056: 0, math.Inf(1): 4} {
		if got := decimals(x); got != want {
			t.Errorf("%g has %d digits after the point, want %d", x, got, want)
		}
	}
	if got := decimals(math.NaN()); got != 4 {
		t.Errorf("NaN has %d digits", got)
	}
}
