package predict_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestLogLinkByHand checks the link of scores of two values: where both have many responses, its probabilities are their success rates.
func TestLogLinkByHand(t *testing.T) {
	var z, y []float64
	for k := range 8000 {
		z = append(z, float64(k%2))
		y = append(y, b2f(k%2 == 0 && k%10 == 0 || k%2 == 1 && k%10 != 1)) // 1 in 5 of the scores 0, 4 in 5 of the scores 1
	}
	p := predict.LogLink(z, y)
	near(t, "score 0", p(0), 0.2, 1e-3)
	near(t, "score 1", p(1), 0.8, 1e-3)
	near(t, "score ½", p(0.5), 0.5, 1e-3)
	sure := predict.LogLink([]float64{0, 0, 1, 1}, []float64{0, 0, 1, 1})
	if q := sure(1); !(q > 0.8 && q < 1) {
		t.Errorf("scores that separate four outcomes have the probability %v", q)
	}
	if q := predict.LogLink([]float64{0.5, 0.5}, []float64{0, 0})(0.5); !(q > 0.4 && q < 0.5) {
		t.Errorf("two failures at a score of one half have the probability %v", q)
	}
	for _, v := range [][]float64{{0.5}, {-1e6, 1e6}, {1, 1, 1}} { // few, far, and all alike: Newton's steps stay finite
		for y := range 2 {
			if q := predict.LogLink(v, slices.Repeat([]float64{float64(y)}, len(v)))(v[0]); math.IsNaN(q) {
				t.Errorf("scores %v of outcomes %d have no probability", v, y)
			}
		}
	}
}

// TestEASEPredictsProbabilities checks that a regression on other responses has a lower log loss than one that moves its scores into [0, 1], where
// subjects of four kinds respond alike but for one response in twenty: the latter are sure of some that are wrong. Every seed must agree.
func TestEASEPredictsProbabilities(t *testing.T) {
	for seed := range uint64(6) {
		r := rng.Stream(1950+seed, "ease", "probabilities")
		tb := &table.Table{Binary: true}
		for j := range 60 {
			tb.Items = append(tb.Items, strconv.Itoa(j))
		}
		var kind [4][60]bool
		for k := range kind {
			for j := range kind[k] {
				kind[k][j] = r.Bernoulli(0.7)
			}
		}
		for s := range 80 {
			tb.Subjects = append(tb.Subjects, strconv.Itoa(s))
			for j := range tb.Items {
				tb.Subject, tb.Item = append(tb.Subject, int32(s)), append(tb.Item, int32(j))
				tb.Value = append(tb.Value, b2f(kind[s%4][j] != r.Bernoulli(0.05)))
			}
		}
		var rows, rest []int32
		for i := range tb.Value {
			if r.Bernoulli(0.6) {
				rows = append(rows, int32(i))
			} else {
				rest = append(rest, int32(i))
			}
		}
		train, test := tb.Subset(rows), tb.Subset(rest)
		loss := func(binary bool) (sum float64) {
			train.Binary = binary
			p := make([]float64, test.Rows())
			fit(t, predict.DefaultEASE("ease"), train).Predict(test.Subject, test.Item, p)
			for i, q := range p {
				q = min(max(q, 1e-15), 1-1e-15)
				sum -= test.Value[i]*num.Log(q) + (1-test.Value[i])*num.Log1p(-q)
			}
			return sum / float64(len(p))
		}
		if linked, scores := loss(true), loss(false); linked >= scores {
			t.Errorf("seed %d: log loss %.3f of probabilities, %.3f of scores", 1950+seed, linked, scores)
		}
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
