package posterior

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"achilles/infer/diag"
	"achilles/infer/nuts"
)

// Sample draws with NUTS alone from a posterior with too many parameters for pilots, such as that of all subjects and items
// together. Chain i begins at starts[i], and learns its metric in its warm-up. density returns a new Density of this
// posterior for one goroutine. c.Chains and c.Engine are ignored. Chains go on, a whole number of times c.Draws, as c.Enough says.
// The result has no evidence (Bridge); doubts about the chains are warnings.
func Sample(ctx context.Context, density func() Density, starts [][]float64, parameters []string, c Config, root uint64, path ...string) (*Posterior, error) {
	c.Chains, c.Engine = len(starts), NUTS
	c.check()
	f := &fitter{density: density, names: parameters, config: c, root: root, path: path}
	samplers := make([]*nuts.Sampler, len(starts))
	settings := nuts.Config{Warmup: c.Warmup, Accept: c.Accept, MaxDepth: c.MaxDepth, Refine: c.Refine, Metric: c.Metric, Progress: counter(c.Progress, c.Chains*(c.Warmup+c.Draws))}
	err := f.parallel(len(starts), func(i int) (err error) {
		samplers[i], err = nuts.Start(ctx, density(), starts[i], settings, f.stream("nuts", i))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	p, err := goOn(f, func() (*sample, error) { return f.draw(ctx, samplers, c.Draws) })
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	f.countGradients(samplers)
	p.Work = f.work
	return p, nil
}

// mostRounds is how many times Config.Draws a chain of Sample and of Continue has at most.
const mostRounds = 16

// goOn returns the draws of chains, to which draw adds, without their work.
func goOn(f *fitter, draw func() (*sample, error)) (*Posterior, error) {
	var d *sample
	for rounds := 0; rounds == 0 || rounds < mostRounds && !d.enough(f.config); rounds++ {
		var err error
		if d, err = draw(); err != nil {
			return nil, err
		}
		d.summarise()
	}
	return &Posterior{Parameters: f.names, Draws: d.theta, Summaries: d.summaries, Engine: NUTS, LogEvidence: math.NaN(), LogEvidenceError: math.NaN(),
		Chains: d.chains, Warnings: worst(append(f.chainDoubts(d), f.samplerDoubts(d)...))}, nil
}

// enough reports whether the draws are as many as c.Enough asks for.
func (d *sample) enough(c Config) bool {
	least := min(c.Enough, float64(len(d.theta)*c.Draws)/2)
	rhat, _ := c.limits(d.total())
	return least == 0 || !slices.ContainsFunc(d.summaries, func(s diag.Summary) bool {
		return !(s.RHat <= rhat && s.ESSBulk >= least && s.ESSTail >= least)
	})
}

// counter returns a function that counts its calls, from any goroutine, and reports each up to the total to progress. It returns nil if
// progress is nil.
func counter(progress func(done, total int), total int) func() {
	if progress == nil {
		return nil
	}
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done < total {
			done++
			progress(done, total)
		}
	}
}

// worst returns a warning about the worst doubt of each kind. There may be thousands of parameters.
func worst(doubts []Doubt) (ws []Warning) {
	at, count := map[Kind]Doubt{}, map[Kind]int{}
	var kinds []Kind
	for _, d := range doubts {
		if count[d.Kind]++; count[d.Kind] == 1 {
			kinds = append(kinds, d.Kind)
			at[d.Kind] = d
		}
		if sign := d.Value - at[d.Kind].Value; d.Kind == RHat && sign > 0 || d.Kind == ESS && sign < 0 {
			at[d.Kind] = d
		}
	}
	for _, k := range kinds {
		message := at[k].String()
		if n := count[k] - 1; n > 0 {
			message += fmt.Sprintf(" (and %d more)", n)
		}
		ws = append(ws, Warning{k, at[k].Parameter, message + "; rerun with more --warmup and --draws"})
	}
	return ws
}

// Continue is Sample for chains that moves of several kinds make, all of them after warm-up: draw adds c.Draws draws to each, and returns all so far as
// [chain][draw][parameter]. Of the limits, c has those of R-hat, effective sample size and divergences. The result has no Work.
func Continue(draw func() ([][][]float64, []Chain, error), parameters []string, c Config) (*Posterior, error) {
	f := &fitter{names: parameters, config: c}
	return goOn(f, func() (*sample, error) {
		draws, chains, err := draw()
		return &sample{theta: draws, chains: chains}, err
	})
}
