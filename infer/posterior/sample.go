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
	var d *sample
	for rounds := 0; rounds == 0 || rounds < mostRounds && !f.enough(d); rounds++ {
		if d, err = f.draw(ctx, samplers, c.Draws); err != nil {
			return nil, fmt.Errorf("posterior: %w", err)
		}
		d.summarise()
	}
	f.countGradients(samplers)
	p := &Posterior{Parameters: parameters, Draws: d.theta, Summaries: d.summaries, Engine: NUTS,
		LogEvidence: math.NaN(), LogEvidenceError: math.NaN(), Chains: d.chains, Work: f.work}
	p.Warnings = worst(append(f.chainDoubts(d), f.samplerDoubts(d)...))
	return p, nil
}

// mostRounds is how many times c.Draws a chain of Sample has at most.
const mostRounds = 16

// enough reports whether the draws are as many as Config.Enough asks for.
func (f *fitter) enough(d *sample) bool {
	least := min(f.config.Enough, float64(len(d.theta)*f.config.Draws)/2)
	rhat, _ := f.config.limits(d.total())
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

// Judge returns a Posterior of draws [chain][draw][parameter] that moves of several kinds have made, with the doubts about its chains
// as warnings. Of the limits, c has those of R-hat, effective sample size and divergences.
func Judge(draws [][][]float64, chains []Chain, work Work, parameters []string, c Config) *Posterior {
	f := &fitter{names: parameters, config: c}
	d := &sample{theta: draws, chains: chains}
	d.summarise()
	return &Posterior{Parameters: parameters, Draws: draws, Summaries: d.summaries, Engine: NUTS, LogEvidence: math.NaN(), LogEvidenceError: math.NaN(),
		Chains: chains, Work: work, Warnings: worst(append(f.chainDoubts(d), f.samplerDoubts(d)...))}
}
