package infer

import (
	"math"
	"testing"
)

// TestVaries tells a value that is the same in all draws but for rounding, as of what maximum likelihood does not estimate, from one that moves little.
func TestVaries(t *testing.T) {
	draws := [][]float64{{2, 1e6, 0.5, 0}, {2, math.Nextafter(1e6, 0), 0.5001, 1e-3}, {math.Nextafter(2, 3), 1e6, 0.5, 0}}
	for k, want := range []bool{false, false, true, true} {
		if got := varies(draws, k); got != want {
			t.Errorf("value %d varies: %t", k, got)
		}
	}
}
