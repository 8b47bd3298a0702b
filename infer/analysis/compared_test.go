package analysis

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/table"
)

// TestCompared checks by hand three subjects on four items, of which two need the skill. Of the items that A passes, the others pass q2 least
// (0 of 2); of those that it fails, q3 most (2 of 2). At items with the skill it fails none.
func TestCompared(t *testing.T) {
	responses := map[string][]float64{"A": {1, 1, 0, 0}, "B": {1, 0, 1, 0}, "C": {1, 0, 1, 1}}
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B", "C"}, Items: []string{"q1", "q2", "q3", "q4"}, Features: []table.Feature{{Name: "skill", Value: []float64{1, 1, 0, math.NaN()}}}}
	for s, id := range tb.Subjects {
		for j, v := range responses[id] {
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(j)), append(tb.Value, v)
		}
	}
	rows, err := compared(tb, []string{"C", "A"}, []string{"skill"})
	if err != nil || len(rows) != 4 {
		t.Fatal(rows, err)
	}
	if r := rows[2]; r != (ComparedRow{"A", "all", 4, 0.5, "q2", "q3", 0, 1}) {
		t.Errorf("A: %+v", r)
	}
	if r := rows[3]; r.Class != "skill" || r.Items != 2 || r.SuccessRate != 1 || r.Passed != "q2" || r.Failed != "" || !math.IsNaN(r.FailedBy) {
		t.Errorf("A with the skill: %+v", r)
	}
	if r := rows[0]; r != (ComparedRow{"C", "all", 4, 0.75, "q4", "q2", 0, 0.5}) {
		t.Errorf("C: %+v", r)
	}
	if _, err := compared(tb, []string{"D"}, nil); err == nil || !strings.Contains(err.Error(), `subject "D" is not in the data`) {
		t.Errorf("an unknown subject: %v", err)
	}
}
