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
	stack := distance(predict.DefaultStack("stack", parts, false))
	for _, p := range parts {
		if d := distance(p); stack > 0.97*d {
			t.Errorf("the stack is off by %.3f, its part %s by %.3f", stack, p.Name(), d)
		}
	}
}

// TestEASEByHand checks the prediction of a missing response by hand, in a table of three subjects and two items with values 1, 0, and 1 and ?.
// The mean of all is 3/5. Item i has the deviation (0.4 + 0.4 − 0.6)/4 = 0.05 and item j (0.4 − 0.6)/3 = −1/15. The regression has one
// round, whose weights come from residuals with 0 where the response is missing.
func TestEASEByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B", "C"}, Items: []string{"i", "j"},
		Subject: []int32{0, 0, 1, 1, 2}, Item: []int32{0, 1, 0, 1, 0}, Value: []float64{1, 1, 0, 0, 1}}
	item := []float64{0.2 / 4, -0.2 / 3}
	subject := []float64{(0.8 - item[0] - item[1]) / 3, (-1.2 - item[0] - item[1]) / 3, (0.4 - item[0]) / 2}
	x := [3][2]float64{}
	for i, v := range tb.Value {
		s, j := tb.Subject[i], tb.Item[i]
		x[s][j] = v - 0.6 - subject[s] - item[j]
	}
	var ii, ij, jj float64
	for _, r := range x {
		ii, ij, jj = ii+r[0]*r[0], ij+r[0]*r[1], jj+r[1]*r[1]
	}
	ridge := 0.5 * (ii + jj) / 2
	want := 0.6 + subject[2] + item[1] + x[2][0]*ij/(ii+ridge) // P is the inverse of a 2 × 2 matrix: −P_ij/P_jj = ij/(ii + λ)
	p := make([]float64, 1)
	fit(t, predict.EASE{ID: "ease", Ridges: []float64{0.5}, Rounds: 1, Widest: 10}, tb).Predict([]int32{2}, []int32{1}, p)
	near(t, "C on j", p[0], want, 1e-12)
	fit(t, predict.EASE{ID: "means", Ridges: []float64{0.5}, Rounds: 1, Widest: 1}, tb).Predict([]int32{2}, []int32{1}, p)
	near(t, "C on j by means alone", p[0], 0.6+subject[2]+item[1], 1e-12)
}

// TestPrecision checks that P is an inverse, for numbers of rows and columns with every remainder of the blocks of four.
func TestPrecision(t *testing.T) {
	for rows := 1; rows < 10; rows++ {
		for columns := 1; columns < 10; columns++ {
			r := rng.Stream(uint64(10*rows+columns), "precision")
			x := make([]float64, rows*columns)
			for i := range x {
				x[i] = r.Norm()
			}
			for a, row := range predict.Precision(x, columns, 0.5) {
				for b, v := range row {
					want := 0.0
					if a == b {
						want = 1
					}
					if math.Abs(v-want) > 1e-9 {
						t.Errorf("%d × %d: the product has %g in row %d and column %d", rows, columns, v, a, b)
					}
				}
			}
		}
	}
}

// TestEASEOfManyItems checks that regressions on subjects, which are fewer than items, come as close to the truth as the means of
// subjects and items, where nearly nothing else matters.
func TestEASEOfManyItems(t *testing.T) {
	r := rng.Stream(6, "ease")
	tb, truth := simulated(&r, 40, 90)
	var train []int32
	for i := range tb.Value {
		if r.Bernoulli(0.7) {
			train = append(train, int32(i))
		}
	}
	off := func(p predict.Predictor) (sum float64) {
		for i, q := range all(tb, fit(t, p, tb.Subset(train))) {
			sum += (q - truth[i]) * (q - truth[i])
		}
		return math.Sqrt(sum / float64(len(truth)))
	}
	if ease, means := off(predict.DefaultEASE("ease")), off(predict.EASE{Ridges: []float64{1}}); ease > 1.05*means {
		t.Errorf("off by %.3f, the means alone by %.3f", ease, means)
	}
}

// TestBinaryNeighbours checks that neighbours count agreements of responses 0 and 1 as they add up differences of other values.
func TestBinaryNeighbours(t *testing.T) {
	r := rng.Stream(7, "neighbours")
	tb, _ := simulated(&r, 30, 70)
	fractions := *tb
	fractions.Value = append([]float64(nil), tb.Value...)
	extra := tb.Rows() - 1 // one response that is not binary, of the last subject
	fractions.Value[extra] = 0.5
	o := predict.Neighbours{ID: "subjects", Width: 0.1}
	a, b := fit(t, o, tb), fit(t, o, &fractions)
	n := tb.Rows() - len(tb.Items)
	p, q := make([]float64, n), make([]float64, n)
	a.Predict(tb.Subject[:n], tb.Item[:n], p)
	b.Predict(tb.Subject[:n], tb.Item[:n], q)
	for i := range p {
		if d := math.Abs(p[i] - q[i]); d > 0.05 {
			t.Fatalf("row %d: %v as bits, %v as numbers", i, p[i], q[i])
		}
	}
}
