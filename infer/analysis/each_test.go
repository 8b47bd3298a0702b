package analysis_test

import (
	"math"
	"testing"

	"achilles/infer/analysis"
)

// TestEachIsASetOfOne: what is said of a subject by itself is what is said of a group in which it is alone.
func TestEachIsASetOfOne(t *testing.T) {
	c := quick()
	c.Each = true
	c.Groups = []analysis.Group{{Name: "alone", Subjects: []string{"s0003"}}}
	d := run(t, simulated(6, 200), c).Document()
	rows := map[string]analysis.EachRow{}
	for _, r := range d.Tables.Each {
		if r.Subject == "s0003" {
			rows[r.Feature] = r
		}
	}
	if n := len(d.Tables.Each); n != 12 {
		t.Errorf("%d rows, want 2 for each of 6 subjects", n)
	}
	compared := 0
	for _, w := range d.Tables.Correlations {
		if g, ok := rows[w.Feature]; ok && w.Set == "alone" && !math.IsNaN(w.Conformance.Value) {
			compared++
			if g.Fall.Conformance != w.Conformance.Value || g.Correlation.Spearman.Value != w.Spearman.Value || g.Correlation.Spearman.Fisher != w.Spearman.Fisher {
				t.Errorf("%s: %+v of the subject, %+v of the group", w.Feature, g, w)
			}
			if g.Fall.P > 0.05 {
				t.Errorf("%s: P %v of a feature that matters", w.Feature, g.Fall.P)
			}
		}
	}
	for _, w := range d.Tables.Robustness {
		if g, ok := rows[w.Feature]; ok && w.Set == "alone" {
			compared++
			if g.Robustness.Value != w.Value || g.Robustness.Cells != w.Cells {
				t.Errorf("%s: %+v of the subject, %+v of the group", w.Feature, g.Robustness, w)
			}
		}
	}
	if compared != 2 {
		t.Errorf("%d rows compared, want 2", compared)
	}
	c.Each = false
	if d := run(t, simulated(6, 200), c).Document(); d.Tables.Each != nil {
		t.Error("a table that nobody asked for")
	}
}
