package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestEigen checks that eigenvectors are orthonormal and give the matrix back, even if eigenvalues are equal or 0.
func TestEigen(t *testing.T) {
	for seed := range uint64(60) {
		r := rng.Stream(seed, "eigen")
		n, rank := 1+r.IntN(12), 1+r.IntN(12)
		a, was := make([][]float64, n), make([][]float64, n)
		for i := range a {
			a[i], was[i] = make([]float64, n), make([]float64, n)
		}
		for range rank {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.Norm()
			}
			for i := range a {
				for j := range a {
					a[i][j] += x[i] * x[j]
					was[i][j] += x[i] * x[j]
				}
			}
		}
		values, vectors := num.Eigen(a)
		for i := range n {
			for j := range n {
				product, back := 0.0, 0.0
				for k := range n {
					product += vectors[i][k] * vectors[j][k]
					back += values[k] * vectors[k][i] * vectors[k][j]
				}
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(product-want) > 1e-12 || math.Abs(back-was[i][j]) > 1e-11*float64(rank) {
					t.Errorf("seed %d, %d × %d of rank %d: element %d, %d: product %g, matrix %g for %g", seed, n, n, rank, i, j, product, back, was[i][j])
				}
			}
		}
	}
}
