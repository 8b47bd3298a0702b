package joint

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Laplace sums over the units of one side where they are so many times as many as the others and at most so many other values are left: of
// more, ratios of densities say nothing. Up to mostNormal are left where there is no other approximation.
const (
	timesAsMany   = 4
	mostResampled = 48
	mostNormal    = 400
)

// sideOf returns the side whose units can be summed out so that fewest other values are left, at most `most`, and whose units are at least so
// many times as many as those of the other side.
func sideOf(cells *layout.Cells, times float64, most int) side {
	j := cells.Joint()
	l := j.Layout()
	subjects, items := cells.Size()
	best, least := neither, most+1
	for _, of := range []side{ofSubjects, ofItems} {
		summable, units, others := l.Summable, subjects, items
		if of == ofItems {
			summable, units, others = func() ([]int, error) { return layout.SummableItems(l) }, others, units
		}
		unit, err := summable()
		if err != nil || l.CheckMovable() != nil || float64(units) < times*float64(others) {
			continue
		}
		if kept := j.Len() - len(unit)*units; kept < least && kept > 0 {
			best, least = of, kept
		}
	}
	return best
}

// Draws of the values that are kept, of which those of a result are resampled: as many as this time allows, in nanoseconds.
const (
	leastKept = 1000
	mostKept  = 20000
	keptTime  = 4e9
)

// resample draws as Laplace does: the values of one side's units are summed out, draws from the normal approximation to the density of the others
// are resampled by the ratio of the densities, and each is completed by a draw of the units given it.
func resample(ctx context.Context, cells *layout.Cells, of side, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	s, err := settle(ctx, cells, of, weighted, c, root, path...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	name := cells.Joint().Layout().Name
	if err != nil {
		return nil, fmt.Errorf("layout %s: engine laplace sums over %s, which are many and of which each has few responses: %w; rerun with --engine nuts", name, of, err)
	}
	n := c.Chains * c.Draws
	r := rng.Stream(root, append(slices.Clone(path), "laplace", "kept")...)
	tries := min(mostKept, max(leastKept, min(4*n, int(keptTime/s.cost()))))
	w := posterior.Around(ctx, valued{s.density()}, s.mean, s.curvature, tries, n, &r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !w.Good {
		return nil, fmt.Errorf("layout %s: the posterior is far from normal (Pareto shape of the weights %.2f, good up to %.1f; %.0f of %d draws count), so that engine laplace has no draws to give; rerun with --engine nuts", name, w.Shape, posterior.GoodShape, w.Effective, tries)
	}
	warning := posterior.Warning{Kind: posterior.Approximate, Message: fmt.Sprintf("draws are from a normal approximation (Laplace), resampled to match the posterior (Pareto shape of the weights %.2f, good up to %.1f), so that there is no R-hat; --engine nuts samples the posterior itself", w.Shape, posterior.GoodShape)}
	s.gradients += w.Gradients
	return s.posterior(ctx, warning, w.Points, w.Effective, c, root, path...)
}

// unweighted draws as resample does, but from the normal approximation as it is.
func unweighted(ctx context.Context, cells *layout.Cells, of side, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	s, err := settle(ctx, cells, of, weighted, c, root, path...)
	if err != nil {
		return nil, err
	}
	r := rng.Stream(root, append(slices.Clone(path), "laplace", "kept")...)
	n := c.Chains * c.Draws
	warning := posterior.Warning{Kind: posterior.Approximate, Message: fmt.Sprintf("draws are from a normal approximation (Laplace) with %s summed out, so that there is no R-hat; --engine nuts samples the posterior itself", of)}
	return s.posterior(ctx, warning, s.normal(n, &r), float64(n), c, root, path...)
}

// normal returns draws from the normal approximation, in coordinates.
func (s *settled) normal(n int, r *rng.Rand) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		q := make([]float64, len(s.mean))
		for k := range q {
			q[k] = r.Norm()
		}
		s.curvature.SolveTransposed(q)
		num.AddTo(q, 1, s.mean)
		points[i] = q
	}
	return points
}

// posterior returns the posterior of points, as many draws of which count as effective, each completed by a draw of the units.
func (s *settled) posterior(ctx context.Context, warning posterior.Warning, points [][]float64, effective float64, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	p := &posterior.Posterior{Parameters: Names(s.cells.Joint()), Engine: posterior.Laplace, LogEvidence: math.NaN(), LogEvidenceError: math.NaN(), Warnings: []posterior.Warning{warning}}
	p.Work.Gradients = s.gradients
	if n := len(s.elsewhere); n > 0 {
		p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.OtherMaxima, Message: fmt.Sprintf("%d of %d optimisations ended at lower maxima than the one on which the draws are centred; the posterior may be multimodal and intervals too narrow; rerun with --engine nuts", n, c.Chains)})
	}
	all, err := s.complete(ctx, points, c.Jobs, root, path...)
	if err != nil {
		return nil, err
	}
	p.Draws = slices.Collect(slices.Chunk(all, c.Draws))
	newMover(s.cells, c.Chains, root, path...).move(p.Draws)
	p.Summaries = summaries(p.Draws)
	for i := range p.Summaries {
		d := &p.Summaries[i]
		d.MCSEMean = d.SD / math.Sqrt(min(effective, float64(len(points))))
	}
	if c.Progress != nil {
		c.Progress(1, 1)
	}
	return p, nil
}

// A valued is an integrated that writes no gradients.
type valued struct{ *integrated }

// LogDensity returns the log density at q.
func (v valued) LogDensity(q, _ []float64) float64 { return v.value(q) }

// complete returns all values of cells for points of those that are kept, given as coordinates. What the same slice has at several places is
// one point.
func (g *integral) complete(ctx context.Context, points [][]float64, jobs int, root uint64, path ...string) ([][]float64, error) {
	out, places := make([][]float64, len(points)), map[*float64][]int{}
	var distinct []*float64
	for i, q := range points {
		if places[&q[0]] == nil {
			distinct = append(distinct, &q[0])
		}
		places[&q[0]] = append(places[&q[0]], i)
	}
	jobs = max(jobs, 1)
	var group errgroup.Group
	for w := range jobs {
		group.Go(func() error {
			t := g.completer()
			for k := w; k < len(distinct); k += jobs {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				at := places[distinct[k]]
				r := rng.Stream(root, append(slices.Clone(path), "units", strconv.Itoa(at[0]))...)
				for i, theta := range t.complete(points[at[0]], len(at), &r) {
					out[at[i]] = theta
				}
			}
			return nil
		})
	}
	return out, group.Wait()
}
