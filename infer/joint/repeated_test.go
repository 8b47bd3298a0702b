package joint_test

import (
	"testing"

	"achilles/infer/joint"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestRepeatedTrialsSettle fits tables as those who study animals keep them, of few subjects and conditions with many trials each, some of which
// everybody passes, by the normal approximation: a grid that is fine enough is found for each, of draws and of the exact maximum.
func TestRepeatedTrialsSettle(t *testing.T) {
	const subjects, items, trials = 17, 3, 12
	c := joint.Default()
	c.Engine, c.Draws = posterior.Laplace, 100
	for seed := range uint64(60) {
		r := rng.Stream(501+seed, "repeated trials")
		var responses []record.Response
		for s := range int32(subjects) {
			ability := 1.5 * r.Norm()
			for i := range int32(items) {
				for k := range int16(trials) {
					x := record.Response{Subject: s, Item: i, Repetition: k}
					if r.Float64() < num.Logistic(ability+3+2*float64(i)) {
						x.Value = 1
					}
					responses = append(responses, x)
				}
			}
		}
		of := cells(t, bind(t, shippedText(t, "rasch"), battery(items, nil), subjects, record.Binary), responses)
		if _, err := joint.Sample(t.Context(), of, c, 1, "x"); err != nil {
			t.Errorf("seed %d: %v", 501+seed, err)
		}
		if _, known, _ := joint.CheckExact(t.Context(), of, false); !known {
			t.Errorf("seed %d: the exact maximum is not known", 501+seed)
		}
	}
}
