package joint

import (
	"context"
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
	if _, items := cells.Size(); items >= fewestSummed && sideOf(cells, timesAsMany, mostResampled) == ofItems {
		return ofItems
	}
	return neither
}

// sampleFew draws as Fit does where the units of one side are many: their values are summed out, NUTS moves the few that are left, in the
// coordinates of the normal approximation to their density, and each draw of these is completed by a draw of the units given it. The grid on
// which units are drawn is finer, and fits the draws; where the density on it differs, chains are repeated there. p is nil where the density
// has no normal approximation, climbs to its maximum end at several, or a gradient takes mostDearer times as long as that of all values.
func sampleFew(ctx context.Context, cells *layout.Cells, of side, c posterior.Config, root uint64, path ...string) (p *posterior.Posterior, err error) {
	s, err := settle(ctx, cells, of, sampled, c, root, path...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || s.elsewhere > 0 || 2*s.cost() > mostDearer*perResponse*float64(len(cells.Used())) {
		return nil, nil
	}
	c.Accept = min(c.Accept, fewAccept)
	c.Metric = nuts.Diagonal // the curvature undoes correlations
	for again := false; ; again = true {
		fine, err := s.on(s.mesh.closer(toDraw/toSum), 4*mostPairs)
		if err != nil {
			return nil, nil // so informative are responses
		}
		var starts [][]float64
		for i := range c.Chains {
			r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
			starts = append(starts, around(s.whitened(), make([]float64, len(s.mean)), &r))
		}
		if p, err = sampleKept(ctx, cells, s.keep, func() posterior.Density { return s.whitened() }, starts, c, root, path...); err != nil {
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
			p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.Approximate, Message: fmt.Sprintf("%s are summed out on a grid that is too coarse: on a finer one the log density differs by %.2g (root mean square over draws), at most %g is good", of, change, sampled.change)})
		}
		p.Work.Gradients += s.gradients
		return p, completeAll(ctx, p, cells, s.keep, func(r *rng.Rand) func([]float64) []float64 {
			t := fine.completer()
			return func(kept []float64) []float64 { return t.complete(t.unconstrain(kept), 1, r)[0] }
		}, c.Jobs, root, path...)
	}
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
	for i, m := range w.mean {
		w.q[i] += m
	}
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
	for i, k := range t.here {
		t.theta[k] = kept[i]
	}
	all := make([]float64, len(t.theta))
	t.target.Unconstrain(t.theta, all)
	for _, k := range t.here {
		q = append(q, all[k])
	}
	return q
}
