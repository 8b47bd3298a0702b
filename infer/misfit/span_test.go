package misfit_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestCheckWithin checks that results are the same up to rounding if expectations are not held, but computed when wanted.
func TestCheckWithin(t *testing.T) {
	it := battery(300)
	flagged := 0
	for _, m := range models {
		for s := range uint64(2) {
			r := rng.Stream(s, "within", m.name)
			var other func(p float64, item int, at float64) float64
			if s%2 == 1 {
				other = func(p float64, item int, at float64) float64 { return 0.6*p + 0.3*it.Columns[0].Number[item] }
			}
			d := m.subject(it, &r, other)
			first, second := r, r
			whole := misfit.Check(d, 0.1, &first)
			if whole.P <= 0.1 {
				flagged++
			}
			for k, most := range []int{0, 20 * d.Classes, 150 * d.Classes, 1000 * d.Classes} {
				if uint64(k)%2 != s && !longtest.On() {
					continue // two of them for either subject
				}
				again := second
				within := misfit.CheckWithin(d, 0.1, &again, most)
				if d := cmp.Diff(whole, within, cmpopts.EquateApprox(1e-6, 1e-9)); d != "" {
					t.Errorf("%s, subject %d, %d numbers: %s", m.name, s, most, d)
				}
			}
		}
	}
	if flagged < 3 {
		t.Errorf("only %d subjects are flagged", flagged)
	}
}

// TestSpan checks that the principal components of vectors are the same whether all are held or some at a time: the same subspace, with
// the same sums of squares along them.
func TestSpan(t *testing.T) {
	r := rng.Stream(3, "span")
	for _, length := range []int{1, 3, 40, 900} {
		const n = 60
		vectors := make([][]float64, n)
		for m := range vectors {
			vectors[m] = make([]float64, length)
			for c := range vectors[m] {
				vectors[m][c] = r.Norm() / math.Sqrt(n) * math.Exp(-float64(c)/8)
			}
		}
		write := func(m int, to []float64) { copy(to, vectors[m]) }
		whole := misfit.Span(n, length, n*length, write)
		for _, most := range []int{0, 7 * length, n*length - 1} {
			some := misfit.Span(n, length, most, write)
			if len(some) != len(whole) {
				t.Fatalf("length %d, %d numbers: %d components, want %d", length, most, len(some), len(whole))
			}
			for k, u := range some {
				dot := 0.0
				for c, x := range u {
					dot += x * whole[k][c]
				}
				if math.Abs(math.Abs(dot)-1) > 1e-6 {
					t.Errorf("length %d, %d numbers: component %d has the product %g with that of all vectors", length, most, k, dot)
				}
			}
		}
	}
}
