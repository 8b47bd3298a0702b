package joint

import (
	"context"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// Climb climbs once from a point drawn from the prior, with scales at the middle of their priors, and returns where it ends, the log
// density there and the number of gradients.
func Climb(cells *layout.Cells) (theta []float64, density float64, gradients int, err error) {
	c := Default()
	c.Chains = 1
	m, err := newMarginal(context.Background(), cells, c, resultSlack)
	if err != nil {
		return nil, 0, 0, err
	}
	tops, err := m.tops(1, "climb")
	if err != nil {
		return nil, 0, 0, err
	}
	theta = make([]float64, cells.Joint().Len())
	m.target.Constrain(tops[0].q, theta)
	return theta, tops[0].density, m.gradients, nil
}

// GoesOn sets until when chains of NUTS go on.
func GoesOn(c *posterior.Config, values int) { goesOn(c, values) }

// A Placed is the posterior in the coordinates of NUTS.
type Placed = placed

// Prepare returns the posterior in the coordinates of NUTS, a point for each chain, and whether the coordinates are those of the
// normal approximation.
func Prepare(cells *layout.Cells) (density *Placed, starts [][]float64, approximated bool, err error) {
	target, starts, err := prepare(context.Background(), cells, Default(), 1)
	if err != nil {
		return nil, nil, false, err
	}
	density = target(1)
	_, approximated = density.placement.(*normal)
	return density, starts, approximated, nil
}

// NewMarginal returns the density of cells with the parameters of subjects summed out, as engine marginal does.
func NewMarginal(cells *layout.Cells) (*Integrated, error) {
	return NewIntegrated(cells, false, firstStep)
}

// An Integrated is a density in which the values of units are summed out, and what draws them.
type Integrated struct {
	*integrated
	completer *completer
}

// NewIntegrated returns the density of cells with subjects, or items, summed out on a grid with this step.
func NewIntegrated(cells *layout.Cells, items bool, step float64) (*Integrated, error) {
	of := ofSubjects
	if items {
		of = ofItems
	}
	m := firstMesh()
	for k := range m {
		m[k].step = step
	}
	g, err := newIntegral(cells, of, nil, m, mostPairs)
	if err != nil {
		return nil, err
	}
	g.shrink(g.survey([][]float64{make([]float64, len(g.keep))}, weighted.beneath))
	return &Integrated{g.density(), g.completer()}, nil
}

// Value returns the log density at q without its gradient.
func (t *Integrated) Value(q []float64) float64 { return t.value(q) }

// SampleFew is NUTS with items summed out, however few they are, and FitWhole that on all values.
func SampleFew(ctx context.Context, cells *layout.Cells, c posterior.Config) (*posterior.Posterior, error) {
	return sampleFew(ctx, cells, ofItems, c, 1, "few")
}

// SampleFewItems is NUTS with subjects summed out.
func SampleFewItems(ctx context.Context, cells *layout.Cells, c posterior.Config) (*posterior.Posterior, error) {
	return sampleFew(ctx, cells, ofSubjects, c, 1, "few")
}

func FitWhole(ctx context.Context, cells *layout.Cells, c posterior.Config) (*posterior.Posterior, error) {
	return fitWhole(ctx, cells, c, 1, "whole")
}

// NewWhitened returns the density in which chains move with items summed out, and the way from what is kept to the coordinates of the integral and back.
func NewWhitened(ctx context.Context, cells *layout.Cells) (d *whitened, there func(kept []float64) []float64, back func(q, kept []float64), err error) {
	s, err := settle(ctx, cells, ofItems, sampled, Default(), 1)
	if err != nil {
		return nil, nil, nil, err
	}
	d = s.whitened()
	return d, d.unconstrain, d.integrated.Constrain, nil
}

// Complete returns all values of cells, n times, where the others have coordinates q.
func (t *Integrated) Complete(q []float64, n int, r *rng.Rand) [][]float64 {
	return t.completer.complete(q, n, r)
}

// Elsewhere returns how many climbs end at other maxima than the highest one of the density of cells with items, or subjects, summed out.
func Elsewhere(ctx context.Context, cells *layout.Cells, items bool) (int, error) {
	of := ofSubjects
	if items {
		of = ofItems
	}
	s, err := settle(ctx, cells, of, weighted, Default(), 1, "elsewhere")
	if err != nil {
		return 0, err
	}
	return len(s.elsewhere), nil
}

// CheckExact returns how far the peak of the normal approximation, or that of subjects and items together, is from the maximum with subjects summed
// out, and the error of engine laplace if that is too far.
func CheckExact(ctx context.Context, cells *layout.Cells, together bool) (far float64, known bool, err error) {
	m, err := newMarginal(ctx, cells, Default(), resultSlack)
	if err != nil {
		return 0, false, err
	}
	m.untilted = together
	best, _, err := m.highestOf(1, "apart")
	if err != nil {
		return 0, false, err
	}
	far, known = apartFromExact(ctx, m, best)
	return far, known, checkExact(ctx, m, best)
}

// Start returns a point at which a chain can begin, in scores.
func Start(cells *layout.Cells, r *rng.Rand) ([]float64, error) {
	j := cells.Joint()
	return start(cells, make([]bool, len(j.Layout().Parameters)), slices.Repeat([]float64{1}, j.Len()), r)
}

// Centring returns where the coordinate of every value lies between its score and the value itself.
func Centring(ctx context.Context, cells *layout.Cells) ([]float64, error) {
	m, _ := newMarginal(ctx, cells, Default(), metricSlack)
	tops, err := m.tops(1, "centring")
	if err != nil {
		return nil, err
	}
	top, _ := m.summit(tops, true)
	shares, _ := m.centring(top, m.ends(top))
	return shares, nil
}

// Locate writes the coordinates of x, through the values there and back, to x, and reports whether these are an approximation's.
func (p *placed) Locate(x []float64) (approximated bool) {
	p.place(x, p.q)
	clear(x)
	p.locate(p.q, x)
	_, approximated = p.placement.(*normal)
	return approximated
}

// An Arrow is the Cholesky factor of a curvature as a table has it.
type Arrow struct{ *arrow }

// NewArrow returns the factor by a number of goroutines, half the logarithm of the determinant, and the index in q of every row.
func NewArrow(c *layout.Curvature, workers int) (a Arrow, half float64, order []int, ok bool) {
	a.arrow = newArrow(c)
	half, ok = a.factor(workers)
	return a, half, a.order, ok
}

// Spread replaces x by W·x, where W·Wᵀ is the inverse of the matrix, and SpreadTransposed by Wᵀ·x.
func (a Arrow) Spread(x []float64)           { a.spread(x) }
func (a Arrow) SpreadTransposed(x []float64) { a.spreadTransposed(x) }
