package predict_test

import (
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/sim/rng"
)

// TestRelaxation checks that six rounds of over-relaxation leave less than a fifth of what one round leaves of the way to the imputation
// at which rounds end, where a third of the responses is missing. Without it they leave more than a quarter.
func TestRelaxation(t *testing.T) {
	r := rng.Stream(882, "relaxation")
	tb, _ := simulated(&r, 60, 30)
	var train []int32
	for i := range tb.Value {
		if r.Bernoulli(0.67) {
			train = append(train, int32(i))
		}
	}
	after := func(rounds int) []float64 {
		return all(tb, fit(t, predict.EASE{ID: "ease", Ridges: []float64{0.4}, Rounds: rounds, Widest: 100}, tb.Subset(train)))
	}
	end := after(200)
	left := func(rounds int) float64 {
		sum := 0.0
		for i, p := range after(rounds) {
			sum += (p - end[i]) * (p - end[i])
		}
		return math.Sqrt(sum / float64(len(end)))
	}
	one, six := left(1), left(predict.DefaultEASE("ease").Rounds)
	if six > one/5 {
		t.Errorf("six rounds leave %.4f, one leaves %.4f", six, one)
	}
}
