package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

// TestMoments compares moments with those computed by hand, and those of too few numbers with NaN.
func TestMoments(t *testing.T) {
	if mean, variance := num.Moments([]float64{1, 2, 3, 6}); mean != 3 || math.Abs(variance-14.0/3) > 1e-15 { // 4 + 1 + 0 + 9 over 3
		t.Errorf("moments %g and %g, want 3 and 14/3", mean, variance)
	}
	if mean, variance := num.Moments([]float64{5}); mean != 5 || !math.IsNaN(variance) {
		t.Errorf("moments of one number are %g and %g, want 5 and NaN", mean, variance)
	}
	if mean := num.Mean(nil); !math.IsNaN(mean) {
		t.Errorf("the mean of nothing is %g", mean)
	}
}
