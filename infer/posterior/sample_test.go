package posterior_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/nuts"
	"achilles/infer/posterior"
)

// A valley is a normal density in two dimensions with the correlation 0.999, along which chains whose trajectories are short hardly get on.
type valley struct{}

func (valley) Dim() int { return 2 }

func (valley) LogDensity(q, grad []float64) float64 {
	const r = 0.999
	a, b := (q[0]-r*q[1])/(1-r*r), (q[1]-r*q[0])/(1-r*r)
	grad[0], grad[1] = -a, -b
	return -(q[0]*a + q[1]*b) / 2
}

func (valley) Constrain(q, theta []float64) { copy(theta, q) }

// TestEnough checks that chains go on from where they were until half as many draws are effective as were asked for, or there are sixteen times as
// many, or the most that there may be; that they do not go on where enough are; and that goroutines change nothing.
func TestEnough(t *testing.T) {
	c := posterior.Default()
	sample := func(d posterior.Density, depth int, enough float64, jobs int) *posterior.Posterior {
		t.Helper()
		c.Draws, c.Metric, c.MaxDepth, c.Enough, c.Jobs = 100, nuts.Diagonal, depth, enough, jobs
		p, err := posterior.Sample(t.Context(), func() posterior.Density { return d }, [][]float64{{0, 0}, {1, 1}, {-1, -1}, {0.5, 0.5}}, []string{"a", "b"}, c, 1, "enough")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if n := len(sample(coin{}, 10, 2000, 1).Draws[0]); n != 100 {
		t.Errorf("chains that mix have %d draws", n)
	}
	for depth, draws := range map[int]int{2: 1600, 6: 0} {
		short, long, other := sample(valley{}, depth, 0, 1), sample(valley{}, depth, 2000, 1), sample(valley{}, depth, 2000, 3)
		n, least := len(long.Draws[0]), math.Inf(1)
		for _, s := range long.Summaries {
			least = min(least, s.ESSBulk, s.ESSTail)
		}
		if len(short.Draws[0]) != 100 || n <= 100 || draws != 0 && n != draws || draws == 0 && (n >= 1600 || n%100 == 0 || least < 200) {
			t.Errorf("depth %d: %d draws, %.0f of them effective, and %d where chains do not go on", depth, n, least, len(short.Draws[0]))
		}
		for i, chain := range long.Draws {
			for k, x := range chain {
				if !slices.Equal(x, other.Draws[i][k]) || k < 100 && !slices.Equal(x, short.Draws[i][k]) {
					t.Fatalf("depth %d: chain %d, draw %d differs", depth, i, k)
				}
			}
		}
	}
	c.Most = 250
	if n := len(sample(valley{}, 2, 2000, 1).Draws[0]); n != 250 {
		t.Errorf("chains that may have 250 draws have %d", n)
	}
}
