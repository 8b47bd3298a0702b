package nuts_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/diag"
	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// hills has a normal density of weight 0.7 around −20, and one of weight 0.3 and three times the spread around 20. Its chains cross by the map of each
// onto the other, which stretches three times.
type hills struct{}

func (hills) Dim() int { return 1 }

func (hills) LogDensity(q, grad []float64) float64 {
	low, high := q[0]+20, (q[0]-20)/3
	if q[0] < 0 {
		grad[0] = -low
		return math.Log(0.7) - low*low/2
	}
	grad[0] = -high / 3
	return math.Log(0.3/3) - high*high/2
}

func (h hills) Cross(q []float64, r *rng.Rand) bool {
	grad, to, stretch := make([]float64, 1), []float64{-20 + (q[0]-20)/3}, 1.0/3
	if q[0] < 0 {
		to[0], stretch = 20+3*(q[0]+20), 3
	}
	if !(math.Log(r.Float64()) < h.LogDensity(to, grad)+math.Log(stretch)-h.LogDensity(q, grad)) {
		return false
	}
	q[0] = to[0]
	return true
}

// TestCross checks that chains which begin on one of two hills, between which no trajectory leads, are on both in proportion, each with its own spread:
// 4.5 standard errors are by chance in 1 of 10⁵.
func TestCross(t *testing.T) {
	var above, high [][]float64
	for chain := range 4 {
		c := nuts.Default()
		c.Warmup = 300
		out, err := nuts.Sample(context.Background(), hills{}, []float64{-20}, c, 4000, rng.Stream(501, "cross", string(rune('0'+chain))))
		if err != nil {
			t.Fatal(err)
		}
		var is, square []float64
		for i, q := range out.Draws {
			if l := (hills{}).LogDensity(q, make([]float64, 1)); out.Stats[i].LogDensity != l {
				t.Fatalf("draw %d has a log density of %g, want %g", i, out.Stats[i].LogDensity, l)
			}
			if d := (q[0] - 20) / 3; q[0] > 0 {
				is, square = append(is, 1), append(square, d*d)
			} else {
				is, square = append(is, 0), append(square, (q[0]+20)*(q[0]+20))
			}
		}
		above, high = append(above, is), append(high, square)
	}
	for name, of := range map[string]struct {
		draws [][]float64
		want  float64
	}{"share of the upper hill": {above, 0.3}, "mean square around a hill": {high, 1}} {
		s := diag.SummariseEach(1, func(int) [][]float64 { return of.draws })[0]
		if !(math.Abs(s.Mean-of.want) <= 4.5*s.MCSEMean && s.MCSEMean < 0.05) {
			t.Errorf("%s: %.3f (MCSE %.4f), want %.2f", name, s.Mean, s.MCSEMean, of.want)
		}
	}
}
