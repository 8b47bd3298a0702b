package joint

import (
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// sampleKept draws by NUTS some values of cells, keep, from their marginal density.
func sampleKept(ctx context.Context, cells *layout.Cells, keep []int, density func() posterior.Density, starts [][]float64, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	all := Names(cells.Joint())
	var names []string
	for _, k := range keep {
		names = append(names, all[k])
	}
	return posterior.Sample(ctx, density, starts, names, c, root, path...)
}

// completeAll replaces the draws of p, of the values keep of cells, by draws of all values. completer returns, for the goroutine of a chain, a function
// that returns all values given those that are kept, which may have rounding errors there.
func completeAll(ctx context.Context, p *posterior.Posterior, cells *layout.Cells, keep []int, completer func(*rng.Rand) func(kept []float64) []float64, jobs int, root uint64, path ...string) error {
	var group errgroup.Group
	group.SetLimit(max(jobs, 1))
	for i, chain := range p.Draws {
		group.Go(func() error {
			r := rng.Stream(root, append(slices.Clone(path), "subjects", strconv.Itoa(i))...)
			complete := completer(&r)
			for k, values := range chain {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				chain[k] = complete(values)
				for i, at := range keep {
					chain[k][at] = values[i]
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	p.Parameters = Names(cells.Joint())
	p.Summaries = diag.SummariseEach(len(p.Parameters), func(k int) [][]float64 { return diag.Column(p.Draws, k) })
	return nil
}
