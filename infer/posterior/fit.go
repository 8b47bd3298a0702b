package posterior

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"achilles/infer/bridge"
	"achilles/infer/diag"
	"achilles/sim/seed"
)

// Fit draws from one subject's posterior. problem makes a Problem for each goroutine, all of the same posterior;
// parameters names its theta; root and path name the random streams. It panics when the configuration is out of
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

func (f *fitter) stream(purpose string, i int) seed.Rand {
	return seed.Stream(f.root, append(slices.Clone(f.path), purpose, strconv.Itoa(i))...)
}

// fit runs the engines.
func (f *fitter) fit(ctx context.Context, s *scout) (*Posterior, error) {
	if f.config.Engine == Tempered {
		return f.tempered(ctx, s, nil)
	}
	d, err := f.hamiltonian(ctx, s)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		if f.config.Engine == NUTS {
			return nil, err
		}
		return f.tempered(ctx, s, []Doubt{{Kind: Failed}})
	}
	doubts := f.doubts(d, s)
	if len(doubts) == 0 || f.config.Engine == NUTS {
		return f.report(d, NUTS, doubts), nil
	}
	return f.tempered(ctx, s, doubts)
}

// drawn are chains before they are believed.
type drawn struct {
	q, theta  [][][]float64 // [chain][draw]
	logp      [][]float64
	summaries []diag.Summary
	evidence  bridge.Estimate
	chains    []Chain
}

// judge summarises the draws.
func (f *fitter) judge(d *drawn) {
	d.summaries = make([]diag.Summary, len(f.names))
	for k := range f.names {
		d.summaries[k] = diag.Summarise(column(d.theta, k))
	}
}

func column(draws [][][]float64, k int) [][]float64 {
	out := make([][]float64, len(draws))
	for c, chain := range draws {
		out[c] = make([]float64, len(chain))
		for i, x := range chain {
			out[c][i] = x[k]
		}
	}
	return out
}

func (f *fitter) bridge(d *drawn, purpose string) {
	d.evidence = bridge.LogEvidence(f.problem(), bridge.Draws{Chains: d.q, LogDensities: d.logp}, f.config.Proposals, f.stream(purpose, 0))
	f.work.Gradients += f.config.Proposals
}

// report makes the result.
func (f *fitter) report(d *drawn, e Engine, doubts []Doubt) *Posterior {
	return &Posterior{
		Parameters: f.names, Draws: d.theta, Summaries: d.summaries,
		Engine: e, Doubts: doubts,
		LogEvidence: d.evidence.LogEvidence, LogEvidenceError: d.evidence.Error,
		Chains: d.chains,
	}
}

// parallel calls do(i, problem) for i below n, Jobs at a time, each goroutine with a problem of its own. It returns
// the errors in the order of i.
func (f *fitter) parallel(n int, do func(i int, p Problem) error) error {
	errs := make([]error, n)
	jobs := min(n, max(1, f.config.Jobs))
	var wait sync.WaitGroup
	for j := range jobs {
		wait.Go(func() {
			p := f.problem()
			for i := j; i < n; i += jobs {
				errs[i] = do(i, p)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
