package joint

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// A placement is a map, linear but for a constant, from the coordinates x of a sampler to the values q of a target.
type placement interface {
	place(x, q []float64)            // writes the values at x to q
	spreadTransposed(grad []float64) // turns derivatives by q into derivatives by x
}

// A placed is a target in other coordinates, of about unit spread, so that a sampler that has learnt nothing yet can move.
type placed struct {
	target *layout.JointTarget
	placement
	q []float64
}

func newPlaced(t *layout.JointTarget, p placement) *placed {
	return &placed{t, p, make([]float64, t.Dim())}
}

func (p *placed) Dim() int { return len(p.q) }

// LogDensity returns the log density of q, and writes its gradient by x to grad.
func (p *placed) LogDensity(x, grad []float64) float64 {
	p.place(x, p.q)
	l := p.target.LogDensity(p.q, grad)
	p.spreadTransposed(grad)
	return l
}

// Constrain converts x to the parameters themselves.
func (p *placed) Constrain(x, theta []float64) {
	p.place(x, p.q)
	p.target.Constrain(p.q, theta)
}

// prepare returns the posterior in coordinates in which a sampler can move, evaluated by a number of goroutines, and a point for each
// chain to begin at. The coordinates are those of the normal approximation if there is one, and otherwise scaled by what a pilot
// knows of each value alone; where units turn out to tell little at the peak, they are scores (bordered). Units and what they share,
// such as the mean of all abilities and that of all difficulties, are often so strongly correlated that a chain in scaled coordinates
// needs trajectories five times as long.
func prepare(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (density func(workers int) *placed, starts [][]float64, err error) {
	pilotStream := rng.Stream(root, append(slices.Clone(path), "pilot")...)
	centred, scale := pilot(cells, c, &pilotStream)
	begin := func(r *rng.Rand) ([]float64, error) { return start(cells, centred, scale, r) }
	density = func(workers int) *placed { return newPlaced(cells.NewTarget(centred, workers), scales(scale)) }
	if !slices.Contains(centred, false) {
		if m, p := onePeak(ctx, cells, c, root, path...); p != nil {
			place := func() placement { return m.normal(p) }
			if scored := m.faint(p); slices.Contains(scored, true) {
				for i := range centred {
					centred[i] = !scored[i]
				}
				b := m.border(p, centred, scale)
				place = func() placement { return b.copy() }
			}
			density = func(workers int) *placed { return newPlaced(cells.NewTarget(centred, workers), place()) }
			begin = func(r *rng.Rand) ([]float64, error) { return around(density(1), r), nil }
		}
	}
	for i := range c.Chains {
		r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
		x, err := begin(&r)
		if err != nil {
			return nil, nil, err
		}
		starts = append(starts, x)
	}
	return density, starts, ctx.Err()
}

// onePeak returns the peak to which climbs from a different point for each chain lead, or nil if they lead to several or to none, or
// if there are too many values for the matrices.
func onePeak(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*marginal, *peak) {
	m, err := newMarginal(ctx, cells, c, metricSlack)
	if err != nil {
		return nil, nil
	}
	p, elsewhere, err := m.highest(root, path...)
	if err != nil || elsewhere > 0 {
		return nil, nil
	}
	return m, p
}

// around returns a point with a finite density, with twice the spread of the normal approximation; its mean if a hundred have none.
func around(t *placed, r *rng.Rand) []float64 {
	x, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	for range startTries {
		for i := range x {
			x[i] = 2 * r.Norm()
		}
		if l := t.LogDensity(x, grad); !math.IsInf(l, 0) && !math.IsNaN(l) {
			return x
		}
	}
	clear(x)
	return x
}
