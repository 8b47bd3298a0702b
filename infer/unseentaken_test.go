package infer_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer"
)

// TestPredictUnseenBesideResponses: of two items with the demands 0 and 2, subject a passed the first and failed the second, and b passed the
// first. Cells at 0.4, 1.6 and 2.8 are nearest to demands from -0.2 to 1, to 2.2 and to 3.4; nobody's responses are near the last.
func TestPredictUnseenBesideResponses(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Items: newItems(0.4, 1.6, 2.8), Show: []string{"demand"}, Level: 0.9, Safe: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	want := []struct {
		n         float64
		observed  string // of the one response
		judgement string // logistic(0 - demand) and logistic(log 3 - demand) against 0.3
	}{
		{1, "1", infer.Safe}, {1, "0", infer.Undecided}, {0, "", infer.Unsafe}, // 0.40 0.67; 0.17 0.38; 0.06 0.15
		{1, "1", infer.Safe}, {0, "", infer.Unsafe}, {0, "", infer.Unsafe},
		{0, "", ""}, {0, "", ""}, {0, "", ""}, // c has no draws, and its one response is not scored
	}
	if len(got.Rows) != len(want) {
		t.Fatalf("%d rows", len(got.Rows))
	}
	for i, w := range want {
		n, _ := got.Value(i, "responses").Number()
		x, ok := got.Value(i, "observed").Number()
		if n != w.n || ok != (w.observed != "") || ok && (x == 1) != (w.observed == "1") || got.Value(i, "judgement").Text() != w.judgement {
			t.Errorf("row %d: %v responses, observed %v, %q; want %+v", i, n, x, got.Value(i, "judgement").Text(), w)
		}
	}
}

// TestPredictUnseenBesideFixed: a response counts beside a cell only where it is like the cell in the fixed columns, too.
func TestPredictUnseenBesideFixed(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	for value, n := range map[float64]float64{2: 1, 1.5: 0} {
		items := newItems(value)
		got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Items: items, Show: []string{"demand"}, Fixed: []string{"demand"}, Level: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		if x, _ := got.Value(0, "responses").Number(); x != n {
			t.Errorf("%v responses beside demand %v, want %v: the one value that is fixed must be met", x, value, n)
		}
	}
}

// TestPredictNotTaken: without items, each subject is asked for the items of the data to which it has no scored response: a for none, b for y,
// whose demand is 2, and c, who has no draws, for both.
func TestPredictNotTaken(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	var cells []string
	for i := range got.Rows {
		cells = append(cells, got.Value(i, "subject").Text()+got.Value(i, "item").Text())
	}
	if p, ok := got.Value(0, "expected").Number(); !slices.Equal(cells, []string{"by", "cx", "cy"}) || !ok || math.Abs(p-1/(1+math.Exp(2))) > 1e-12 {
		t.Errorf("cells %q, the first with %v", cells, p)
	}
}
