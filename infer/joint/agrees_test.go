package joint_test

import (
	"strconv"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/sim/record"
	"achilles/sim/rng"
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

// TestLaplaceWithheld checks that engine laplace gives no draws where its peak is far from the maximum with subjects summed out: abilities of an SD of 8
// on five items, of which a normal density of each subject knows little.
func TestLaplaceWithheld(t *testing.T) {
	j := bind(t, `name = "wide"
[capability]
ability = { prior = "normal(0, 8)" }
[item]
difficulty = { prior = "normal(0, 3)" }
[response.y]
p = "logistic(ability - difficulty)"
`, battery(5, nil), 19, record.Binary)
	r := rng.Stream(1, "wide")
	theta := make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	responses, err := j.Simulate(theta, &r)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := joint.Laplace(t.Context(), cells(t, j, responses), joint.Default(), 1); err == nil || !strings.Contains(err.Error(), "is withheld") {
		t.Errorf("error %v, draws %v", err, p != nil)
	}
}
