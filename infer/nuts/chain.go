package nuts

import (
	"context"
	"fmt"
	"slices"

	"achilles/sim/rng"
)

// Start begins a chain at start, runs its warm-up and returns it ready to draw. It panics if the configuration is out of
// range, or if start or Config.Guess has another dimension than the target. It returns an error if the log density or
// its gradient is not finite at start, if the chain meets a log density of +Inf, or if ctx is cancelled.
func Start(ctx context.Context, target Target, start []float64, c Config, rng rng.Rand) (*Sampler, error) {
	c.check()
	s, err := newSampler(target, start, c, rng)
	if err != nil {
		return nil, err
	}
	if err := s.warmUp(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// A Sampler is a chain after its warm-up.
type Sampler struct {
	config   Config
	rng      rng.Rand
	ham      *hamiltonian
	tree     *tree
	z, trial state
	average  dualAverage
	window   *covariance // covariance of the positions in the current window of the warm-up
	plan     schedule
	learnt   int // number of trajectories of the warm-up so far
	out      Chain
}

func newSampler(target Target, start []float64, c Config, rng rng.Rand) (*Sampler, error) {
	dim := target.Dim()
	if len(start) != dim {
		panic("nuts: start has not the dimension of the target")
	}
	s := &Sampler{config: c, rng: rng, z: newState(dim), trial: newState(dim), window: newCovariance(dim, c.full(dim)), average: dualAverage{goal: c.Accept}, plan: newSchedule(c.Warmup)}
	if c.KeepMetric {
		s.plan = schedule{first: c.Warmup}
	}
	s.ham = newHamiltonian(target, identity(dim))
	s.ham.refine, s.ham.rng = c.Refine, &s.rng
	s.tree = newTree(s.ham, &s.rng, dim, c.MaxDepth)
	if m, centre, ok := guessMetric(c, dim); ok {
		s.ham.metric = m
		if c.KeepMetric && dim <= TurnLimit {
			s.ham.rotor = newRotor(centre)
		}
	}
	s.ham.setStep(1)
	copy(s.z.q, start)
	if !s.ham.evaluate(&s.z) || outside(s.z.logp) {
		return nil, fmt.Errorf("nuts: log density %g with gradient %g at the start %g; both must be finite there", target.LogDensity(s.z.q, s.z.grad), s.z.grad, start)
	}
	s.restartStep()
	return s, nil
}

// guessMetric returns the metric with the covariance of Config.Guess, and its mean. It returns false if this covariance cannot be
// used.
func guessMetric(c Config, dim int) (m metric, centre []float64, ok bool) {
	cov := newCovariance(dim, c.full(dim))
	for _, q := range c.Guess {
		if len(q) != dim {
			panic("nuts: guess has not the dimension of the target")
		}
		cov.add(q)
	}
	m, ok = cov.metric()
	return m, cov.mean, ok
}

// restartStep finds a step size for the current metric and restarts its adaptation.
func (s *Sampler) restartStep() {
	guessStep(s.ham, &s.z, &s.trial, &s.rng)
	s.average.restart(s.ham.step)
}

func (s *Sampler) fault() error {
	return fmt.Errorf("nuts: the target has a log density of +Inf near %g, so it cannot be normalised", s.z.q)
}

// next moves the chain by one trajectory and returns the statistics of the new draw.
func (s *Sampler) next() (Stat, error) {
	if !s.cross() {
		return Stat{}, s.fault()
	}
	drawMomentum(&s.z, &s.rng)
	s.ham.centre(&s.z)
	depth, end := s.tree.grow(&s.z)
	if end == broken {
		return Stat{}, s.fault()
	}
	pick := &s.tree.whole.pick
	copy(s.z.q, pick.q)
	copy(s.z.grad, pick.grad)
	s.z.logp = pick.logp
	s.ham.metric.pull(s.z.grad, s.z.force)
	if s.config.Progress != nil {
		s.config.Progress()
	}
	return Stat{
		LogDensity: pick.logp,
		Energy:     pick.energy,
		Accept:     s.tree.accepted / float64(s.tree.leapfrogs),
		Depth:      depth,
		Leapfrogs:  s.tree.leapfrogs,
		Divergent:  end == diverging,
		Saturated:  end == grown,
	}, nil
}

// cross moves a chain of a Crosser, but not to where the density is 0, which rounding may cause. It returns false if the log density is +Inf there.
func (s *Sampler) cross() bool {
	c, ok := s.ham.target.(Crosser)
	if !ok {
		return true
	}
	s.trial.set(&s.z)
	if !c.Cross(s.trial.q, &s.rng) {
		return true
	}
	if !s.ham.evaluate(&s.trial) {
		return false
	}
	if !outside(s.trial.logp) {
		s.z.set(&s.trial)
	}
	return true
}

// warmUp adapts the step size and the metric. A rotor of which a draw diverges is given up: where it turns to lies beyond a cliff, and a
// leapfrog, whose steps are shorter, turns back before.
func (s *Sampler) warmUp(ctx context.Context) error {
	if err := s.adapt(ctx); err != nil {
		return err
	}
	if s.ham.rotor != nil && s.out.WarmupDivergent > 0 {
		s.ham.rotor, s.learnt = nil, 0
		s.restartStep()
		if err := s.adapt(ctx); err != nil {
			return err
		}
	}
	s.settle()
	return nil
}

func (s *Sampler) adapt(ctx context.Context) error {
	for range s.config.Warmup {
		if err := ctx.Err(); err != nil {
			return err
		}
		stat, err := s.next()
		if err != nil {
			return err
		}
		s.learn(stat)
	}
	return nil
}

// learn adapts step size and metric after a trajectory of the warm-up.
func (s *Sampler) learn(stat Stat) {
	s.ham.setStep(s.average.learn(stat.Accept))
	if stat.Divergent {
		s.out.WarmupDivergent++
	}
	if hook := s.config.hooks.Draw; hook != nil {
		hook(true, s.z.q, stat)
	}
	learns, closes := s.plan.at(s.learnt)
	if learns {
		s.window.add(s.z.q)
	}
	if closes {
		s.renewMetric(s.learnt)
	}
	s.learnt++
}

// settle ends the warm-up.
func (s *Sampler) settle() {
	s.ham.setStep(s.average.settled(s.ham.step))
	s.adapted(s.config.Warmup)
	s.out.Step, s.out.WarmupGradients = s.ham.step, s.ham.gradients
}

// renewMetric ends a window. It makes the new metric from the positions in the window, and restarts the adaptation of
// the step size.
func (s *Sampler) renewMetric(draw int) {
	if m, ok := s.window.metric(); ok {
		s.ham.metric = m
		m.pull(s.z.grad, s.z.force)
	}
	s.window.reset()
	s.restartStep()
	s.adapted(draw)
}

func (s *Sampler) adapted(draw int) {
	if hook := s.config.hooks.Adapted; hook != nil {
		hook(draw, s.ham.step)
	}
}

// Draw adds n draws to the chain. It returns an error if the chain meets a log density of +Inf, or if ctx is cancelled.
// The chain then keeps the draws before the error.
func (s *Sampler) Draw(ctx context.Context, n int) error {
	dim := len(s.z.q)
	values := make([]float64, n*dim)
	s.out.Draws = slices.Grow(s.out.Draws, n)
	s.out.Stats = slices.Grow(s.out.Stats, n)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		stat, err := s.next()
		if err != nil {
			return err
		}
		draw := values[i*dim : (i+1)*dim : (i+1)*dim]
		copy(draw, s.z.q)
		s.out.Draws = append(s.out.Draws, draw)
		s.out.Stats = append(s.out.Stats, stat)
		if hook := s.config.hooks.Draw; hook != nil {
			hook(false, s.z.q, stat)
		}
	}
	return nil
}

// Chain returns the draws so far. Later draws are appended to the same Chain.
func (s *Sampler) Chain() *Chain {
	s.out.Gradients = s.ham.gradients - s.out.WarmupGradients
	return &s.out
}
