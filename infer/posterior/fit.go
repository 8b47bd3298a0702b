package posterior

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"achilles/infer/evidence"
	"achilles/sim/rng"
)

// Fit draws from one subject's posterior. problem makes a Problem for one goroutine, all of the same posterior, and is
// itself called from several where Jobs is more than 1; parameters names its theta; root and path name the random streams. It panics when the configuration is out of
// range. It fails when the likelihood is zero wherever the prior was looked at, when chains disagree whatever was
// tried (Unresolved), and with ctx.Err when cancelled.
func Fit(ctx context.Context, problem func() Problem, parameters []string, c Config, root uint64, path ...string) (*Posterior, error) {
	c.check()
	f := &fitter{problem: problem, names: parameters, config: c, root: root, path: path}
	s, err := f.scout(ctx)
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	p, err := f.fit(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	for _, r := range s.runs {
		p.Pilots = append(p.Pilots, Pilot{r.LogEvidence, r.LogEvidenceError, len(r.Powers)})
	}
	p.Work = f.work
	return p, nil
}

// fitter is a fit at work.
type fitter struct {
	problem func() Problem
	names   []string
	config  Config
	root    uint64
	path    []string
	work    Work
}

func (f *fitter) stream(purpose string, i int) rng.Rand {
	return rng.Stream(f.root, append(slices.Clone(f.path), purpose, strconv.Itoa(i))...)
}

// fit runs the engines.
func (f *fitter) fit(ctx context.Context, s *scout) (*Posterior, error) {
	if f.config.Engine == Tempered {
		return f.tempered(ctx, s, nil)
	}
	d, doubts, err := f.hamiltonian(ctx, s)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case f.config.Engine == NUTS && err != nil:
		return nil, err
	case err != nil:
		return f.tempered(ctx, s, []Doubt{{Kind: Failed, Message: err.Error()}})
	case f.config.Engine == NUTS || len(doubts) == 0:
		return f.report(d, NUTS, nil, doubts), nil
	}
	return f.tempered(ctx, s, doubts)
}

// report makes the result: draws, why they are not those of the engine before, and what is still doubtful.
func (f *fitter) report(d *drawn, e Engine, why, doubts []Doubt) *Posterior {
	return &Posterior{
		Parameters: f.names, Draws: d.theta, Summaries: d.summaries,
		Engine: e, Doubts: why,
		LogEvidence: d.evidence.LogEvidence, LogEvidenceError: d.evidence.Error,
		Chains: d.chains, Warnings: warnings(doubts),
	}
}

// bridge estimates the evidence from the draws.
func (f *fitter) bridge(d *drawn, purpose string) {
	d.evidence = evidence.LogEvidence(f.problem(), evidence.Draws{Chains: d.q, LogDensities: d.logp}, f.config.Proposals, f.stream(purpose, 0))
	f.work.Gradients += f.config.Proposals
}

// parallel calls do(i) for i below n, Jobs at a time. It returns the errors in the order of i.
func (f *fitter) parallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	jobs := min(n, max(1, f.config.Jobs))
	var wait sync.WaitGroup
	for j := range jobs {
		wait.Go(func() {
			for i := j; i < n; i += jobs {
				errs[i] = do(i)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
