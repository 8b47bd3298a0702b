// Package joint fits layouts whose items, or everybody, have parameters too: all values of all subjects and items are drawn
// together.
package joint

import (
	"context"

	"achilles/infer/layout"
	"achilles/infer/nuts"
	"achilles/infer/posterior"
)

// Default returns the settings of Stan, with more draws and shorter steps, which are divided where they are still too long: of tables of 12 × 5
// (2pl, seeds 1 to 3), 1.1, 2.7 and 1.7 % of draws diverged without, and at most 0.1 % with. At an acceptance of 0.99 it was half as many, and a chain
// got stuck; at 0.95 the steps of 2pl take a sixth more gradients (10 × 5, seeds 33 to 38) for as many effective draws, with as many divergences.
// Settings of pilots and of the tempered engine have no effect here. Of the
// goroutines, Jobs, chains come first, then blocks of a chain's responses.
func Default() posterior.Config {
	c := posterior.Default()
	c.Warmup, c.Draws, c.Accept, c.Jobs, c.Refine = 1000, 2000, 0.9, 1, 1
	return c
}

// Up to fewValues values of a small table take seconds: their chains go on until the effective sample size of each is enough that R-hat is above 1.01
// by no chance (at 400 it may be). Of more, they go on while there are doubts, up to manyRounds times as many draws, and no more than mostNumbers
// numbers (256 MiB).
const (
	fewValues   = 200
	enough      = 2000
	manyRounds  = 4
	mostNumbers = 1 << 25
)

// goesOn sets until when chains of NUTS go on.
func goesOn(c *posterior.Config, values int) {
	if values <= fewValues {
		c.Enough = enough
		return
	}
	c.Enough = min(c.ESS, float64(c.Chains*c.Draws)/4)
	c.Most = max(c.Draws, min(manyRounds*c.Draws, mostNumbers/(c.Chains*values)))
}

// Sample draws from the posterior of all parameters given the cells by the engine of c: Laplace, Marginal, MML (Maximise), or Fit. Auto is
// Fit, and Marginal where a parameter is binary.
func Sample(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	p, err := sampleBy(ctx, cells, c, root, path...)
	if err == nil && c.Engine != posterior.MML {
		p.Warnings = append(p.Warnings, mirrored(cells, p.Draws)...)
	}
	return p, err
}

func sampleBy(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	switch {
	case c.Engine == posterior.Laplace:
		return Laplace(ctx, cells, c, root, path...)
	case c.Engine == posterior.MML:
		return Maximise(ctx, cells, c, root, path...)
	case c.Engine == posterior.Marginal, c.Engine == posterior.Auto && cells.Joint().Layout().CheckMovable() != nil:
		return Marginal(ctx, cells, c, root, path...)
	}
	return Fit(ctx, cells, c, root, path...)
}

// Fit draws from the posterior of all parameters given the cells: by NUTS on the whole; subject by subject and then the others (sweepAll) where
// subjects have several parameters; or on the few and what all share, with items or subjects summed out (sampleFew), where these are many. root and path name the random streams. It returns an error if a parameter is
// binary, *Impossible if the responses are at the points where chains begin, or if ctx is cancelled.
func Fit(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	if err := cells.Joint().Layout().CheckMovable(); err != nil {
		return nil, err
	}
	if sweeps(cells) {
		return sweepAll(ctx, cells, c, root, path...)
	}
	if of := summedByNUTS(cells); of != neither {
		if p, err := sampleFew(ctx, cells, of, c, root, path...); p != nil || err != nil {
			return p, err
		}
	}
	return fitWhole(ctx, cells, c, root, path...)
}

// fitWhole draws as Fit does, by NUTS on all values.
func fitWhole(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	place, starts, err := prepare(ctx, cells, c, root, path...)
	if err != nil {
		return nil, err
	}
	workers := max(1, c.Jobs/max(c.Chains, 1))
	c.Metric = nuts.Diagonal // correlations are undone by the coordinates
	goesOn(&c, cells.Joint().Len())
	p, err := posterior.Sample(ctx, func() posterior.Density { return place(workers) }, starts, Names(cells.Joint()), c, root, path...)
	if err == nil && cells.Joint().Len() <= fewValues {
		t := place(1).target
		layout.Fold(t, nil)
		addEvidence(p, t, root, path...)
	}
	return p, err
}

// Names returns the name of every value of a joint layout: that of its parameter, and of its unit.
func Names(j *layout.Joint) (names []string) {
	for i, p := range j.Layout().Parameters {
		for u := range j.Units(i) {
			name := p.Name
			if unit := j.UnitName(i, u); unit != "" {
				name += "[" + unit + "]"
			}
			names = append(names, name)
		}
	}
	return names
}
