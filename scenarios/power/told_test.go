package power_test

import (
	"math"
	"testing"

	"achilles/scenarios/power"
	"achilles/sim/rng"
)

// TestTellByHand checks a subject that passes each of three items. A rival that passes none is told after one item. The
// ratio against a rival that passes each with probability 0.1 grows by ln 10 = 2.3 nats an item, so two items tell it. A
// subject is never told from its like.
func TestTellByHand(t *testing.T) {
	r := rng.Stream(1, "tell")
	got := power.Tell([]float64{1, 1, 1}, [][]float64{{0, 0, 0}, {0.1, 0.1, 0.1}, {1, 1, 1}}, 3, &r)
	for k, want := range [][]float64{{1, 1, 1}, {0, 1, 1}, {0, 0, 0}} {
		for n := range want {
			if math.Abs(got[k][n]-want[n]) > 1e-9 {
				t.Errorf("rival %d, %d items: %v, want %v", k, n+1, got[k][n], want[n])
			}
		}
	}
}

// TestTellAgainstBinomial checks the probability against the exact one. A subject passes 20 equal items at 0.8 and its
// rival at 0.4; with k passes the ratio is k ln 2 − (20 − k) ln 3 nats, and k is binomial.
func TestTellAgainstBinomial(t *testing.T) {
	const n = 20
	p, q := make([]float64, n), make([]float64, n)
	for i := range p {
		p[i], q[i] = 0.8, 0.4
	}
	want, choose := 0.0, 1.0
	for k := range n + 1 {
		if float64(k)*math.Ln2-float64(n-k)*math.Log(3) >= power.Told {
			want += choose * math.Pow(0.8, float64(k)) * math.Pow(0.2, float64(n-k))
		}
		choose *= float64(n-k) / float64(k+1)
	}
	r := rng.Stream(1, "binomial")
	got := power.Tell(p, [][]float64{q}, n, &r)[0][n-1]
	if se := math.Sqrt(want * (1 - want) / 400); math.Abs(got-want) > 5*se || want < 0.5 || want > 0.99 {
		t.Errorf("%v, want %v ± %v", got, want, se)
	}
}
