package analysis_test

import (
	"math"
	"testing"

	"achilles/infer/predict"
)

// TestIntervals: with a level every model has a row of subjects' means, whose coverage is the mean over the splits; single successes and failures have
// no row. Without one there is no table, and the grades are the same.
func TestIntervals(t *testing.T) {
	c := quick()
	c.Prediction.Splits, c.Prediction.Models, c.Prediction.Intervals = 3, []string{"subject", "rasch"}, 0.9
	d := simulated(12, 120)
	a := run(t, d, c)
	rows := a.Document().Tables.Intervals
	if len(rows) != 2 {
		t.Fatalf("%d rows of 2 models", len(rows))
	}
	for i, r := range rows {
		covered := 0.0
		for _, g := range a.Prediction[i].Grades {
			covered += g.SubjectMeans.Covered / 3
		}
		if r.Model != a.Prediction[i].Model || r.Of != "subject mean" || r.Number != 12 || math.Abs(r.Coverage-covered) > 1e-12 || r.HalfWidth <= 0 || r.HalfWidth > 0.5 {
			t.Errorf("%+v, coverage %v", r, covered)
		}
	}
	c.Prediction.New = []predict.Unit{predict.Item, predict.Both}
	known := a
	a = run(t, d, c)
	if rows = a.Document().Tables.Intervals; len(rows) != 6 {
		t.Fatalf("%d rows of 2 models with new items, and new items and subjects", len(rows))
	}
	for i, r := range rows {
		if want := []string{"", "item", "both"}[i/2]; r.New != want || r.Model != c.Prediction.Models[i%2] || i < 2 && r != known.Document().Tables.Intervals[i] || !(r.Coverage > 0) {
			t.Errorf("row %d: %+v, want new: %s", i, r, want)
		}
	}
	c.Prediction.Intervals = 0
	b := run(t, d, c)
	if b.Document().Tables.Intervals != nil {
		t.Error("a table that nobody asked for")
	}
	for i := range a.Prediction {
		for k := range a.Prediction[i].Grades {
			if a.Prediction[i].Grades[k].Mean != b.Prediction[i].Grades[k].Mean {
				t.Errorf("%s, split %d: intervals change the grades", a.Prediction[i].Model, k)
			}
		}
	}
}
