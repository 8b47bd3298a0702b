package joint

import (
	"context"
	"fmt"
	"math"
	"slices"

	"achilles/sim/rng"
)

// mostApart is the largest distance, in standard deviations, of the peak of the normal approximation from the maximum with subjects summed out exactly
// at which there are draws: of a normal value, 90 % intervals that are so far off hold 0.88. Peaks of tables from rasch and 2pl (30 × 20 to 80 × 40, seeds
// 1 to 4) were up to 0.27 away, and those of subjects and items together (TestApartFromExact) 0.38 to 0.50.
const mostApart = 0.35

// checkExact returns an error if the peak p is too far from the maximum with subjects summed out exactly.
func checkExact(ctx context.Context, m *marginal, p *peak) error {
	far, known := apartFromExact(ctx, m, p)
	if !known || far <= mostApart {
		return nil
	}
	return fmt.Errorf("the normal approximation (Laplace) is withheld: with subjects integrated out exactly, as in maximum marginal likelihood, the other values are %.2f of its standard deviations away (root mean square; good up to %g); rerun with --engine nuts", far, mostApart)
}

// apartFromExact returns how far from the peak p the maximum of the density is with the parameters of subjects summed out on a grid, as maximum marginal
// likelihood has it but with all priors, given the scales: in the root mean square of all values but those of subjects and the scales, in their standard
// deviations by the approximation. known is false where subjects cannot be summed out, or too many values are left.
func apartFromExact(ctx context.Context, m *marginal, p *peak) (distance float64, known bool) {
	j := m.cells.Joint()
	unit, err := j.Layout().Summable()
	subjects, _ := m.cells.Size()
	if err != nil || j.Len()-len(unit)*subjects > mostNormal {
		return 0, false
	}
	s := &settler{ctx: ctx, cells: m.cells, precision: summed}
	g, err := newIntegral(m.cells, ofSubjects, nil, firstMesh(), s.pairs)
	if err != nil {
		return 0, false
	}
	var top []float64 // in the coordinates of p
	for i, k := range g.keep {
		top, g.shares[g.here[i]] = append(top, p.q[k]), 1
	}
	fine := false
	for i := 0; i < mostMeshes && !fine; i++ {
		if g, fine, err = s.next(g, [][]float64{top}, i); err != nil {
			return 0, false
		}
	}
	if !fine {
		return 0, false
	}
	deviations := p.deviations(len(m.free))
	c := climber{ctx: ctx, target: g.density()}
	var by scales
	for i, k := range g.keep {
		if at := slices.Index(m.free, k); at >= 0 {
			c.free, by = append(c.free, i), append(by, deviations[at])
		}
	}
	if len(c.free) == 0 {
		return 0, false
	}
	q := slices.Clone(top)
	c.climb(q, by, roughly, climbSteps)
	m.gradients += c.gradients
	sum := 0.0
	for i, k := range c.free {
		d := (q[k] - top[k]) / by[i]
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(c.free))), true
}

// deviations returns the standard deviations of the n free values around p, given the scales, by draws.
func (p *peak) deviations(n int) []float64 {
	const draws = 200
	x, out := make([]float64, n), make([]float64, n)
	r := rng.Stream(0, "deviations")
	for range draws {
		for i := range x {
			x[i] = r.Norm()
		}
		p.shape.spread(x)
		for i, v := range x {
			out[i] += float64(v*v) / draws
		}
	}
	for i, v := range out {
		out[i] = math.Sqrt(v)
	}
	return out
}
