package posterior

import (
	"context"
	"fmt"
	"math"

	"achilles/infer/nuts"
)

// Sample draws with NUTS alone from a posterior with too many parameters for pilots, such as that of all subjects and items
// together. Chain i begins at starts[i], and learns its metric in its warm-up. density returns a new Density of this
// posterior for one goroutine. c.Chains is ignored. The result has no evidence; doubts about the chains are warnings.
func Sample(ctx context.Context, density func() Density, starts [][]float64, parameters []string, c Config, root uint64, path ...string) (*Posterior, error) {
	c.Chains = len(starts)
	c.check()
	f := &fitter{density: density, names: parameters, config: c, root: root, path: path}
	samplers := make([]*nuts.Sampler, len(starts))
	settings := nuts.Config{Warmup: c.Warmup, Accept: c.Accept, MaxDepth: c.MaxDepth}
	err := f.parallel(len(starts), func(i int) (err error) {
		samplers[i], err = nuts.Start(ctx, density(), starts[i], settings, f.stream("nuts", i))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	d, err := f.draw(ctx, samplers, c.Draws)
	if err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	f.countGradients(samplers)
	p := &Posterior{Parameters: parameters, Draws: d.theta, Summaries: d.summaries, Engine: NUTS,
		LogEvidence: math.NaN(), LogEvidenceError: math.NaN(), Chains: d.chains, Work: f.work}
	for _, doubt := range append(f.chainDoubts(d), f.samplerDoubts(d)...) {
		p.Warnings = append(p.Warnings, Warning{doubt.Kind, doubt.Parameter, doubt.String() + "; more --warmup and --draws may cure it"})
	}
	return p, nil
}
