package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

func TestFinite(t *testing.T) {
	if p := num.Finite(-2.5); p == nil || *p != -2.5 {
		t.Errorf("%v", p)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if num.Finite(x) != nil {
			t.Errorf("%v counts as finite", x)
		}
	}
}
