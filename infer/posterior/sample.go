package posterior

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"achilles/infer/nuts"
)

// Sample draws with NUTS alone from a posterior with too many parameters for pilots, such as that of all subjects and items
// together. Chain i begins at starts[i], and learns its metric in its warm-up. density returns a new Density of this
// posterior for one goroutine. c.Chains and c.Engine are ignored. Chains go on as c.Enough says.
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
	p, err := goOn(f, func(n int) (*sample, error) { return f.draw(ctx, samplers, n) })
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	f.countGradients(samplers)
	p.Work = f.work
	return p, nil
}

// Chains of Sample and of Continue have at most mostRounds times Config.Draws, or Config.Most. What more they need is drawn in rounds of up to Config.Draws, but no fewer
// than a round divided by shortest, and with margin for what is known of it by chance.
const (
	mostRounds = 16
	shortest   = 10
	margin     = 1.05
)

// goOn returns the draws of chains, to each of which draw adds n, without their work.
func goOn(f *fitter, draw func(n int) (*sample, error)) (*Posterior, error) {
	var d *sample
	most := cmp.Or(f.config.Most, mostRounds*f.config.Draws)
	for n, has := f.config.Draws, 0; n > 0; n = min(d.lacks(f.config), most-has) {
		var err error
		if d, err = draw(n); err != nil {
			return nil, err
		}
		d.summarise()
		has += n
	}
	return &Posterior{Parameters: f.names, Draws: d.theta, Summaries: d.summaries, Engine: NUTS, LogEvidence: math.NaN(), LogEvidenceError: math.NaN(),
		Chains: d.chains, Warnings: worst(append(f.chainDoubts(d), f.samplerDoubts(d)...))}, nil
}

// lacks returns how many draws each chain is to add next so that c.Enough is reached: effective sample sizes grow, and R-hat − 1 falls, in proportion to
// the draws. It is 0 if there are enough.
func (d *sample) lacks(c Config) int {
	least := min(c.Enough, float64(len(d.theta)*c.Draws)/2)
	rhat, _ := c.limits(d.total())
	short, most := 1.0, float64(c.Draws)
	for _, s := range d.summaries {
		short = max(short, least/s.ESSBulk, least/s.ESSTail, (s.RHat-1)/(rhat-1)) // NaN if one of these is
	}
	if least == 0 || short == 1 {
		return 0
	}
	if more := float64(len(d.theta[0])) * (margin*short - 1); more < most { // not NaN
		most = max(more, most/shortest)
	}
	return int(math.Ceil(most))
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

// Continue is Sample for chains that moves of several kinds make, all of them after warm-up: draw adds n draws to each, and returns all so far as
// [chain][draw][parameter]. Of the limits, c has those of R-hat, effective sample size and divergences. The result has no Work.
func Continue(draw func(n int) ([][][]float64, []Chain, error), parameters []string, c Config) (*Posterior, error) {
	f := &fitter{names: parameters, config: c}
	return goOn(f, func(n int) (*sample, error) {
		draws, chains, err := draw(n)
		return &sample{theta: draws, chains: chains}, err
	})
}
