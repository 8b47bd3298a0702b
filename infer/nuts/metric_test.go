package nuts_test

import (
	"math"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// TestDenseByHand checks that a dense metric multiplies by its Cholesky factor and by the transposed factor.
func TestDenseByHand(t *testing.T) {
	l, ok := nuts.Cholesky([]float64{4, 2, 5})
	if !ok {
		t.Fatal("refused")
	}
	var shift, force [2]float64
	l.Push([]float64{1, 10}, shift[:])
	l.Pull([]float64{1, 10}, force[:])
	if shift != [2]float64{2, 21} || force != [2]float64{12, 20} {
		t.Errorf("L·(1, 10) = %v and Lᵀ·(1, 10) = %v; want (2, 21) and (12, 20)", shift, force)
	}
}

// TestCovarianceOracle checks that the running sums equal sums computed in two passes.
func TestCovarianceOracle(t *testing.T) {
	for root := range uint64(50) {
		rng := rng.Stream(root, "covariance")
		c := nuts.NewCovariance(3, true)
		var qs [][]float64
		for range 5 + rng.IntN(30) {
			x := rng.Norm()
			q := []float64{1000 + x, 0.5*x + rng.Norm(), rng.Exp()}
			qs = append(qs, q)
			c.Add(q)
		}
		mean, sum := c.Sum()
		at := 0
		for i := range 3 {
			for j := range i + 1 {
				var mi, mj, s float64
				for _, q := range qs {
					mi += q[i] / float64(len(qs))
					mj += q[j] / float64(len(qs))
				}
				for _, q := range qs {
					s += (q[i] - mi) * (q[j] - mj)
				}
				if math.Abs(mi-mean[i]) > 1e-10 || math.Abs(s-sum[at]) > 1e-8 {
					t.Errorf("seed %d, entry %d %d: mean %g, sum %g; two passes give %g and %g", root, i, j, mean[i], sum[at], mi, s)
				}
				at++
			}
		}
	}
}

func TestCovarianceTeachesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		qs   [][]float64
	}{
		{"empty", nil}, {"one", [][]float64{{1, 2}}}, {"a coordinate that never moved", [][]float64{{1, 2}, {2, 2}, {3, 2}}},
		{"overflow", [][]float64{{1, 1e200}, {2, -1e200}}},
	} {
		cov := nuts.NewCovariance(2, true)
		for _, q := range c.qs {
			cov.Add(q)
		}
		if _, ok := cov.Metric(); ok {
			t.Errorf("%s: a metric was made", c.name)
		}
	}
}

// TestMetricIsScaleFree checks that a change of the units of positions changes the metric by the same units, dense or
// diagonal.
func TestMetricIsScaleFree(t *testing.T) {
	for _, full := range []bool{true, false} {
		rng := rng.Stream(1, "units")
		a, b := nuts.NewCovariance(2, full), nuts.NewCovariance(2, full)
		for range 60 {
			x, y := rng.Norm(), rng.Norm()
			a.Add([]float64{x, x + 0.01*y})
			b.Add([]float64{1e6 * x, 1e-6 * (x + 0.01*y)})
		}
		ma, _ := a.Metric()
		mb, _ := b.Metric()
		var va, vb [2]float64
		ma.Push([]float64{1, -2}, va[:])
		mb.Push([]float64{1, -2}, vb[:])
		if math.Abs(vb[0]/1e6/va[0]-1) > 1e-9 || math.Abs(vb[1]/1e-6/va[1]-1) > 1e-9 {
			t.Errorf("full %v: %v and %v are not the same in other units", full, va, vb)
		}
	}
}
