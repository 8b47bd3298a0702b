package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

// TestBinaryEntropy checks the entropy at 0, ¼, ½ and 1, and that it is symmetric.
func TestBinaryEntropy(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 1: 0, 0.5: math.Ln2, 0.25: 2*math.Ln2 - 0.75*math.Log(3), -1: 0, math.NaN(): 0} {
		if got := num.BinaryEntropy(p); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
		if got, other := num.BinaryEntropy(p), num.BinaryEntropy(1-p); math.Abs(got-other) > 1e-15 {
			t.Errorf("%v: %v, and %v of the opposite", p, got, other)
		}
	}
}
