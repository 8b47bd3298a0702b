package predict_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestStackOfFewRows compares a stack with the items' means in 60 tables of 12 subjects and 5 items (Rasch), a third of whose responses
// are kept apart. Its log loss must be lower, by 0.1 or so (standard error 0.02), and it may classify 3 % more responses wrongly, two
// standard errors; trees that begin with the mean of all responses do 4 %.
func TestStackOfFewRows(t *testing.T) {
	parts := []predict.Predictor{predict.DefaultEASE("ease"), predict.Subject{}, predict.ItemMean{}, predict.Neighbours{ID: "subjects", Width: 0.01}}
	for _, all := range []bool{true, false} {
		stack := predict.DefaultStack("stack", parts, false)
		if !all {
			stack.Simple = 3
		}
		loss, wrong, tables := 0.0, 0.0, uint64(60)
		for seed := range tables {
			train, test := few(1+seed, 12, 5)
			ours, usual := graded(t, stack, train, test), graded(t, predict.ItemMean{}, train, test)
			loss += (ours[0] - usual[0]) / float64(tables)
			wrong += (ours[1] - usual[1]) / float64(tables)
		}
		t.Logf("all %v: log loss %+.3f, wrong %+.3f beside the items' means", all, loss, wrong)
		if loss > -0.03 || wrong > 0.03 {
			t.Errorf("all %v: log loss %+.3f, wrong %+.3f beside the items' means", all, loss, wrong)
		}
	}
}

// few draws responses by a Rasch model, and keeps a third of them apart.
func few(seed uint64, subjects, items int) (train, test *table.Table) {
	r := rng.Stream(seed, "few")
	t, b := &table.Table{Binary: true}, make([]float64, items)
	for j := range b {
		b[j] = r.Norm()
		t.Items = append(t.Items, "")
	}
	for s := range subjects {
		a := r.Norm()
		t.Subjects = append(t.Subjects, "")
		for j := range b {
			v := 0.0
			if r.Bernoulli(num.Logistic(a - b[j])) {
				v = 1
			}
			t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(j)), append(t.Value, v)
		}
	}
	var in, out []int32
	for i := range int32(t.Rows()) {
		if r.IntN(3) == 0 {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	return t.Subset(in), t.Subset(out)
}

// graded returns the mean log loss, of probabilities within 0.01 and 0.99, and the share of responses classified wrongly.
func graded(t *testing.T, p predict.Predictor, train, test *table.Table) [2]float64 {
	m, err := p.Fit(context.Background(), train, 1)
	if err != nil {
		t.Fatal(err)
	}
	loss, wrong, q := 0.0, 0.0, make([]float64, test.Rows())
	m.Predict(test.Subject, test.Item, q)
	for i, y := range test.Value {
		p := min(max(q[i], 0.01), 0.99)
		loss -= y*math.Log(p) + (1-y)*math.Log(1-p)
		if (p >= 0.5) != (y == 1) {
			wrong++
		}
	}
	return [2]float64{loss / float64(len(q)), wrong / float64(len(q))}
}
