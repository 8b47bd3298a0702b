package tabular_test

import (
	"strings"
	"testing"

	"achilles/render/tabular"
	"achilles/sim/table"
)

// TestPValues prints p-values below their last digit as less than it, and sorts the smallest first; a minus turns that round. Files have them whole.
func TestPValues(t *testing.T) {
	x := table.Of(table.Table{Name: "x", Worst: []string{"p"}}, []float64{0.2, 1e-9, 0.03}, []table.Field[float64]{
		table.Col(table.Column{Name: "p", Digits: 3, Test: true}, func(p float64) table.Value { return table.Float(p) })})
	for by, want := range map[string]string{"p": "p <0.001 0.030 0.200", "-p": "p 0.200 0.030 <0.001"} {
		sorted, err := tabular.Sort(x, by)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(string(tabular.Text(sorted, 80))), " "); got != want {
			t.Errorf("by %s: %q, want %q", by, got, want)
		}
	}
	if got := strings.Join(strings.Fields(string(tabular.CSV(tabular.WorstFirst(x)))), " "); got != "p 1e-09 0.03 0.2" {
		t.Errorf("worst first: %q", got)
	}
}
