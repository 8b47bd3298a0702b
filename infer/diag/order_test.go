package diag_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/rng"
)

// TestAscending compares the radix sort with a stable sort, of numbers of all sizes with ties, both zeros and infinities.
func TestAscending(t *testing.T) {
	r := rng.Stream(1, "ascending")
	for _, n := range []int{0, 1, 2, 7, 600} {
		xs := make([]float64, n)
		for i := range xs {
			switch r.IntN(5) {
			case 0:
				xs[i] = float64(r.IntN(3) - 1)
			case 1:
				xs[i] = math.Copysign(0, r.Float64()-0.5)
			case 2:
				xs[i] = math.Inf(r.IntN(2)*2 - 1)
			default:
				xs[i] = math.Ldexp(r.Norm(), r.IntN(600)-300)
			}
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
		if got := diag.Ascending(xs); !slices.Equal(got, want) {
			t.Errorf("order %v of %g, want %v", got, xs, want)
		}
	}
}

// TestEachAsAlone checks that quantities summarised together have the figures that they have alone: normal draws, draws with ties
// and draws that do not vary.
func TestEachAsAlone(t *testing.T) {
	r := rng.Stream(1, "each")
	quantities := make([][][]float64, 3)
	for k := range quantities {
		for range 4 {
			c := make([]float64, 51)
			for i := range c {
				c[i] = []float64{r.Norm(), float64(r.IntN(4)), 1}[k]
			}
			quantities[k] = append(quantities[k], c)
		}
	}
	for k, got := range diag.SummariseEach(len(quantities), func(k int) [][]float64 { return quantities[k] }) {
		want := diag.Summarise(quantities[k])
		for _, f := range [][2]float64{{got.RHat, want.RHat}, {diag.RHat(quantities[k]), want.RHat}, {got.ESSBulk, want.ESSBulk}, {got.ESSTail, want.ESSTail}} {
			if f[0] != f[1] && !(math.IsNaN(f[0]) && math.IsNaN(f[1])) {
				t.Errorf("quantity %d: %g together, %g alone", k, f[0], f[1])
			}
		}
	}
	if x := diag.Summarise(quantities[0]).RHat; !(x > 0.9 && x < 1.2) {
		t.Errorf("R-hat %g of independent draws", x)
	}
}
