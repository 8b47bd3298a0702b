package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

func TestDecimals(t *testing.T) {
	for sd, want := range map[float64]int{0: 3, 0.0004: 3, 0.01: 3, 0.12: 2, 0.94: 2, 0.996: 1, 1: 1, 9.94: 1, 9.96: 0, 120: 0, math.Inf(1): 0} {
		if got := num.Decimals(sd); got != want {
			t.Errorf("%v: %d decimals, want %d", sd, got, want)
		}
	}
	if num.Decimals(math.NaN()) != 0 {
		t.Error("NaN has decimals")
	}
}
