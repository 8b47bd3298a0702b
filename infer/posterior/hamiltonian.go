package posterior

import (
	"context"
	"math"

	"achilles/infer/diag"
	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// metricPoints is the largest number of pilot points from which the metric of NUTS is made.
const metricPoints = 500

// hamiltonian runs NUTS chains that start at pilot points. It returns their draws and the doubts about them. If the
// tempered engine may replace the chains, it ends them after a quarter of their draws if they are clearly wrong by then.
func (f *fitter) hamiltonian(ctx context.Context, ps *pilots) (*sample, []Doubt, error) {
	samplers, err := f.warmUp(ctx, ps)
	if err != nil {
		return nil, nil, err
	}
	first := f.config.Draws / 4
	if f.config.Engine == Auto && first >= 4 {
		d, err := f.draw(ctx, samplers, first)
		if err != nil {
			return nil, nil, err
		}
		d.compareChains()
		if doubts := f.earlyDoubts(d); len(doubts) > 0 {
			f.countGradients(samplers)
			return d, doubts, nil
		}
	} else {
		first = 0
	}
	d, err := f.draw(ctx, samplers, f.config.Draws-first)
	f.countGradients(samplers)
	if err != nil {
		return nil, nil, err
	}
	d.summarise()
	f.addEvidence(d, "nuts-bridge")
	doubts := f.chainDoubts(d)
	doubts = append(doubts, f.samplerDoubts(d)...)
	doubts = append(doubts, f.modeDoubts(d)...)
	return d, append(doubts, f.pilotDoubts(d, ps)...), nil
}

// countGradients adds the number of gradients that the chains have computed, warm-up included, to f.work.Gradients.
func (f *fitter) countGradients(samplers []*nuts.Sampler) {
	for _, s := range samplers {
		c := s.Chain()
		f.work.Gradients += c.Gradients + c.WarmupGradients
	}
}

// warmUp starts chains at points that are far apart, with nearly normal margins and a metric from the pilots, and adapts their step
// sizes.
func (f *fitter) warmUp(ctx context.Context, ps *pilots) ([]*nuts.Sampler, error) {
	rng := f.stream("nuts-starts", 0)
	starts := ps.starts(f.config.Chains, &rng)
	c := nuts.Config{Warmup: f.config.Warmup, Accept: f.config.Accept, MaxDepth: f.config.MaxDepth, KeepMetric: true}
	f.margins = fitMargins(ps.q)
	var guess, begin [][]float64
	for i := 0; i < len(ps.q); i += 1 + len(ps.q)/metricPoints {
		guess = append(guess, ps.q[i])
	}
	for _, i := range starts {
		begin = append(begin, ps.q[i])
	}
	g := gaussianise(nil, f.margins)
	c.Guess, begin = g.normal(guess), g.normal(begin)
	samplers := make([]*nuts.Sampler, f.config.Chains)
	err := f.parallel(len(samplers), func(i int) error {
		var err error
		samplers[i], err = nuts.Start(ctx, gaussianise(f.density(), f.margins), begin[i], c, f.stream("nuts", i))
		return err
	})
	return samplers, err
}

// draw adds n draws to every chain and returns all draws so far, without summaries and evidence.
func (f *fitter) draw(ctx context.Context, samplers []*nuts.Sampler, n int) (*sample, error) {
	k := len(samplers)
	d := &sample{draws: draws{make([][][]float64, k), make([][]float64, k)}, theta: make([][][]float64, k), chains: make([]Chain, k), evidence: evidence{math.NaN(), math.NaN()}}
	err := f.parallel(k, func(i int) error {
		if err := samplers[i].Draw(ctx, n); err != nil {
			return err
		}
		c := samplers[i].Chain()
		p := f.density()
		d.logp[i], d.chains[i] = describe(c)
		d.q[i] = c.Draws
		if f.margins != nil {
			d.q[i] = gaussianise(p, f.margins).original(c.Draws, d.logp[i])
		}
		d.theta[i] = constrained(p, d.q[i], len(f.names))
		if m, ok := p.(imaged); ok {
			r := f.stream("images", i)
			for _, theta := range d.theta[i] {
				m.Move(theta, &r)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// An imaged density is the same at images of a point: Move moves parameters to one of these, or leaves them, by chance.
type imaged interface {
	Move(theta []float64, r *rng.Rand) bool
}

// describe returns the log densities of the draws of a chain, and what the result reports about the chain.
func describe(c *nuts.Chain) (logp []float64, out Chain) {
	out = Chain{Step: c.Step, Divergent: c.Divergent(), EBFMI: diag.EBFMI(c.Energies()), Gradients: c.Gradients}
	for _, s := range c.Stats {
		logp = append(logp, s.LogDensity)
		out.Trace = append(out.Trace, Trace{s.LogDensity, s.Energy, s.Depth})
		if s.Saturated {
			out.Saturated++
		}
	}
	return logp, out
}

// Limits beyond which the first quarter of the draws shows that the chains are wrong.
const (
	earlyRHat     = 1.2
	earlyShare    = 5  // factor on the limits of divergent and of cut-off draws
	slowGradients = 60 // gradients for each draw; a draw of the tempered engine is as good and costs a quarter of this
)

// earlyDoubts returns the doubts about the first quarter of the draws.
func (f *fitter) earlyDoubts(d *sample) (ds []Doubt) {
	for _, doubt := range append(f.chainDoubts(d), f.samplerDoubts(d)...) {
		switch doubt.Kind {
		case RHat:
			if !(doubt.Value <= max(earlyRHat, doubt.Limit)) {
				ds = append(ds, doubt)
			}
		case Divergent, MaxDepth:
			if doubt.Value > earlyShare*doubt.Limit {
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
