package nuts_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// path is a trajectory that is given by functions. The state after k steps has position k, momentum p(k) and log density
// logp(k). A step to a k for which broken(k) is true fails.
type path struct {
	p      func(k int) []float64
	logp   func(k int) float64
	broken func(k int) bool
}

func (f path) flow() nuts.Flow {
	return nuts.FlowFunc(func(z *nuts.State, direction float64) bool {
		k := int(z.Position()[0]) + int(direction)
		z.Set([]float64{float64(k)}, f.p(k), f.logp(k))
		return f.broken == nil || !f.broken(k)
	})
}

func straight(int) []float64 { return []float64{1, 0} }
func flat(int) float64       { return 0 }

// circle returns momenta of length 1 that turn by the angle 2π/parts in each step.
func circle(parts float64) func(int) []float64 {
	return func(k int) []float64 {
		a := 2 * math.Pi * float64(k) / parts
		return []float64{math.Cos(a), math.Sin(a)}
	}
}

func TestTreeEnds(t *testing.T) {
	for _, c := range []struct {
		name, why string
		path      path
		depth     int
		end       nuts.Outcome
		leapfrogs int
	}{
		{"straight", "never turns: all 5 doublings, 2^5 − 1 steps", path{p: straight, logp: flat}, 5, nuts.Grown, 31},
		// 4 states span 3/8 of a turn, 8 states 7/8: the ends of 8 states point against the sum, or a check between the
		// halves fails.
		{"circle of 8", "two doublings move on, the third turns", path{p: circle(8), logp: flat}, 3, nuts.Turning, 7},
		{"circle of 32", "16 states span 15/32 of a turn, 32 span 31/32", path{p: circle(32), logp: flat}, 5, nuts.Turning, 31},
		// The two momenta are opposite and of equal length: their sum is zero, so that neither end moves along it.
		{"reversal", "the first doubling turns", path{p: circle(2), logp: flat}, 1, nuts.Turning, 1},
		{"cliff", "energy lost by more than 1000 at once", path{p: straight, logp: func(k int) float64 { return -1001 * math.Abs(float64(k)) }}, 0, nuts.Diverging, 1},
		{"slope", "an error of exactly 1000 is still allowed", path{p: straight, logp: func(k int) float64 { return -1000 * math.Min(1, math.Abs(float64(k))) }}, 5, nuts.Grown, 31},
		{"undefined", "NaN is a divergence", path{p: straight, logp: func(k int) float64 { return math.NaN() }}, 0, nuts.Diverging, 1},
		{"broken", "the flow fails", path{p: straight, logp: flat, broken: func(k int) bool { return true }}, 0, nuts.Broken, 1},
	} {
		for root := range uint64(20) {
			rng := rng.Stream(root, "ends")
			tree := nuts.NewTree(c.path.flow(), &rng, 2, 5)
			z := nuts.NewState(2)
			z.Set([]float64{0}, c.path.p(0), c.path.logp(0))
			if math.IsNaN(c.path.logp(0)) {
				z.SetLogDensity(0)
			}
			depth, end := tree.Grow(&z)
			if depth != c.depth || end != c.end || tree.Leapfrogs() != c.leapfrogs {
				t.Errorf("%s (%s), seed %d: depth %d, %v, %d steps; want %d, %v, %d", c.name, c.why, root, depth, end, tree.Leapfrogs(), c.depth, c.end, c.leapfrogs)
			}
		}
	}
}

// TestTurnAcrossTheSeam checks four states whose momenta point to 0°, 170°, 190° and 360°. Each half moves on, because
// its two momenta are less than 180° apart. Both outer ends lie along the total, which points to 0°. But the first three
// states sum to 180°, against the first momentum. Only the check of one half with the neighbouring state of the other
// finds this turn.
func TestTurnAcrossTheSeam(t *testing.T) {
	degrees := []float64{0, 0, 170, 190, 360}
	p := path{p: func(k int) []float64 {
		sin, cos := math.Sincos(degrees[k] * math.Pi / 180)
		return []float64{cos, sin}
	}, logp: flat}
	rng := rng.Stream(1, "seam")
	tree := nuts.NewTree(p.flow(), &rng, 2, 5)
	z := nuts.NewState(2)
	z.Set([]float64{0}, p.p(0), 0)
	s := nuts.NewSpan(2)
	if end := tree.Build(&z, 1, 2, &s); end != nuts.Turning || tree.Leapfrogs() != 4 {
		t.Errorf("ended as %v after %d steps, want turning after 4", end, tree.Leapfrogs())
	}
}

