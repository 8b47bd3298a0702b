package predict_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// TestRankByHand checks AUC and F1 by hand: of the four pairs of a success and a failure, three are in order and one is
// tied.
func TestRankByHand(t *testing.T) {
	y := []float64{1, 0, 1, 0}
	near(t, "AUC", predict.AUC(y, []float64{0.9, 0.5, 0.5, 0.1}), 3.5/4, 1e-12)
	near(t, "reversed", predict.AUC(y, []float64{0.1, 0.5, 0.5, 0.9}), 0.5/4, 1e-12)
	if v := predict.AUC([]float64{1, 1}, []float64{0.2, 0.3}); !math.IsNaN(v) {
		t.Errorf("AUC without a failure is %v", v)
	}
	tb := &table.Table{Binary: true, Subjects: []string{"A"}, Items: []string{"i"}, Subject: make([]int32, 4), Item: make([]int32, 4), Value: y}
	// 0.9 and both 0.5 predict success: one failure is missed. F1 of successes 4/5, of failures 2/3.
	g := predict.NewGrade(tb, []float64{0.9, 0.5, 0.5, 0.1})
	near(t, "F1", g.F1, (4.0/5+2.0/3)/2, 1e-12)
	near(t, "AUC of the grade", g.AUC, 3.5/4, 1e-12)
	near(t, "RMSE", g.RMSE, math.Sqrt((0.01+0.25+0.25+0.01)/4), 1e-12)
	near(t, "F1 of one class", predict.NewGrade(tb, []float64{1, 1, 1, 1}).F1, (2.0*2/6)/2, 1e-12)
}

// TestAUCAgainstPairs compares AUC with its definition over all pairs, on predictions with ties.
func TestAUCAgainstPairs(t *testing.T) {
	for seed := range uint64(200) {
		r := rng.Stream(seed, "auc")
		y, p := make([]float64, 30), make([]float64, 30)
		for i := range y {
			y[i], p[i] = float64(r.IntN(2)), float64(r.IntN(6))/5
		}
		wins, pairs := 0.0, 0.0
		for i := range y {
			for j := range y {
				if y[i] == 1 && y[j] == 0 {
					pairs++
					switch {
					case p[i] > p[j]:
						wins++
					case p[i] == p[j]:
						wins += 0.5
					}
				}
			}
		}
		near(t, "AUC", predict.AUC(y, p), wins/pairs, 1e-12)
	}
}

// TestNeighboursByHand checks predictions by hand. B answers as A does, and C the opposite. The prediction of A's
// missing response follows B, with the weights exp(−(0·2 + ½)/(3·0.1)) of B and exp(−(1·2 + ½)/(3·0.1)) of C.
func TestNeighboursByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B", "C", "D"}, Items: []string{"i", "j", "k"},
		Subject: []int32{0, 0, 1, 1, 1, 2, 2, 2}, Item: []int32{0, 1, 0, 1, 2, 0, 1, 2}, Value: []float64{1, 0, 1, 0, 1, 0, 1, 0}}
	m := fit(t, predict.Neighbours{ID: "near", Width: 0.1}, tb)
	p := make([]float64, 2)
	m.Predict([]int32{0, 3}, []int32{2, 2}, p)
	b, c := math.Exp(-0.5/0.3), math.Exp(-2.5/0.3)
	near(t, "A on k", p[0], b/(b+c), 1e-6)
	near(t, "D, who has answered nothing", p[1], 0.5, 1e-6)
	turned := fit(t, predict.Neighbours{ID: "near", Width: 0.1, Items: true}, tb)
	turned.Predict([]int32{0}, []int32{2}, p[:1])
	// k agrees with i in both responses that they share (B 1 1, C 0 0), and with j in neither
	near(t, "A on k by items", p[0], b/(b+c), 1e-6)
}

// TestProfileByHand checks predictions by hand. A solved half of the red items. B has no response to a red item, so
// that its overall rate counts. C has no response, so that the rate of all rows counts.
func TestProfileByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B", "C"}, Items: []string{"i", "j", "k"}, Features: []table.Feature{{Name: "red", Value: []float64{1, 1, 0}}},
		Subject: []int32{0, 0, 0, 1}, Item: []int32{0, 1, 2, 2}, Value: []float64{1, 0, 1, 1}}
	m := fit(t, predict.Profile{ID: "skills", Skills: []string{"red"}}, tb)
	p := make([]float64, 4)
	m.Predict([]int32{0, 0, 1, 2}, []int32{0, 2, 1, 1}, p)
	for i, want := range []float64{0.5, 1, 1, 0.75} {
		near(t, "prediction", p[i], want, 1e-12)
	}
	if _, err := (predict.Profile{Skills: []string{"blue"}}).Fit(context.Background(), tb, 1); err == nil {
		t.Error("no error for a skill that is not there")
	}
}

// TestStack checks that a stack, whose parts each know something different, predicts new responses better than each
// part.
func TestStack(t *testing.T) {
	r := rng.Stream(5, "stack")
	tb, truth := simulated(&r, 80, 60)
	var train []int32
	for i := range tb.Value {
		if r.Bernoulli(0.6) {
			train = append(train, int32(i))
		}
	}
	parts := []predict.Predictor{predict.Neighbours{ID: "items", Items: true, Width: 0.1}, predict.Neighbours{ID: "subjects", Width: 0.1}, predict.Subject{}}
	distance := func(p predict.Predictor) float64 {
		sum := 0.0
		for i, q := range all(tb, fit(t, p, tb.Subset(train))) {
			sum += (q - truth[i]) * (q - truth[i])
		}
		return math.Sqrt(sum / float64(len(truth)))
	}
	stack := distance(predict.Stack{ID: "stack", Parts: parts, Folds: 4, MaxRows: 10_000})
	for _, p := range parts {
		if d := distance(p); stack > 0.97*d {
			t.Errorf("the stack is off by %.3f, its part %s by %.3f", stack, p.Name(), d)
		}
	}
}
