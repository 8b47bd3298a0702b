package posterior

import (
	"context"

	"achilles/infer/diag"
	"achilles/infer/nuts"
)

// guesses is how many pilot points make the metric of NUTS.
const guesses = 500

// hamiltonian runs NUTS chains from the pilots and returns them with the doubts about them. Chains that are hopeless
// after a quarter of their draws end there, if another engine can take over.
func (f *fitter) hamiltonian(ctx context.Context, s *scout) (*drawn, []Doubt, error) {
	samplers, err := f.warmUp(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	trial := f.config.Draws / 4
	if f.config.Engine == Auto && trial >= 4 {
		d, err := f.draw(ctx, samplers, trial)
		if err != nil {
			return nil, nil, err
		}
		if doubts := f.hopeless(d); len(doubts) > 0 {
			f.charge(samplers)
			return d, doubts, nil
		}
	} else {
		trial = 0
	}
	d, err := f.draw(ctx, samplers, f.config.Draws-trial)
	f.charge(samplers)
	if err != nil {
		return nil, nil, err
	}
	f.bridge(d, "nuts-bridge")
	doubts := f.disagreements(d)
	doubts = append(doubts, f.troubles(d)...)
	return d, append(doubts, f.missing(d, s)...), nil
}

// charge adds the gradients of the chains to the work.
func (f *fitter) charge(samplers []*nuts.Sampler) {
	for _, s := range samplers {
		c := s.Chain()
		f.work.Gradients += c.Gradients + c.WarmupGradients
	}
}

func (f *fitter) warmUp(ctx context.Context, s *scout) ([]*nuts.Sampler, error) {
	rng := f.stream("nuts-starts", 0)
	starts := s.starts(f.config.Chains, &rng)
	c := nuts.Config{Warmup: f.config.Warmup, Draws: f.config.Draws, Accept: f.config.Accept, MaxDepth: f.config.MaxDepth, KeepMetric: true}
	for i := 0; i < len(s.q); i += 1 + len(s.q)/guesses {
		c.Guess = append(c.Guess, s.q[i])
	}
	samplers := make([]*nuts.Sampler, f.config.Chains)
	err := f.parallel(len(samplers), func(i int) error {
		var err error
		samplers[i], err = nuts.Start(ctx, f.problem(), s.q[starts[i]], c, f.stream("nuts", i))
		return err
	})
	return samplers, err
}

// draw adds n draws to every chain and summarises all of them so far.
func (f *fitter) draw(ctx context.Context, samplers []*nuts.Sampler, n int) (*drawn, error) {
	k := len(samplers)
	d := &drawn{q: make([][][]float64, k), theta: make([][][]float64, k), logp: make([][]float64, k), chains: make([]Chain, k)}
	err := f.parallel(k, func(i int) error {
		if err := samplers[i].Draw(ctx, n); err != nil {
			return err
		}
		c := samplers[i].Chain()
		d.q[i], d.theta[i] = c.Draws, constrained(f.problem(), c.Draws, len(f.names))
		d.logp[i], d.chains[i] = describe(c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.summarise()
	return d, nil
}

func describe(c *nuts.Chain) (logp []float64, out Chain) {
	out = Chain{Step: c.Step, Divergences: c.Divergences(), EBFMI: diag.EBFMI(c.Energies()), Gradients: c.Gradients}
	n := float64(len(c.Stats))
	for _, s := range c.Stats {
		logp = append(logp, s.LogDensity)
		out.Accept += s.Accept / n
		out.Depth += float64(s.Depth) / n
		if s.Saturated {
			out.Saturated++
		}
	}
	return logp, out
}

// Limits beyond which a quarter of the draws shows that the rest would be wasted.
const (
	hopelessRHat  = 1.2
	hopelessShare = 5  // times the share of divergent or cut-off draws that would be believed
	slowGradients = 60 // a draw; a draw of the other engine costs a quarter of that, and is worth as much
)

func (f *fitter) hopeless(d *drawn) (ds []Doubt) {
	for _, doubt := range append(f.disagreements(d), f.troubles(d)...) {
		switch doubt.Kind {
		case RHat:
			if !(doubt.Value <= max(hopelessRHat, doubt.Limit)) {
				ds = append(ds, doubt)
			}
		case Divergent, MaxDepth:
			if doubt.Value > hopelessShare*doubt.Limit {
				ds = append(ds, doubt)
			}
		}
	}
	gradients := 0
	for _, c := range d.chains {
		gradients += c.Gradients
	}
	if each := float64(gradients) / float64(d.total()); each > slowGradients {
		ds = append(ds, Doubt{Kind: Slow, Value: each, Limit: slowGradients})
	}
	return ds
}
