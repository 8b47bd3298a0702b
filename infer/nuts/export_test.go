package nuts

import (
	"context"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// The parts of the sampler, for tests of single parts.
type (
	State       = state
	Flow        = flow
	Tree        = tree
	Outcome     = outcome
	Hamiltonian = hamiltonian
	DualAverage = dualAverage
	Covariance  = covariance
	Span        = span
)

const (
	Grown     = grown
	Turning   = turning
	Diverging = diverging
	Broken    = broken
)

var (
	NewState       = newState
	NewTree        = newTree
	NewSpan        = newSpan
	NewHamiltonian = newHamiltonian
	NewCovariance  = newCovariance
	Identity       = identity
	GuessStep      = guessStep
	DrawMomentum   = drawMomentum
)

// FlowFunc is a flow that is given as a function.
type FlowFunc func(z *State, direction float64) bool

func (f FlowFunc) leapfrog(z *state, direction float64) bool { return f(z, direction) }

func (z *State) Set(q, p []float64, logp float64) {
	copy(z.q, q)
	copy(z.p, p)
	z.logp = logp
}
func (z *State) Position() []float64        { return z.q }
func (z *State) Momentum() []float64        { return z.p }
func (z *State) SetLogDensity(logp float64) { z.logp = logp }
func (z *State) Energy() float64            { return z.energy() }

func (t *Tree) Grow(z *State) (int, Outcome) { return t.grow(z) }
func (t *Tree) Build(z *State, direction float64, depth int, s *Span) Outcome {
	t.start = z.energy()
	return t.build(z, direction, depth, s)
}
func (t *Tree) Leapfrogs() int    { return t.leapfrogs }
func (t *Tree) Accepted() float64 { return t.accepted }
func (t *Tree) Whole() *Span      { return &t.whole }

func (s *Span) Total() []float64   { return s.total }
func (s *Span) LogWeight() float64 { return s.logWeight }
func (s *Span) Pick() []float64    { return s.pick.q }

func (h *Hamiltonian) SetStep(e float64) { h.setStep(e) }

// TurnAround gives the Hamiltonian a rotor.
func (h *Hamiltonian) TurnAround(centre []float64) { h.rotor = newRotor(centre) }

// Centre prepares a state for a step of a rotor.
func (h *Hamiltonian) Centre(z *State) { h.centre(z) }

// Turns reports whether the chain has a rotor.
func (s *Sampler) Turns() bool { return s.ham.rotor != nil }

func (h *Hamiltonian) Step() float64                     { return h.step }
func (h *Hamiltonian) SetMetric(m metric)                { h.metric = m }
func (h *Hamiltonian) Leapfrog(z *State, d float64) bool { return h.leapfrog(z, d) }
func (h *Hamiltonian) Evaluate(z *State) bool            { return h.evaluate(z) }

func (d diagonal) Push(p, v []float64) { d.push(p, v) }
func (d dense) Push(p, v []float64)    { d.push(p, v) }
func (d dense) Pull(g, f []float64)    { d.pull(g, f) }

// Cholesky returns the dense metric of a covariance, given its lower triangle. It returns false if the covariance is not
// positive definite.
func Cholesky(lower []float64) (dense, bool) {
	factor := append(num.Lower(nil), lower...)
	return dense{factor}, factor.Cholesky()
}

// Pushes is a metric that exports push.
type Pushes interface {
	metric
	Push(p, v []float64)
}

func NewDualAverage(goal, step float64) *DualAverage {
	d := &DualAverage{goal: goal}
	d.restart(step)
	return d
}
func (d *DualAverage) Learn(a float64) float64   { return d.learn(a) }
func (d *DualAverage) Settled(s float64) float64 { return d.settled(s) }

func (c *Covariance) Add(q []float64)             { c.add(q) }
func (c *Covariance) Sum() ([]float64, []float64) { return c.mean, c.sum }
func (c *Covariance) Metric() (Pushes, bool) {
	m, ok := c.metric()
	if !ok {
		return nil, false
	}
	return m.(Pushes), true
}

// Schedule returns the index of the first draw in a window, and the ends of the windows.
func Schedule(warmup int) (int, []int) {
	s := newSchedule(warmup)
	return s.first, s.ends
}

// ScheduleAt calls schedule.at.
func ScheduleAt(warmup, i int) (bool, bool) { return newSchedule(warmup).at(i) }

// Transition draws a momentum for z and grows a tree from z.
func Transition(t *Tree, z *State, rng *rng.Rand) (int, Outcome) {
	drawMomentum(z, rng)
	return t.grow(z)
}

// Default returns a configuration with 400 warm-up draws, acceptance 0.8, depth 10 and the metric chosen by dimension.
func Default() Config { return Config{Warmup: 400, Accept: 0.8, MaxDepth: 10} }

// Hooks returns the hooks, so that a test can set them.
func (c *Config) Hooks() *hooks { return &c.hooks }

// Sample draws a whole chain.
func Sample(ctx context.Context, target Target, start []float64, c Config, draws int, rng rng.Rand) (*Chain, error) {
	s, err := Start(ctx, target, start, c, rng)
	if err != nil {
		return nil, err
	}
	if err := s.Draw(ctx, draws); err != nil {
		return nil, err
	}
	return s.Chain(), nil
}

func (m Metric) String() string {
	return [...]string{"auto", "diagonal", "dense"}[m]
}

func (o outcome) String() string {
	return [...]string{"grown", "turning", "diverging", "broken"}[o]
}

// Refine lets steps be divided, by a stream of random numbers.
func (h *Hamiltonian) Refine(by float64, r *rng.Rand) { h.refine, h.rng = by, r }

// Copy sets a state to another one, Level takes away what steps have left on it, and Tilt returns that.
func (z *State) Copy(from *State)      { z.set(from) }
func (z *State) Level()                { z.tilt, z.uneven = 0, false }
func (z *State) Tilt() (float64, bool) { return z.tilt, z.uneven }
