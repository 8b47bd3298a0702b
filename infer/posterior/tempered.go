package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/infer/smc"
)

// unresolvedExcess is the largest ratio of (R-hat − 1) to (limit − 1) at which chains only need more draws. If the ratio
// is larger, the chains are in different modes.
const unresolvedExcess = 5

// Unresolved is the error of a fit without a result: its chains disagree in both engines or, without doubts, no engine can draw, for
// the reason Err.
type Unresolved struct {
	Doubts []Doubt
	Err    error
}

// Error returns a message with the first doubt, or with the reason.
func (u *Unresolved) Error() string {
	if len(u.Doubts) > 0 {
		return fmt.Sprintf("chains of the tempered sampler disagree too: %v; rerun with more --draws or --chains", u.Doubts[0])
	}
	if e := (*smc.Impossible)(nil); errors.As(u.Err, &e) {
		return fmt.Sprintf("no values of the parameters explain the responses, whose probability is 0 at all %d points drawn from the prior: let the layout allow for lapses or guesses (mix)", e.Points)
	}
	return u.Err.Error()
}

// Unwrap returns the reason.
func (u *Unresolved) Unwrap() error { return u.Err }

// tempered runs chains that jump between modes. It repeats the run with twice as many moves until there are no doubts,
// or Config.Extends times. It returns the sample of the last run and the doubts that remain. The error is *Unresolved if
// chains lie in different modes or have not moved.
func (f *fitter) tempered(ctx context.Context, ps *pilots) (*sample, []Doubt, error) {
	rng := f.stream("tempered-starts", 0)
	t := attempt{others: ps.points, thin: f.config.Thin}
	for _, i := range ps.starts(f.config.Chains, &rng) {
		t.starts = append(t.starts, ps.points[i])
	}
	for {
		d, next, err := f.walk(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		doubts := f.chainDoubts(d)
		if len(doubts) > 0 && t.try < f.config.Extends {
			t = next
			continue
		}
		if slices.ContainsFunc(doubts, unresolved) {
			return nil, nil, &Unresolved{Doubts: doubts}
		}
		f.addEvidence(d, "tempered-bridge")
		return d, append(doubts, f.modeDoubts(d)...), nil
	}
}

// unresolved reports whether a doubt shows more than a lack of draws: chains in different modes, or a parameter that has
// not moved.
func unresolved(d Doubt) bool {
	switch d.Kind {
	case RHat:
		return !(d.Value-1 <= unresolvedExcess*(d.Limit-1))
	case ESS:
		return math.IsNaN(d.Value)
	}
	return false
}

// An attempt is one run of the chains. They start at starts and move by differences between points of others; thin is
// the number of moves between draws. The next attempt starts at the last draws of this one, adds some of its draws to
// others, and doubles thin.
type attempt struct {
	starts, others [][]float64
	thin, try      int
}

const (
	warmupDraws = 10 // the moves before the first draw are as many as for this number of draws
	guideEvery  = 10 // one draw in this number is added to others for the next attempt
)

// walk runs the chains of an attempt and returns their sample and the next attempt.
func (f *fitter) walk(ctx context.Context, t attempt) (*sample, attempt, error) {
	n := f.config.Chains
	chains := make([]*smc.Chain, n)
	d := &sample{draws: draws{make([][][]float64, n), make([][]float64, n)}, theta: make([][][]float64, n), chains: make([]Chain, n)}
	c := smc.Walking{Warmup: warmupDraws * t.thin, Draws: f.config.Draws, Thin: t.thin, Centres: odds(f.problem(), f.centres)}
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
		return nil
	})
	if err != nil {
		return nil, t, err
	}
	next := attempt{others: t.others[:len(t.others):len(t.others)], thin: 2 * t.thin, try: t.try + 1}
	for _, chain := range chains {
		f.work.Likelihoods += chain.Evaluations
		f.work.Gradients += len(chain.Draws)
		next.starts = append(next.starts, chain.Draws[len(chain.Draws)-1])
		for i := 0; i < len(chain.Draws); i += guideEvery {
			next.others = append(next.others, chain.Draws[i])
		}
	}
	d.summarise()
	return d, next, nil
}
