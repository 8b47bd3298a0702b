package joint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/nuts"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Settings of sampleFew. NUTS on all values needs the more gradients the more units there are: per effective draw of what items share it took half the
// time at 10 × 200 (2pl, whole values of seeds 1 to 3), and three to eight times as long at 15 × 500 (seeds 1 and 2), where a gradient of the few took 17 to 90 times as
// long. Their density is near to normal: longer steps than those of Default do for it.
const (
	fewestSummed = 400
	mostDearer   = 100
	perResponse  = 25 // nanoseconds of a gradient of all values
	fewAccept    = 0.8
	checked      = 16 // number of draws at which the grid is compared with a finer one
)

// summedByNUTS returns the side whose units NUTS sums out.
func summedByNUTS(cells *layout.Cells) side {
	subjects, items := cells.Size()
	of := sideOf(cells, timesAsMany, mostResampled)
	if of == ofItems && items >= fewestSummed || of == ofSubjects && subjects >= fewestSummed {
		return of
	}
	return neither
}

// sampleFew draws as Fit does where the units of one side are many: their values are summed out, and NUTS moves the few that are left (settled.sample).
// p is nil where the density of these has no normal approximation or needs too many nodes, climbs to its maximum end at several, or a gradient takes
// mostDearer times as long as that of all values.
func sampleFew(ctx context.Context, cells *layout.Cells, of side, c posterior.Config, root uint64, path ...string) (p *posterior.Posterior, err error) {
	s, err := settle(ctx, cells, of, sampled, c, root, path...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(s.elsewhere) > 0 || 2*s.cost() > mostDearer*perResponse*float64(len(cells.Used())) {
		return nil, nil
	}
	c.Accept = min(c.Accept, fewAccept)
	p, err = s.sample(ctx, c, root, path...)
	if errors.Is(err, errFine) {
		return nil, nil
	}
	return p, err
}

// Marginal draws from the posterior of all parameters given the cells of a layout whose subjects have one parameter each, or binary ones alone: these
// are summed out, on a grid or over all patterns, which is exact, and NUTS moves the others (settled.sample). On a grid it is an oracle of tests: Job takes
// it for binary parameters alone. It returns an error if the layout is
// not Summable, if so many nodes are needed that there is no grid, if the responses are impossible where climbs begin, or if ctx is cancelled.
func Marginal(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	l := cells.Joint().Layout()
	if _, err := l.Summable(); err != nil {
		return nil, err
	}
	s, err := settle(ctx, cells, ofSubjects, summed, c, root, path...)
	var p *posterior.Posterior
	if err == nil {
		p, err = s.sample(ctx, c, root, path...)
	}
	var impossible *Impossible
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.As(err, &impossible):
		return p, err
	}
	return nil, fmt.Errorf("layout %s: engine marginal: %w: declare fewer binary parameters, or leave out items", l.Name, err)
}

// sample draws the values that are kept by NUTS, in the coordinates of the normal approximation to their density, and completes each draw by one of the
// units given it. Where climbs ended at several maxima, chains begin around each. The grid on which units are drawn is finer, and fits the draws; where
// the density on it differs, chains are repeated there. The error is errFine where that grid would be too large.
func (s *settled) sample(ctx context.Context, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	c.Metric = nuts.Diagonal // the curvature undoes correlations
	goesOn(&c, s.cells.Joint().Len())
	mirrors := s.cells.Mirrors()
	if len(s.elsewhere) > 0 { // patterns need the nodes at all maxima
		var points [][]float64
		for _, top := range s.tops() {
			points = append(points, pointsAround(top, s.curvature, s.around())...)
		}
		s.shrink(s.survey(points, s.beneath))
	}
	for again := false; ; again = true {
		fine := s.integral
		if !s.binary {
			var err error
			if fine, err = s.on(s.mesh.closer(toDraw/toSum), 4*s.pairs); err != nil {
				return nil, errFine
			}
		}
		p, err := sampleKept(ctx, s.cells, s.keep, func() posterior.Density { return imaged{s.whitened(), s.keptImages(mirrors)} }, s.starts(c.Chains, root, path...), c, root, path...)
		if err != nil {
			return nil, err
		}
		t := s.density()
		var points [][]float64
		for _, kept := range thinned(p.Draws, checked) {
			points = append(points, t.unconstrain(kept))
		}
		fine.shrink(fine.survey(points, weighted.beneath))
		change := rootMeanSquare(fine.values(points), s.values(points))
		if !(change <= sampled.change) && !again {
			s.integral = fine
			continue
		}
		if !(change <= sampled.change) {
			p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.Approximate, Message: fmt.Sprintf("%s are summed out on a grid that is too coarse: on a finer one the log density differs by %.2g (root mean square over draws), at most %g is good", s.side, change, sampled.change)})
		}
		p.Work.Gradients += s.gradients
		return p, completeAll(ctx, p, s.cells, s.keep, func(r *rng.Rand) func([]float64) []float64 {
			t := fine.completer()
			return func(kept []float64) []float64 { return t.complete(t.unconstrain(kept), 1, r)[0] }
		}, c.Jobs, root, path...)
	}
}

// starts returns a point for each chain, in the coordinates of whitened: around the maximum, and in turn around the others where climbs ended.
func (s *settled) starts(chains int, root uint64, path ...string) (starts [][]float64) {
	tops, w := s.tops(), s.whitened()
	for i := range chains {
		r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
		from, at := slices.Clone(tops[i%len(tops)]), make([]float64, len(s.mean))
		num.AddTo(from, -1, s.mean)
		s.curvature.MulTransposed(from, at)
		starts = append(starts, around(w, at, &r))
	}
	return starts
}

// tops returns the maximum, and the others where climbs ended.
func (s *settled) tops() [][]float64 { return append([][]float64{s.mean}, s.elsewhere...) }

// thinned returns about n of all draws.
func thinned(draws [][][]float64, n int) (out [][]float64) {
	every := max(1, len(draws)*len(draws[0])/n)
	for _, chain := range draws {
		for i := 0; i < len(chain); i += every {
			out = append(out, chain[i])
		}
	}
	return out
}

// An imaged is a whitened whose draws move to their images.
type imaged struct {
	*whitened
	*keptImages
}

// A whitened is the density of an integral in the coordinates of its normal approximation, for one goroutine.
type whitened struct {
	*integrated
	mean      []float64
	curvature num.Lower
	q         []float64
}

func (s *settled) whitened() *whitened {
	return &whitened{s.density(), s.mean, s.curvature, make([]float64, len(s.mean))}
}

// place writes the coordinates of the integral at x to w.q.
func (w *whitened) place(x []float64) {
	copy(w.q, x)
	w.curvature.SolveTransposed(w.q)
	num.AddTo(w.q, 1, w.mean)
}

// LogDensity returns the log density at x, and writes its gradient to grad.
func (w *whitened) LogDensity(x, grad []float64) float64 {
	w.place(x)
	l := w.integrated.LogDensity(w.q, grad)
	w.curvature.Solve(grad)
	return l
}

// Constrain converts x to the parameters that are kept.
func (w *whitened) Constrain(x, theta []float64) {
	w.place(x)
	w.integrated.Constrain(w.q, theta)
}

// unconstrain returns the coordinates of the parameters that are kept.
func (t *integrated) unconstrain(kept []float64) (q []float64) {
	place(t.theta, t.here, kept)
	all := make([]float64, len(t.theta))
	t.target.Unconstrain(t.theta, all)
	for _, k := range t.here {
		q = append(q, all[k])
	}
	return q
}
