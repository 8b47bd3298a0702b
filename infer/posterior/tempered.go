package posterior

import (
	"context"
	"fmt"

	"achilles/infer/smc"
)

// disagree is how many times the allowed excess of R-hat over 1 chains may have and be merely short of draws; beyond
// it they are in different places.
const disagree = 5

// Unresolved is the error of a fit whose chains disagree whatever was tried.
type Unresolved struct{ Doubts []Doubt }

// Error names the first doubt.
func (u *Unresolved) Error() string {
	return fmt.Sprintf("chains that leap between modes disagree too: %v", u.Doubts[0])
}

// tempered runs chains that leap between modes, longer until they are believed.
func (f *fitter) tempered(ctx context.Context, s *scout, why []Doubt) (*Posterior, error) {
	rng := f.stream("tempered-starts", 0)
	t := trip{others: s.points, thin: f.config.Thin}
	for _, i := range s.starts(f.config.Chains, &rng) {
		t.starts = append(t.starts, s.points[i])
	}
	for {
		d, next, err := f.walk(ctx, t)
		if err != nil {
			return nil, err
		}
		doubts := f.disagreements(d)
		if len(doubts) > 0 && t.try < f.config.Extends {
			t = next
			continue
		}
		for _, doubt := range doubts {
			if doubt.Kind == RHat && !(doubt.Value-1 <= disagree*(doubt.Limit-1)) {
				return nil, &Unresolved{doubts}
			}
		}
		f.bridge(d, "tempered-bridge")
		return f.report(d, Tempered, why, doubts), nil
	}
}

// trip is one attempt at chains: where they start, which points they move by, and how many moves make a draw. The next
// attempt goes on where this one ended, moves also by its draws, and makes twice the moves.
type trip struct {
	starts, others [][]float64
	thin, try      int
}

// Of the moves of an attempt as many as make tenDraws come before the first draw, and every tenth draw is moved by
// afterwards.
const tenDraws = 10

func (f *fitter) walk(ctx context.Context, t trip) (*drawn, trip, error) {
	n := f.config.Chains
	chains := make([]*smc.Chain, n)
	d := &drawn{q: make([][][]float64, n), theta: make([][][]float64, n), logp: make([][]float64, n), chains: make([]Chain, n)}
	c := smc.WalkConfig{Warmup: tenDraws * t.thin, Draws: f.config.Draws, Thin: t.thin}
	err := f.parallel(n, func(i int) error {
		p := f.problem()
		var err error
		chains[i], err = smc.Walk(ctx, p, t.starts[i], t.others, c, f.stream(fmt.Sprintf("tempered-%d", t.try), i))
		if err != nil {
			return err
		}
		d.q[i] = unconstrained(p, chains[i].Draws)
		d.theta[i] = constrained(p, d.q[i], len(f.names))
		grad := make([]float64, p.Dim())
		for _, q := range d.q[i] {
			d.logp[i] = append(d.logp[i], p.LogDensity(q, grad))
		}
		d.chains[i] = Chain{StepRate: chains[i].StepRate, LeapRate: chains[i].LeapRate, Likelihoods: chains[i].Evaluations}
		return nil
	})
	if err != nil {
		return nil, t, err
	}
	next := trip{others: t.others[:len(t.others):len(t.others)], thin: 2 * t.thin, try: t.try + 1}
	for _, chain := range chains {
		f.work.Likelihoods += chain.Evaluations
		f.work.Gradients += len(chain.Draws)
		next.starts = append(next.starts, chain.Draws[len(chain.Draws)-1])
		for i := 0; i < len(chain.Draws); i += tenDraws {
			next.others = append(next.others, chain.Draws[i])
		}
	}
	d.summarise()
	return d, next, nil
}
