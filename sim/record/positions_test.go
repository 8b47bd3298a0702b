package record_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/sim/record"
)

// TestByPosition checks by hand that an item that was taken at two places has two rows, that one which was not taken has none, and
// that responses keep their order.
func TestByPosition(t *testing.T) {
	items := &record.Items{
		ID: []string{"a", "b", "c"}, Suite: []string{"s", "s", "s"}, Paradigm: []string{"p", "q", "r"}, Task: []string{"x", "y", "z"},
		Columns: []record.Column{{Feature: record.Feature{Name: "size", Kind: record.Number}, Number: []float64{1, 0, 3}, Missing: []bool{false, true, false}}},
	}
	taken := []record.Response{{Item: 2, Position: 7, Value: 1}, {Item: 0, Position: 9}, {Item: 0, Position: 2}, {Item: 2, Position: 7, Measure: 1}}
	rows, responses := items.ByPosition(taken)
	want := &record.Items{
		ID: []string{"a", "a", "c"}, Suite: []string{"s", "s", "s"}, Paradigm: []string{"p", "p", "r"}, Task: []string{"x", "x", "z"},
		Columns: []record.Column{
			{Feature: record.Feature{Name: "size", Kind: record.Number}, Number: []float64{1, 1, 3}, Missing: []bool{false, false, false}},
			{Feature: record.Feature{Name: "position", Kind: record.Number, Role: record.Condition}, Number: []float64{2, 9, 7}},
		},
	}
	if d := cmp.Diff(want, rows, unpacked()); d != "" {
		t.Error(d)
	}
	moved := []record.Response{{Item: 2, Position: 7, Value: 1}, {Item: 1, Position: 9}, {Item: 0, Position: 2}, {Item: 2, Position: 7, Measure: 1}}
	if d := cmp.Diff(moved, responses); d != "" {
		t.Error(d)
	}
	if taken[1].Item != 0 {
		t.Error("the argument was changed")
	}
}
