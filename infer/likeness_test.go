package infer

import (
	"math"
	"testing"

	"achilles/infer/table"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestLikenessHasNoUnit checks that real responses in another unit are as much alike within clusters, and as surely; and that those whose residuals are all
// of their cluster correlate by 1 at most, up to what a posterior of little spread adds.
func TestLikenessHasNoUnit(t *testing.T) {
	of := func(unit float64) AlikeWithin {
		stream := rng.Stream(1, "likeness")
		c := &clustered{}
		way := table.Clustering{Name: "task"}
		for i := range 60 {
			cluster := i / 5
			shared := rng.Stream(2, "cluster", string(rune('a'+cluster)))
			c.responses = append(c.responses, record.Response{Value: unit * (3 + shared.Norm() + float64(0.2*stream.Norm()))})
			c.measure, way.Of = append(c.measure, 0), append(way.Of, cluster)
		}
		for range 50 {
			c.draws = append(c.draws, []float64{3 + float64(0.1*stream.Norm())})
		}
		c.expected = func(theta, out []float64) {
			for i := range out {
				out[i] = unit * theta[0]
			}
		}
		return c.likeness([]table.Clustering{way})[0]
	}
	one := of(1)
	if !(one.Correlation > 0.8 && one.Correlation < 1.05 && one.P < 1e-6) {
		t.Errorf("responses that are alike: %+v", one)
	}
	for _, unit := range []float64{0.01, 10, 1000} {
		if l := of(unit); math.Abs(l.Correlation-one.Correlation) > 1e-9 || math.Abs(math.Log(l.P/one.P)) > 1e-6 {
			t.Errorf("in a unit of %g: %+v, and %+v", unit, l, one)
		}
	}
}
