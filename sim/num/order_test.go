package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

func TestSortedQuantile(t *testing.T) {
	for _, c := range []struct {
		sorted  []float64
		p, want float64
	}{
		{[]float64{1, 2, 4}, 0, 1}, {[]float64{1, 2, 4}, 1, 4}, {[]float64{1, 2, 4}, 0.5, 2}, {[]float64{1, 2, 4}, 0.75, 3}, {[]float64{7}, 0.3, 7},
		{nil, 0.5, math.NaN()}, {[]float64{math.NaN(), 1}, 0.5, math.NaN()},
	} {
		if got := num.SortedQuantile(c.sorted, c.p); got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("%g quantile of %v is %g, want %g", c.p, c.sorted, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a quantile of 1.5: no panic")
		}
	}()
	num.SortedQuantile([]float64{1}, 1.5)
}
