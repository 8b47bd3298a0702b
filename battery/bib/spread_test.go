package bib_test

import (
	"testing"

	"achilles/battery/bib"
)

// TestSpreads checks the quartiles and the mean of a measure by hand, and that a measure without values has no numbers.
func TestSpreads(t *testing.T) {
	var s bib.Sample
	s.Values[0] = []float64{9, 1, 2, 3, 5}
	x := bib.Spreads([]string{"a", "b"}, []bib.Sample{s, {}})
	if err := x.Check(); err != nil {
		t.Error(err)
	}
	for k, measure := range bib.MeasureNames() {
		for i, of := range []string{"a", "b"} {
			if row := 2*k + i; row >= len(x.Rows) || x.Value(row, "measure").Text() != measure || x.Value(row, "of").Text() != of {
				t.Fatalf("row %d of %d is not %s of %s", row, len(x.Rows), measure, of)
			}
		}
	}
	for column, want := range map[string]float64{"n": 5, "min": 1, "q25": 2, "median": 3, "q75": 5, "max": 9, "mean": 4} {
		if got, ok := x.Value(0, column).Number(); !ok || got != want {
			t.Errorf("%s is %v, want %v", column, got, want)
		}
		if column != "n" && x.Value(1, column).Exists() {
			t.Errorf("%s of nothing exists", column)
		}
	}
}
