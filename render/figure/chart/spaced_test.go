package chart

import "testing"

// TestSpaced checks that all of a few points are shown, and of many as many as there may be, evenly.
func TestSpaced(t *testing.T) {
	for _, n := range []int{0, 1, 2, MostPoints - 1, MostPoints, MostPoints + 1, 10_003, 1_000_000} {
		at := spaced(n)
		if len(at) != min(n, MostPoints) {
			t.Errorf("%d of %d points", len(at), n)
		}
		for i, k := range at {
			if n <= MostPoints && k != i {
				t.Fatalf("of %d points the one at %d is point %d", n, i, k)
			}
			if gap := n / MostPoints; n > MostPoints && (k < 0 || k >= n || i > 0 && k-at[i-1] != gap && k-at[i-1] != gap+1) {
				t.Fatalf("of %d points the one at %d is point %d, after %d", n, i, k, at[i-1])
			}
		}
	}
}
