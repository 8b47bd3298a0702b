package nuts_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

func quick() nuts.Config {
	c := nuts.Default()
	c.Warmup = 100
	return c
}

func TestDeterministic(t *testing.T) {
	run := func(root uint64) *nuts.Chain {
		c, err := nuts.Sample(context.Background(), tilted, []float64{1, 1, 1}, quick(), 50, rng.Stream(root, "same"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b, other := run(1), run(1), run(2)
	for i := range a.Draws {
		if !slices.Equal(a.Draws[i], b.Draws[i]) || a.Stats[i] != b.Stats[i] {
			t.Fatalf("draw %d differs between two runs of one seed", i)
		}
	}
	if slices.Equal(a.Draws[49], other.Draws[49]) {
		t.Error("two seeds give the same chain")
	}
}

// TestDrawInPieces checks that several calls of Draw give the same chain as one call.
func TestDrawInPieces(t *testing.T) {
	whole, err := nuts.Sample(context.Background(), tilted, []float64{1, 1, 1}, quick(), 50, rng.Stream(1, "pieces"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := nuts.Start(context.Background(), tilted, []float64{1, 1, 1}, quick(), rng.Stream(1, "pieces"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{10, 0, 39, 1} {
		if err := s.Draw(context.Background(), n); err != nil {
			t.Fatal(err)
		}
	}
	pieces := s.Chain()
	if len(pieces.Draws) != 50 || pieces.Gradients != whole.Gradients || pieces.WarmupGradients != whole.WarmupGradients {
		t.Fatalf("%d draws, %d gradients; at once %d", len(pieces.Draws), pieces.Gradients, whole.Gradients)
	}
	for i := range whole.Draws {
		if !slices.Equal(whole.Draws[i], pieces.Draws[i]) || whole.Stats[i] != pieces.Stats[i] {
			t.Fatalf("draw %d differs", i)
		}
	}
}

func TestCancel(t *testing.T) {
	for _, after := range []int{0, 30, 120} {
		ctx, cancel := context.WithCancel(context.Background())
		c := quick()
		n := 0
		c.Hooks().Draw = func(bool, []float64, nuts.Stat) {
			if n++; n == after {
				cancel()
			}
		}
		if after == 0 {
			cancel()
		}
		chain, err := nuts.Sample(ctx, tilted, []float64{1, 1, 1}, c, 50, rng.Stream(1, "cancel"))
		if !errors.Is(err, context.Canceled) || chain != nil || n != after {
			t.Errorf("cancelled after %d draws: %d drawn, error %v", after, n, err)
		}
		cancel()
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		target nuts.Target
		says   string
	}{
		{"outside", fixed{math.Inf(-1), 0}, "log density -Inf with gradient [0] at the start [0.5]; both must be finite there"},
		{"undefined", fixed{math.NaN(), 0}, "log density NaN with gradient [0] at the start"},
		{"infinite", fixed{math.Inf(1), 0}, "log density +Inf with gradient [0] at the start"},
		{"gradient", fixed{0, math.NaN()}, "log density 0 with gradient [NaN] at the start"},
		{"spike", spike{}, "the target has a log density of +Inf near ["},
	} {
		chain, err := nuts.Sample(context.Background(), c.target, []float64{0.5}, quick(), 50, rng.Stream(1, "errors"))
		if err == nil || chain != nil || !strings.HasPrefix(err.Error(), "nuts: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.says)
		}
	}
}

// spike is a normal density that is infinite beyond 2.
type spike struct{}

func (spike) Dim() int { return 1 }
func (spike) LogDensity(q, grad []float64) float64 {
	grad[0] = -q[0]
	if q[0] > 2 {
		return math.Inf(1)
	}
	return -q[0] * q[0] / 2
}

func TestMisusePanics(t *testing.T) {
	for _, c := range []struct {
		name  string
		start []float64
		edit  func(*nuts.Config)
	}{
		{"nuts: start has not the dimension of the target", []float64{1}, func(*nuts.Config) {}},
		{"nuts: negative warm-up", nil, func(c *nuts.Config) { c.Warmup = -1 }},
		{"nuts: acceptance outside (0, 1)", nil, func(c *nuts.Config) { c.Accept = 1 }},
		{"nuts: tree depth outside 1 … 20", nil, func(c *nuts.Config) { c.MaxDepth = 0 }},
		{"nuts: unknown metric", nil, func(c *nuts.Config) { c.Metric = 9 }},
		{"nuts: guess has not the dimension of the target", nil, func(c *nuts.Config) { c.Guess = [][]float64{{1}} }},
	} {
		func() {
			defer func() {
				if r := recover(); r != c.name {
					t.Errorf("%s: recovered %v", c.name, r)
				}
			}()
			start := c.start
			if start == nil {
				start = []float64{0, 0, 0}
			}
			conf := quick()
			c.edit(&conf)
			nuts.Sample(context.Background(), tilted, start, conf, 50, rng.Stream(1))
		}()
	}
}

// TestStatsAddUp checks that the chain's counts and statistics agree with the calls of the target and of the hooks.
func TestStatsAddUp(t *testing.T) {
	counted := &counter{Target: tilted}
	var warm, kept, adapted int
	c := quick()
	c.Hooks().Draw = func(warmup bool, q []float64, s nuts.Stat) {
		if warmup {
			warm++
		} else {
			kept++
		}
	}
	c.Hooks().Adapted = func(int, float64) { adapted++ }
	chain, err := nuts.Sample(context.Background(), counted, []float64{1, 1, 1}, c, 50, rng.Stream(1, "stats"))
	if err != nil {
		t.Fatal(err)
	}
	leapfrogs := 0
	for i, s := range chain.Stats {
		leapfrogs += s.Leapfrogs
		var grad [3]float64
		if lp := tilted.LogDensity(chain.Draws[i], grad[:]); lp != s.LogDensity {
			t.Errorf("draw %d has log density %g, its statistics say %g", i, lp, s.LogDensity)
		}
		if s.Energy < -s.LogDensity || s.Accept < 0 || s.Accept > 1 || s.Depth > 10 || s.Leapfrogs > 1<<(s.Depth+1) {
			t.Errorf("draw %d: %+v", i, s)
		}
	}
	if chain.Gradients != leapfrogs || chain.Gradients+chain.WarmupGradients != counted.n {
		t.Errorf("%d + %d gradients reported, %d leapfrogs, %d calls", chain.WarmupGradients, chain.Gradients, leapfrogs, counted.n)
	}
	if warm != 100 || kept != 50 || adapted != 2 { // the window ends at 75, warm-up at 100
		t.Errorf("hooks saw %d warm-up draws, %d draws, %d adaptations", warm, kept, adapted)
	}
}

type counter struct {
	nuts.Target
	n int
}

func (c *counter) LogDensity(q, grad []float64) float64 {
	c.n++
	return c.Target.LogDensity(q, grad)
}

// TestDivergencesAreCounted checks the count of divergences in a box. The gradient is 0 up to the walls, so that
// trajectories run through them. It also checks that the draws are uniform: their mean square is 1/3. The bound is six
// standard errors, if a tenth of the draws counts as independent.
func TestDivergencesAreCounted(t *testing.T) {
	const draws = 4000
	chain, err := nuts.Sample(context.Background(), box{}, []float64{0.5}, nuts.Default(), draws, rng.Stream(1, "box"))
	if err != nil {
		t.Fatal(err)
	}
	seen, square := 0, 0.0
	for i, s := range chain.Stats {
		if s.Divergent {
			seen++
		}
		square += chain.Draws[i][0] * chain.Draws[i][0] / draws
	}
	if len(chain.Divergent()) != seen || seen == 0 || chain.WarmupDivergent == 0 {
		t.Errorf("%d divergences reported, %d seen, %d in warm-up; the box has many", len(chain.Divergent()), seen, chain.WarmupDivergent)
	}
	if se := math.Sqrt(4. / 45 / 400); math.Abs(square-1./3) > 6*se {
		t.Errorf("mean square %g, want 1/3 ± %g", square, se)
	}
}

// box is the uniform density on (−1, 1).
type box struct{}

func (box) Dim() int { return 1 }
func (box) LogDensity(q, grad []float64) float64 {
	grad[0] = 0
	if math.Abs(q[0]) >= 1 {
		return math.Inf(-1)
	}
	return 0
}

// TestNoAllocation checks that a transition allocates no memory, at any depth.
func TestNoAllocation(t *testing.T) {
	h := nuts.NewHamiltonian(tilted, nuts.Identity(3))
	h.SetStep(0.05)
	rng := rng.Stream(1, "allocation")
	tree := nuts.NewTree(h, &rng, 3, 10)
	z := nuts.NewState(3)
	h.Evaluate(&z)
	if n := testing.AllocsPerRun(100, func() { nuts.Transition(tree, &z, &rng) }); n != 0 {
		t.Errorf("%g allocations a transition", n)
	}
}

// BenchmarkTransition measures the overhead of tree and integrator. The target costs only a few nanoseconds.
func BenchmarkTransition(b *testing.B) {
	b.ReportAllocs()
	lower := make([]float64, 9*10/2)
	for i, at := 0, 0; i < 9; i++ {
		at += i + 1
		lower[at-1] = 1
	}
	dense, _ := nuts.Cholesky(lower)
	h := nuts.NewHamiltonian(unit(9), dense)
	h.SetStep(0.3)
	rng := rng.Stream(1, "benchmark")
	tree := nuts.NewTree(h, &rng, 9, 10)
	z := nuts.NewState(9)
	h.Evaluate(&z)
	leapfrogs := 0
	for b.Loop() {
		nuts.Transition(tree, &z, &rng)
		leapfrogs += tree.Leapfrogs()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(leapfrogs), "ns/leapfrog")
}

// unit is the standard normal density of this number of dimensions.
type unit int

func (u unit) Dim() int { return int(u) }
func (u unit) LogDensity(q, grad []float64) float64 {
	lp := 0.0
	for i, x := range q {
		lp -= 0.5 * x * x
		grad[i] = -x
	}
	return lp
}
