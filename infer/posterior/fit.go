package posterior

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"achilles/sim/rng"
)

// Fit draws from the posterior of one subject. problem returns a new Problem of this posterior for one goroutine; it is
// called from several goroutines if Jobs is more than 1. parameters are the names of theta. root and path name the
// random streams. Fit panics if the configuration is out of range. It returns an error if ctx is cancelled, and *Unresolved if there is
// no result for this subject: the chains disagree in both engines, or the likelihood is zero at all points drawn from the prior.
func Fit(ctx context.Context, problem func() Problem, parameters []string, c Config, root uint64, path ...string) (*Posterior, error) {
	c.check()
	f := &fitter{problem: problem, density: func() Density { return problem() }, names: parameters, config: c, root: root, path: path}
	p, err := f.run(ctx)
	if u := (*Unresolved)(nil); err != nil && ctx.Err() == nil && !errors.As(err, &u) {
		err = &Unresolved{Err: err}
	}
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	return p, nil
}

func (f *fitter) run(ctx context.Context) (*Posterior, error) {
	if f.config.Engine == Laplace {
		return f.normal(ctx)
	}
	ps, err := f.runPilots(ctx)
	if err != nil {
		return nil, err
	}
	if f.modes, err = f.findModes(ctx); err != nil {
		return nil, err
	}
	if err := f.addModes(ctx, ps); err != nil {
		return nil, err
	}
	f.setCentres(ps.best.LogEvidence)
	p, err := f.fit(ctx, ps)
	if err != nil {
		return nil, err
	}
	p.Work = f.work
	return p, nil
}

// A fitter is the state of one call of Fit.
type fitter struct {
	problem func() Problem
	density func() Density
	names   []string
	config  Config
	root    uint64
	path    []string
	modes   []mode
	centres [][]float64 // maxima of the modes with enough weight to matter (modeGap)
	margins []johnson   // maps that make the margins of the chains of NUTS nearly normal; nil: none
	work    Work
}

func (f *fitter) stream(purpose string, i int) rng.Rand {
	return rng.Stream(f.root, append(slices.Clone(f.path), purpose, strconv.Itoa(i))...)
}

// fit runs NUTS, and then the tempered engine if NUTS fails or there are doubts about the chains of NUTS.
func (f *fitter) fit(ctx context.Context, ps *pilots) (*Posterior, error) {
	if f.config.Engine == Tempered {
		d, doubts, err := f.tempered(ctx, ps)
		if err != nil {
			return nil, err
		}
		return f.result(d, Tempered, nil, doubts), nil
	}
	first, why, err := f.hamiltonian(ctx, ps)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case f.config.Engine == NUTS && err != nil:
		return nil, err
	case err != nil:
		why = []Doubt{{Kind: Failed, Message: err.Error()}}
	case f.config.Engine == NUTS || len(why) == 0:
		return f.result(first, NUTS, nil, why), nil
	}
	second, doubts, err := f.tempered(ctx, ps)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f.choose(first, why, second, doubts, err)
}

// choose returns a result from one of two samples: first, by NUTS, with its doubts why, or second, by the tempered
// engine, with doubts. It takes second unless the tempered engine failed, or unless first can be used and the evidence of
// second is so much lower that second must lack a mode. first is nil if NUTS failed; err is the error of the tempered
// engine.
func (f *fitter) choose(first *sample, why []Doubt, second *sample, doubts []Doubt, err error) (*Posterior, error) {
	usable := first != nil && !slices.ContainsFunc(why, unresolved)
	switch {
	case err == nil && !(usable && second.below(first)):
		return f.result(second, Tempered, why, doubts), nil
	case usable && first.complete(f.config.Draws):
		return f.result(first, NUTS, nil, why), nil
	}
	return nil, cmp.Or(err, error(&Unresolved{Doubts: why}))
}

// result returns a sample d of engine e as a result. why has the doubts about the sample of the other engine, which d
// replaces; doubts has the doubts about d.
func (f *fitter) result(d *sample, e Engine, why, doubts []Doubt) *Posterior {
	return &Posterior{
		Parameters: f.names, Draws: d.theta, Summaries: d.summaries,
		Engine: e, Doubts: why,
		LogEvidence: d.evidence.log, LogEvidenceError: d.evidence.se, Modes: f.weights(d),
		Chains: d.chains, Warnings: warnings(e, doubts),
	}
}

// addEvidence estimates the evidence from the draws of d. purpose names the random stream.
func (f *fitter) addEvidence(d *sample, purpose string) {
	d.evidence = bridge(f.problem(), d.draws, f.centres, f.config.Proposals, f.stream(purpose, 0))
	f.work.Gradients += f.config.Proposals
}

// parallel calls do(i) for every i from 0 to n−1, with Jobs calls at a time. It returns all errors in the order of i.
func (f *fitter) parallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	var group errgroup.Group
	group.SetLimit(max(1, f.config.Jobs))
	for i := range n {
		group.Go(func() error {
			errs[i] = do(i)
			return nil
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
