package seal_test

import (
	"strings"
	"testing"

	"achilles/scenarios/seal"
)

// TestSums checks that Sums and Sum agree, for one path after another, and that the length of a name counts.
func TestSums(t *testing.T) {
	k := seal.NewKey(7)
	sums := k.Sums("id")
	seen := map[[32]byte]bool{}
	for _, path := range [][]string{nil, {""}, {"a", "bc"}, {"ab", "c"}, {strings.Repeat("x", 300)}, {"item", "worlds-000001", "1", "0"}} {
		got, want := sums(path...), k.Sum("id", path...)
		if got != want || seen[got] {
			t.Errorf("%q: %x, want %x, unlike all others", path, got, want)
		}
		seen[got] = true
	}
}
