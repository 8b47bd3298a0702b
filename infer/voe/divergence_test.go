package voe_test

import (
	"math"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/rng"
)

// TestDivergence holds sums worked by hand: a less efficient actor surprises by the Kullback–Leibler divergence, 0.8 log 9, a more
// efficient one not at all, and neighbours whose ratios fall count as one, 0.6 log 0.75 + 0.4 log 2. A goal that has become more probable
// surprises by the log of its ratio, log 5 or log 2 however improbable it still is, and what both goals have of a manner counts as one.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		now, before [][]float64
		want        float64
	}{
		{[][]float64{{0.1, 0.9}}, [][]float64{{0.9, 0.1}}, 0.8 * math.Log(9)},
		{[][]float64{{0.9, 0.1}}, [][]float64{{0.1, 0.9}}, 0},
		{[][]float64{{0.5, 0.1, 0.4}}, [][]float64{{0.2, 0.6, 0.2}}, 0.6*math.Log(0.75) + 0.4*math.Log(2)},
		{[][]float64{{0.5}, {0.5}}, [][]float64{{0.9}, {0.1}}, math.Log(5)},
		{[][]float64{{0.96}, {0.04}}, [][]float64{{0.98}, {0.02}}, math.Log(2)},
		{[][]float64{{0.1, 0.4}, {0, 0.5}}, [][]float64{{0.4, 0.1}, {0.5, 0}}, 0.8 * math.Log(9)},
	} {
		if got := voe.Divergence(c.now, c.before); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("from %v to %v: %v nats, want %v", c.before, c.now, got, c.want)
		}
	}
}

// TestDivergenceIsLeast checks that beliefs before, changed at random towards more efficient manners, are never nearer than Divergence
// says.
func TestDivergenceIsLeast(t *testing.T) {
	r := rng.Stream(1, "divergence")
	draw := func() []float64 {
		p, sum := make([]float64, 5), 0.0
		for i := range p {
			p[i] = 0.01 + r.Float64()
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	for range 200 {
		now, before := draw(), draw()
		least := voe.Divergence([][]float64{now}, [][]float64{before})
		moved := append([]float64(nil), before...)
		for range 30 {
			from := 1 + r.IntN(4)
			to, x := r.IntN(from), r.Float64()*moved[from]
			moved[from] -= x
			moved[to] += x
			kl := 0.0
			for i := range now {
				kl += now[i] * math.Log(now[i]/moved[i])
			}
			if kl < least-1e-9 {
				t.Fatalf("from %v to %v: %v nats, but from %v only %v", before, now, least, moved, kl)
			}
		}
	}
}
