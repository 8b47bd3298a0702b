package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

func TestTangents(t *testing.T) {
	for x := 0.0; x <= 1; x += 1.0 / 512 {
		if got, want := num.TanQuarter(x), math.Tan(x*math.Pi/4); math.Abs(got-want) > 4e-16 {
			t.Errorf("tan(%gπ/4) is %.17g, want %.17g", x, got, want)
		}
	}
	for _, x := range []float64{0, 1e-300, 1e-9, 0.1, 0.7, 1, 1.5, 40, 1e9, math.Inf(1)} {
		if got, want := num.Atan(x), math.Atan(x); math.Abs(got-want) > 4e-16*want {
			t.Errorf("arctangent of %g is %.17g, want %.17g", x, got, want)
		}
	}
}
