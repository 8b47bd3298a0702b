package posterior_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// TestClosest compares the nearest points, on a lattice with many ties, with those of a stable sort. The two coordinates have
// the same spread, so that distances in standard deviations order as those in the coordinates do.
func TestClosest(t *testing.T) {
	r := rng.Stream(1, "closest")
	for _, n := range []int{1, 3, 5, 100} {
		points := make([][]float64, 0, 2*n)
		for range n {
			x, y := float64(r.IntN(4)), float64(r.IntN(4))
			points = append(points, []float64{x, y}, []float64{y, x})
		}
		far := func(i int) float64 { return math.Pow(points[i][0]-1, 2) + math.Pow(points[i][1]-1, 2) }
		want := make([]int, len(points))
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
		want = want[:min(5, len(want))]
		if got := posterior.Closest(points, []float64{1, 1}, 5); !slices.Equal(got, want) {
			t.Errorf("points %v of %v, want %v", got, points, want)
		}
	}
}
