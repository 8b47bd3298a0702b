package posterior

import (
	"context"
	"fmt"

	"achilles/infer/smc"
)

// disagree is the R-hat from which chains are in different places, not merely short of draws.
const disagree = 1.05

// Unresolved is the error of a fit whose chains disagree whatever was tried.
type Unresolved struct{ Doubts []Doubt }

func (u *Unresolved) Error() string {
	return fmt.Sprintf("chains of both engines disagree: %v", u.Doubts[0])
}

// tempered runs chains that leap between modes, longer until they agree.
func (f *fitter) tempered(ctx context.Context, s *scout, why []Doubt) (*Posterior, error) {
	rng := f.stream("tempered-starts", 0)
	var at [][]float64
	for _, i := range s.starts(f.config.Chains, &rng) {
		at = append(at, s.points[i])
	}
	others := s.points
	thin := f.config.Thin
	for try := 0; ; try++ {
		d, ends, err := f.walk(ctx, at, others, thin, try)
		if err != nil {
			return nil, err
		}
		doubts := f.disagreements(d)
		if len(doubts) == 0 || try == f.config.Extends {
			for _, doubt := range doubts {
				if doubt.Kind == RHat && !(doubt.Value <= disagree) {
					return nil, &Unresolved{doubts}
				}
			}
			f.bridge(d, "tempered-bridge")
			return f.report(d, Tempered, why), nil
		}
		thin *= 2
		at, others = ends.last, append(others[:len(others):len(others)], ends.some...)
	}
}

// ends are where chains have been: their last points, and some of all to move by from now on.
type ends struct{ last, some [][]float64 }

func (f *fitter) walk(ctx context.Context, at, others [][]float64, thin, try int) (*drawn, ends, error) {
	n := f.config.Chains
	chains := make([]*smc.Chain, n)
	d := &drawn{q: make([][][]float64, n), theta: make([][][]float64, n), logp: make([][]float64, n), chains: make([]Chain, n)}
	c := smc.WalkConfig{Warmup: 10 * thin, Draws: f.config.Draws, Thin: thin}
	err := f.parallel(n, func(i int, p Problem) error {
		var err error
		chains[i], err = smc.Walk(ctx, p, at[i], others, c, f.stream(fmt.Sprintf("tempered-%d", try), i))
		if err != nil {
			return err
		}
		grad := make([]float64, p.Dim())
		for _, u := range chains[i].Draws {
			q := make([]float64, p.Dim())
			p.FromCube(u, q)
			d.q[i] = append(d.q[i], q)
			d.logp[i] = append(d.logp[i], p.LogDensity(q, grad))
		}
		d.theta[i] = constrained(p, d.q[i], len(f.names))
		d.chains[i] = Chain{StepRate: chains[i].StepRate, LeapRate: chains[i].LeapRate}
		return nil
	})
	if err != nil {
		return nil, ends{}, err
	}
	var e ends
	for _, chain := range chains {
		f.work.Likelihoods += chain.Evaluations
		f.work.Gradients += len(chain.Draws)
		e.last = append(e.last, chain.Draws[len(chain.Draws)-1])
		for i := 0; i < len(chain.Draws); i += 10 {
			e.some = append(e.some, chain.Draws[i])
		}
	}
	f.judge(d)
	return d, e, nil
}
