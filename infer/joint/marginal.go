package joint

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Limits of Laplace: the number of scales, and the number of elements of the matrices of the curvature (1 GiB).
const (
	mostScales   = 12
	mostElements = 1 << 27
)

// A marginal is the density of the scales, in which all other values are integrated out by Laplace's approximation.
type marginal struct {
	climber
	cells  *layout.Cells
	target *layout.JointTarget
	config posterior.Config
	values *layout.Curvature // the free values, without matrices
	slack  float64           // largest distance of the scales from the maximum that is accepted, in standard deviations
	held   []bool            // parameter → whether its values are scales
	scales []int             // indices of the scales in q
	rough  scales            // rough standard deviations of the other values, in the order of free
	steps  []float64         // first guesses of those of the scales

	mirrors []layout.Mirror // of the posterior
	folds   []layout.Mirror // of the likelihood alone, in which the density that is sampled is folded: one at most

	untilted bool // whether peaks are maxima of the log density itself, without a tilt: good enough to move around, not to be the result
}

// A peak is the maximum of the density by all values but the scales.
type peak struct {
	q       []float64
	density float64   // log density at q, without the tilt
	tilt    []float64 // slope by the other values of the integral over subjects (tiltAt); nil before the first climb
	value   float64   // log of the marginal density of the scales; −Inf if there is no maximum with a curvature
	shape   *arrow    // factor of the curvature at q; nil if there is none

	// How the marginal density and the peak change with the scales, if it was asked for.
	up     []float64   // values where a scale is a quarter of its unit larger
	slope  []float64   // derivatives of value
	bend   num.Lower   // negative second derivatives of value; their Cholesky factor where the ascent has ended
	follow [][]float64 // scale → derivatives of q
}

// newMarginal returns the marginal density of the scales. If limit is not nil, it says why there is none; climbs with given scales are
// possible all the same.
func newMarginal(ctx context.Context, cells *layout.Cells, c posterior.Config, slack float64) (m *marginal, limit error) {
	j := cells.Joint()
	m = &marginal{cells: cells, config: c, slack: slack, held: j.Spreads()}
	for i, p := range j.Layout().Parameters {
		if !m.held[i] {
			continue
		}
		if p.Group != layout.Shared {
			limit = fmt.Errorf("layout %s: the SD of a prior depends on %s, which is not shared: engine laplace cannot integrate out what shrinks with it; use engine nuts", j.Layout().Name, p.Name)
		}
		for u := range j.Units(i) {
			m.scales = append(m.scales, j.First(i)+u)
		}
	}
	if limit == nil && len(m.scales) > mostScales {
		limit = fmt.Errorf("layout %s: the SDs of priors depend on %d shared parameters: engine laplace takes %d at most; use engine nuts", j.Layout().Name, len(m.scales), mostScales)
	}
	free := j.Free(m.held)
	blocks, border := max(len(free.Subjects), len(free.Items)), min(len(free.Subjects), len(free.Items))+len(free.Rest)
	if n := float64(border) * float64(blocks+border/2); limit == nil && n > mostElements {
		limit = fmt.Errorf("layout %s: the curvature by %d values has %.3g elements: engine laplace takes %.3g at most", j.Layout().Name, blocks+border, n, float64(mostElements))
	}
	m.values = free
	m.target = cells.NewTarget(allCentred(j), max(c.Jobs, 1))
	m.climber = climber{ctx: ctx, target: m.target, free: order(free)}
	return m, limit
}

// Slopes at which climbs end, in standard deviations: a first one, and one around which the density is integrated.
const (
	roughly   = 0.02
	precisely = 1e-4
)

