package record_test

import (
	"slices"
	"testing"

	"achilles/sim/record"
)

func TestCompareNames(t *testing.T) {
	sorted := []string{"", "agent", "agent 01", "agent 1", "agent 2", "agent 2b", "agent 010", "agent 10", "body 3", "body 3 x 2", "body 3 x 12"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got, want := record.CompareNames(a, b), i-j; got < 0 != (want < 0) || got > 0 != (want > 0) {
				t.Errorf("%q and %q compare as %d, in the list as %d", a, b, got, want)
			}
		}
	}
	shuffled := []string{"s10", "s9", "s1"}
	slices.SortFunc(shuffled, record.CompareNames)
	if !slices.Equal(shuffled, []string{"s1", "s9", "s10"}) {
		t.Errorf("sorted %q", shuffled)
	}
}
