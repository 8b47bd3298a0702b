package infer_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/sim/table"
)

// numbersAre compares numbers of a row of a table; NaN stands for an empty cell.
func numbersAre(t *testing.T, got *table.Table, row int, want map[string]float64) {
	t.Helper()
	for name, x := range want {
		v, ok := got.Value(row, name).Number()
		if ok == math.IsNaN(x) || ok && math.Abs(v-x) > 1e-12 {
			t.Errorf("row %d: %s is %v, %v, want %v", row, name, v, ok, x)
		}
	}
}

// TestPredictMixture compares the mixture of three parts of demand 0 and one of demand 2 with values by hand: at its draws 0 and log 3, a
// passes demand 0 with the probabilities 1/2 and 3/4, and demand 2 with 1/(1 + e²) and 3/(3 + e²). b did not take demand 2, c nothing.
func TestPredictMixture(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	got, err := infer.PredictMixture(public, res, l, infer.Mixture{Column: "demand", Groups: []string{"2", "0"}, Weight: []float64{0.5, 1.5}, Level: 0.9, Safe: 0.6})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	none, e2 := math.NaN(), math.Exp(2)
	first, second := 0.75/2+0.25/(1+e2), 0.75*0.75+0.25*3/(3+e2)
	if len(got.Rows) != 3 {
		t.Fatalf("%d rows", len(got.Rows))
	}
	numbersAre(t, got, 0, map[string]float64{"expected": (first + second) / 2, "low": first + 0.05*(second-first), "safe": 0.5, "observed": 0.75, "unweighted": 0.5, "responses": 2})
	numbersAre(t, got, 1, map[string]float64{"expected": first, "low": first, "safe": 0, "observed": none, "unweighted": 1, "responses": 1})
	numbersAre(t, got, 2, map[string]float64{"expected": none, "safe": none, "observed": none, "unweighted": none, "responses": 0})
	if a, b := got.Value(0, "judgement").Text(), got.Value(1, "judgement").Text(); a != infer.Undecided || b != infer.Unsafe {
		t.Errorf("judged %s and %s", a, b)
	}
	// of items that nobody took, in groups that the data do not have: nothing was observed
	got, err = infer.PredictMixture(public, res, l, infer.Mixture{Items: newItems(0, 1, 1), Column: "demand", Groups: []string{"0", "1"}, Weight: []float64{1, 1}, Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	numbersAre(t, got, 1, map[string]float64{"expected": (0.5 + 1/(1+math.E)) / 2, "observed": none, "responses": 0})
	for want, x := range map[string]infer.Mixture{
		"no item has demand = 3":     {Column: "demand", Groups: []string{"0", "3"}, Weight: []float64{1, 1}},
		"items have no column sorte": {Column: "sorte", Groups: []string{"0"}, Weight: []float64{1}},
	} {
		if _, err := infer.PredictMixture(public, res, l, x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestWithinLimits compares with values by hand: a has no more skill than half of the items of demand 0 need, and the will 3, so that with
// all skill it passes them with the probability σ(3) = 0.95, and those of demand 2 with σ(1) = 0.73.
func TestWithinLimits(t *testing.T) {
	text := strings.Replace(logisticLayout, "[response.success]\np = \"logistic(skill - demand)\"", "will = { prior = \"normal(0, 5)\" }\n[response.success]\np = \"logistic(skill - demand)*logistic(will - demand)\"", 1)
	public, res, l := unseenCase(t, text)
	draws := &infertest.Draws{Names: []string{"skill", "will"}}
	draws.Add("a", 0, 0, 0, 3)
	draws.Add("b", 0, 0, 0, -3)
	res.Draws = draws
	got, err := infer.WithinLimits(public, res, l, infer.Within{Capability: "skill", Limit: 0.8, Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	none, s1, s3 := math.NaN(), 1/(1+math.Exp(-1)), 1/(1+math.Exp(-3))
	numbersAre(t, got, 0, map[string]float64{"items": 1, "responses": 1, "observed": 1, "expected": s3 / 2, "low": s3 / 2, "with_all": s3})
	for _, row := range []int{1, 2} { // b has no will for any, c no draws
		numbersAre(t, got, row, map[string]float64{"items": 0, "responses": 0, "observed": none, "expected": none, "with_all": none})
	}
	if got, err = infer.WithinLimits(public, res, l, infer.Within{Capability: "skill", Limit: 0.7, Level: 0.9}); err != nil {
		t.Fatal(err)
	}
	numbersAre(t, got, 0, map[string]float64{"items": 2, "responses": 2, "observed": 0.5, "with_all": (s1 + s3) / 2})
	if _, err := infer.WithinLimits(public, res, l, infer.Within{Capability: "noise", Limit: 0.8, Level: 0.9}); err == nil || !strings.Contains(err.Error(), "noise is not a capability of the layout: it has skill, will") {
		t.Error(err)
	}
}