// TestSpanSums checks that the total momentum and the log weight of a subtree are sums over its states.
func TestSpanSums(t *testing.T) {
	p := path{p: func(k int) []float64 { return []float64{1 + 0.1*float64(k), 2} }, logp: func(k int) float64 { return math.Log(float64(k)) }}
	rng := rng.Stream(1, "sums")
	tree := nuts.NewTree(p.flow(), &rng, 2, 5)
	z := nuts.NewState(2)
	z.Set([]float64{0}, p.p(0), 0)
	start := z.Energy()
	s := nuts.NewSpan(2)
	if end := tree.Build(&z, 1, 3, &s); end != nuts.Grown {
		t.Fatalf("ended as %v", end)
	}
	// For states 1 … 8 the momenta 1.1 … 1.8 sum to 11.6, and the other coordinates to 16.
	if got := s.Total(); math.Abs(got[0]-11.6) > 1e-12 || got[1] != 16 {
		t.Errorf("summed momentum %v, want 11.6 and 16", got)
	}
	sum, accepted := 0.0, 0.0
	for k := 1; k <= 8; k++ {
		energy := 0.5*(math.Pow(1+0.1*float64(k), 2)+4) - math.Log(float64(k))
		sum += math.Exp(start - energy)
		accepted += math.Min(1, math.Exp(start-energy))
	}
	if math.Abs(s.LogWeight()-math.Log(sum)) > 1e-12 || math.Abs(tree.Accepted()-accepted) > 1e-12 {
		t.Errorf("log weight %g and acceptance %g, want %g and %g", s.LogWeight(), tree.Accepted(), math.Log(sum), accepted)
	}
}

// TestPickFollowsWeights checks that a subtree picks each state with probability proportional to its weight. It has
// eight states of weights 1 … 8 and 36 000 picks. Chi-square with 7 degrees of freedom exceeds 46.0 with probability
// 1e-7.
func TestPickFollowsWeights(t *testing.T) {
	p := path{p: straight, logp: func(k int) float64 { return math.Log(math.Max(float64(k), 1)) }}
	rng := rng.Stream(2, "picks")
	tree := nuts.NewTree(p.flow(), &rng, 2, 5)
	s := nuts.NewSpan(2)
	var count [9]float64
	for range 36_000 {
		z := nuts.NewState(2)
		z.Set([]float64{0}, p.p(0), 0)
		tree.Build(&z, 1, 3, &s)
		count[int(s.Pick()[0])]++
	}
	chi := 0.0
	for k := 1; k <= 8; k++ {
		want := 1000 * float64(k)
		chi += (count[k] - want) * (count[k] - want) / want
	}
	if chi > 46.0 {
		t.Errorf("picks %v of weights 1 … 8: chi-square %.1f", count[1:], chi)
	}
}

// TestTopLevelPrefersTheNew checks a trajectory of one doubling, from a state of weight 1 to a new state of weight w. The
// new state must become the draw with probability min(1, w), not w/(1+w).
func TestTopLevelPrefersTheNew(t *testing.T) {
	for _, w := range []float64{0.25, 0.9, 1, 3} {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			p := path{p: straight, logp: func(k int) float64 { return math.Log(w) * math.Min(1, math.Abs(float64(k))) }}
			rng := rng.Stream(3, "bias", fmt.Sprint(w))
			tree := nuts.NewTree(p.flow(), &rng, 2, 1)
			const n = 20_000
			moved := 0.0
			for range n {
				z := nuts.NewState(2)
				z.Set([]float64{0}, p.p(0), 0)
				tree.Grow(&z)
				moved += math.Abs(tree.Whole().Pick()[0])
			}
			want := math.Min(1, w)
			if math.Abs(moved/n-want) > 6*math.Sqrt(want*(1-want)/n)+1e-9 {
				t.Errorf("moved %.4f of the time, want %.4f", moved/n, want)
			}
		})
	}
}
