package posterior

import (
	"context"

	"achilles/infer/diag"
	"achilles/infer/nuts"
)

// guesses is how many pilot points make the first metric of NUTS.
const guesses = 500

// hamiltonian runs NUTS chains from the pilots.
func (f *fitter) hamiltonian(ctx context.Context, s *scout) (*drawn, error) {
	rng := f.stream("nuts-starts", 0)
	starts := s.starts(f.config.Chains, &rng)
	c := nuts.Config{Warmup: f.config.Warmup, Draws: f.config.Draws, Accept: f.config.Accept, MaxDepth: f.config.MaxDepth, KeepMetric: true}
	for i := 0; i < len(s.q); i += 1 + len(s.q)/guesses {
		c.Guess = append(c.Guess, s.q[i])
	}
	chains := make([]*nuts.Chain, f.config.Chains)
	d := &drawn{theta: make([][][]float64, len(chains))}
	err := f.parallel(len(chains), func(i int, p Problem) error {
		var err error
		chains[i], err = nuts.Sample(ctx, p, s.q[starts[i]], c, f.stream("nuts", i))
		if err == nil {
			d.theta[i] = constrained(p, chains[i].Draws, len(f.names))
		}
		return err
	})
	for i, chain := range chains {
		if chain == nil {
			continue
		}
		f.work.Gradients += chain.Gradients + chain.WarmupGradients
		d.q = append(d.q, chain.Draws)
		d.logp = append(d.logp, nil)
		stat := Chain{Step: chain.Step, Divergences: chain.Divergences(), EBFMI: diag.EBFMI(chain.Energies())}
		for _, draw := range chain.Stats {
			d.logp[i] = append(d.logp[i], draw.LogDensity)
			stat.Accept += draw.Accept / float64(len(chain.Stats))
			if draw.Saturated {
				stat.Saturated++
			}
		}
		d.chains = append(d.chains, stat)
	}
	if err != nil {
		return nil, err
	}
	f.judge(d)
	f.bridge(d, "nuts-bridge")
	return d, nil
}

func constrained(p Problem, qs [][]float64, parameters int) [][]float64 {
	values := make([]float64, len(qs)*parameters)
	out := make([][]float64, len(qs))
	for i, q := range qs {
		out[i] = values[i*parameters : (i+1)*parameters : (i+1)*parameters]
		p.Constrain(q, out[i])
	}
	return out
}
