package joint_test

import (
	"strconv"
	"strings"
	"testing"

	"achilles/infer/joint"
)

// TestApartFromExact checks that the peak around which engine laplace draws is where the maximum is with subjects summed out exactly, and that the
// peak of subjects and items together, which is none, is withheld.
func TestApartFromExact(t *testing.T) {
	for seed := 1; seed <= 3; seed++ {
		_, _, c := simulated(t, hierarchical, 40, 12, strconv.Itoa(seed))
		if far, known, err := joint.CheckExact(t.Context(), c, false); err != nil || !known || !(far <= 0.1) {
			t.Errorf("seed %d: the peak is %.3f standard deviations away (known: %v), error %v", seed, far, known, err)
		}
		far, known, err := joint.CheckExact(t.Context(), c, true)
		if !known || err == nil || !strings.Contains(err.Error(), "withheld") || !strings.Contains(err.Error(), "--engine nuts") {
			t.Errorf("seed %d: the peak of subjects and items together is %.3f standard deviations away (known: %v), error %v", seed, far, known, err)
		}
	}
}
