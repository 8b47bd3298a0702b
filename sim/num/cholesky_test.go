package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

func TestCholeskyByHand(t *testing.T) {
	// [4 2; 2 5] = L·Lᵀ with L = [2 0; 1 2]
	l := num.Lower{4, 2, 5}
	if !l.Cholesky() {
		t.Fatal("refused")
	}
	var below, above [2]float64
	l.Mul([]float64{1, 10}, below[:])
	l.MulTransposed([]float64{1, 10}, above[:])
	if below != [2]float64{2, 21} || above != [2]float64{12, 20} {
		t.Errorf("L·(1, 10) = %v and Lᵀ·(1, 10) = %v; want (2, 21) and (12, 20)", below, above)
	}
	for _, bad := range []num.Lower{{1, 2, 1}, {0, 0, 1}, {1, 1, 1}, {math.NaN(), 0, 1}, {math.Inf(1), 0, 1}} {
		if l := append(num.Lower(nil), bad...); l.Cholesky() {
			t.Errorf("%v is not positive definite, yet was factored", bad)
		}
	}
}

// TestCholeskyLaws checks that the factor times its transpose is the matrix, and that solving undoes multiplying.
func TestCholeskyLaws(t *testing.T) {
	r := rng.Stream(1, "cholesky")
	for n := 1; n <= 12; n++ {
		m := num.NewLower(n)
		for range n + 3 { // a sum of that many outer products is positive definite
			x := make([]float64, n)
			for i := range x {
				x[i] = r.Norm()
				for j, v := range x[:i+1] {
					m.Row(i)[j] += x[i] * v
				}
			}
		}
		l := append(num.Lower(nil), m...)
		if !l.Cholesky() {
			t.Fatalf("%d rows: refused", n)
		}
		for i := range n {
			for j := range i + 1 {
				s := 0.0
				for k := range j + 1 {
					s += l.Row(i)[k] * l.Row(j)[k]
				}
				if math.Abs(s-m.Row(i)[j]) > 1e-12*float64(n) {
					t.Errorf("%d rows: L·Lᵀ is %g at %d, %d, want %g", n, s, i, j, m.Row(i)[j])
				}
			}
		}
		x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = r.Norm()
		}
		l.Mul(x, y)
		l.Solve(y)
		l.MulTransposed(x, z)
		l.SolveTransposed(z)
		for i := range x {
			if math.Abs(y[i]-x[i]) > 1e-9 || math.Abs(z[i]-x[i]) > 1e-9 {
				t.Errorf("%d rows: L⁻¹L·x = %v and L⁻ᵀLᵀ·x = %v, want %v", n, y, z, x)
			}
		}
	}
}