// highest returns the highest peak that climbs from different points, whose ends are tops, reach, and how many of them end elsewhere with the same
// scales. The first climbs have scales at the middle of their priors; the highest of them moves the scales, and after it any that is
// then higher.
func (m *marginal) highest(tops []*peak) (best *peak, elsewhere int, err error) {
	next := slices.MaxFunc(tops, func(a, b *peak) int { return cmp.Compare(a.density, b.density) })
	for next != nil {
		if best, err = m.maximise(next.q); err != nil {
			return nil, 0, err
		}
		next, elsewhere = nil, 0
		for _, t := range tops {
			m.copyScales(t.q, best.q)
			m.tilt = best.tilt
			m.climb(t.q, best.shape, roughly, climbSteps)
			same := t.leads(best, m)
			if !same { // it may not have arrived
				m.ascend(t.q)
				same = t.leads(best, m)
			}
			m.tilt = nil
			if same {
				continue
			}
			elsewhere++
			if p := m.peakAt(t.q, nil, m.deflate(t.q)); p.value > best.value+nats && (next == nil || p.value > next.value) {
				next = p
			}
		}
	}
	return best, elsewhere, nil
}

// leads reports whether a climb that ended at p has ended at the maximum best of m, or would have.
func (p *peak) leads(best *peak, m *marginal) bool {
	return !p.apart(best, m.free, m.rough) || m.rises(p.q, best.q)
}

// highestOf climbs from a point for every chain, and returns what highest does.
func (m *marginal) highestOf(root uint64, path ...string) (best *peak, elsewhere int, err error) {
	tops, err := m.tops(root, path...)
	if err != nil {
		return nil, 0, err
	}
	return m.highest(tops)
}

// nats is a difference of log densities that is no rounding error.
const nats = 0.1

// apart reports whether two peaks are further from each other than the standard deviation of some of the values free.
func (p *peak) apart(from *peak, free []int, deviations []float64) bool {
	for i, at := range free {
		if !(math.Abs(p.q[at]-from.q[at]) <= deviations[i]) {
			return true
		}
	}
	return false
}

// copyScales copies the scales of one point to another.
func (m *marginal) copyScales(to, from []float64) {
	for _, at := range m.scales {
		to[at] = from[at]
	}
}

// ascend moves q to a maximum, and returns the log density there. Coordinates that are right far from it may be wrong near it: after
// some steps it takes others.
func (m *marginal) ascend(q []float64) float64 {
	var w coordinates = m.rough
	last := math.Inf(-1)
	for range mostRounds {
		density, arrived := m.climb(q, w, roughly, roundSteps)
		if arrived || !(density > last+nats) {
			return density
		}
		last, w = density, m.deflate(q)
	}
	return last
}

// firstShare is the share of the way from the middle of the prior to a draw from it at which the first climb begins, as of that of
// the others. It is short, and leads to the mode with the shortest way.
const firstShare = 0.2

// tops climbs from a point for every chain, with scales at the middle of their priors.
func (m *marginal) tops(root uint64, path ...string) (tops []*peak, err error) {
	j := m.cells.Joint()
	stream := rng.Stream(root, append(slices.Clone(path), "pilot")...)
	middle := make([]float64, j.Len())
	j.DrawNear(&stream, 0, middle)
	m.target.Unconstrain(middle, middle)
	information, spread := inspect(m.target, j, 1, &stream)
	m.rough, m.steps = nil, nil
	for _, at := range m.free {
		m.rough = append(m.rough, deviation(information[at], spread[at]))
	}
	for _, at := range m.scales {
		m.steps = append(m.steps, 0.2*spread[at])
	}
	ones := slices.Repeat([]float64{1}, j.Len())
	for i := range m.config.Chains {
		r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
		q, err := start(m.cells, allCentred(j), ones, &r)
		if err != nil {
			return nil, err
		}
		m.copyScales(q, middle)
		if i == 0 {
			near := make([]float64, len(q))
			for k := range q {
				near[k] = middle[k] + float64(firstShare*(q[k]-middle[k]))
			}
			if l := m.target.LogDensity(near, make([]float64, len(q))); !math.IsInf(l, -1) {
				q = near
			}
		}
		tops = append(tops, &peak{q: q, density: m.ascend(q)})
	}
	m.mirrors = m.cells.Mirrors()
	images := m.cells.NewImages(append(slices.Clone(m.mirrors), m.folds...))
	for _, t := range tops { // images of one maximum are one
		images.Nearest(t.q, tops[0].q)
	}
	return tops, nil
}
