package infer_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer"
)

// TestPredictNotTakenTogether infers subjects together and predicts the responses that the data lack: b's to y and c's, of whom no response is
// scored, to both items. Each is the mean over the draws, by hand.
func TestPredictNotTakenTogether(t *testing.T) {
	public, _, l := unseenCase(t, `name = "mine"
[capability]
skill = { prior = "normal(0, spread)" }
[shared]
spread = { prior = "halfnormal(1)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(skill - difficulty)"
`)
	j := infer.Job{Settings: infer.Default(l), Layout: l}
	j.Chains, j.Draws, j.Warmup = 2, 100, 100
	out := sink()
	if _, err := infer.Run(context.Background(), public, j, sink(), out); err != nil {
		t.Fatal(err)
	}
	res, err := infer.Open(dir(out.files))
	if err != nil {
		t.Fatal(err)
	}
	got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	difficulty := map[string][][]float64{}
	for k, u := range res.Units {
		if u.Parameter == "difficulty" {
			if difficulty[u.Unit], err = res.UnitDraws.Of(k); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(got.Rows) != 3 {
		t.Fatalf("%d rows", len(got.Rows))
	}
	for i, cell := range [][2]string{{"b", "y"}, {"c", "x"}, {"c", "y"}} {
		of, err := res.Draws.Of(cell[0])
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for d := range of.Draw {
			want += 1 / (1 + math.Exp(difficulty[cell[1]][of.Chain[d]][of.Draw[d]]-of.Values[0][d])) / float64(len(of.Draw))
		}
		if p, ok := got.Value(i, "expected").Number(); !ok || math.Abs(p-want) > 1e-9 || got.Value(i, "subject").Text() != cell[0] || got.Value(i, "item").Text() != cell[1] {
			t.Errorf("row %d: %v, %v; want %v of %v", i, p, ok, want, cell)
		}
	}
}
