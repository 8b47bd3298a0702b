package analysis_test

import (
	"testing"
)

// TestSearches: the table has a row for each combination, one of them chosen, whose loss is the least; without values of one's own there is none.
func TestSearches(t *testing.T) {
	c := quick()
	c.Prediction.Models = []string{"subject", "camilla_published"}
	c.Prediction.Dimensions, c.Prediction.Layers, c.Prediction.Steps = []float64{2, 3}, []float64{4}, []float64{0.005, 0.05}
	d := run(t, simulated(6, 100), c).Document()
	chosen := 0
	for i, r := range d.Tables.Searches {
		if r.Model != "camilla_published" || r.Candidate != i+1 || r.Layer != 4 {
			t.Errorf("row %d: %+v", i, r)
		}
		if r.Chosen == "" {
			continue
		}
		chosen++
		for _, other := range d.Tables.Searches {
			if other.Loss < r.Loss {
				t.Errorf("chosen %+v, better %+v", r, other)
			}
		}
	}
	if len(d.Tables.Searches) != 4 || chosen != 1 {
		t.Errorf("%d rows, %d chosen", len(d.Tables.Searches), chosen)
	}
	for _, f := range d.Files() {
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	}
	c.Prediction.Dimensions, c.Prediction.Layers, c.Prediction.Steps = nil, nil, nil
	if d := run(t, simulated(6, 100), c).Document(); d.Tables.Searches != nil {
		t.Error("a search that nobody asked for")
	}
}
