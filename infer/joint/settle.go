package joint

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A settled is an integral whose grid is fine enough, with the normal approximation to its density.
type settled struct {
	*integral
	mean      []float64   // the maximum, in coordinates q
	curvature num.Lower   // Cholesky factor of minus the second derivatives there
	elsewhere [][]float64 // where climbs from other points ended at other maxima
	gradients int
	precision
}

// A settler looks for the grid that an integral needs, and for its maximum.
type settler struct {
	ctx   context.Context
	cells *layout.Cells
	precision
	gradients int
}

// A precision is how fine a grid must be.
type precision struct {
	steps   float64 // largest distance of nodes, in the standard deviations of any pattern there
	beneath float64 // share of the highest weight of a pattern below which its nodes do not count
	change  float64 // by which nodes closer to each other may change the log density at points around the maximum, in the root mean square
	pairs   int     // largest number of outcomes × nodes
	anyhow  bool    // whether scales will do in place of a curvature that a maximum has not in every direction
}

// Precision of a density at which draws are weighted, of one in which chains move, and of one in which they do though units are few: no mean is further
// off than the change, in standard deviations.
var (
	weighted = precision{steps: toDraw, beneath: 1e-7, change: 0.3, pairs: mostPairs}
	sampled  = precision{steps: toSum, beneath: 1e-5, change: 0.05, pairs: mostPairs}
	summed   = precision{steps: toSum, beneath: 1e-5, change: 0.05, pairs: 1 << 21, anyhow: true}
)

// The grid to begin with, and how often it may change.
const (
	firstStep  = 0.25
	firstReach = 6
	mostReach  = 14
	mostMeshes = 12
)

var errNoTop = errors.New("no maximum with a curvature in every direction was found")

// firstMesh returns the mesh to begin with.
func firstMesh() (m mesh) {
	for k := range m {
		m[k] = spacing{bend: 1, step: firstStep, reach: firstReach}
	}
	return m
}

// settle returns the integral over a side with the normal approximation to its density. It climbs on a rough grid from a point for each
// chain, and refines the grid at the highest maximum until nodes twice as close would not change the density around it. A rough grid has
// maxima of its own: climbs that end elsewhere go on upon the fine one.
func settle(ctx context.Context, cells *layout.Cells, of side, fine precision, c posterior.Config, root uint64, path ...string) (*settled, error) {
	s := &settler{ctx: ctx, cells: cells, precision: fine}
	g, err := newIntegral(cells, of, nil, firstMesh(), fine.pairs)
	if err != nil {
		return nil, err
	}
	top, factor, others, err := s.highest(g, c.Chains, root, path...)
	if err != nil {
		return nil, err
	}
	top, factor = s.centre(g, top, factor)
	out, err := s.refine(g, top, factor)
	for err == nil {
		var higher []float64
		if out.elsewhere, higher = s.beside(out, others); higher == nil {
			break
		}
		others = append(others, out.moved(out.mean, out.shares, make([]float64, len(out.shares))))
		if factor, err = s.factor(out.integral, higher); err == nil {
			out, err = s.refine(out.integral, higher, factor)
		}
	}
	return out, err
}

// beside climbs on, on the grid of a maximum, from where other climbs ended, in scores. It returns to where some of them lead elsewhere, in the
// coordinates of the grid, and such a point that is higher than the maximum; nil if none is.
func (s *settler) beside(top *settled, others [][]float64) (elsewhere [][]float64, higher []float64) {
	for _, scores := range others {
		q := top.moved(scores, make([]float64, len(top.shares)), top.shares)
		wide := *top.integral // counts nodes at both ends
		wide.patterns = slices.Clone(wide.patterns)
		wide.shrink(wide.survey([][]float64{top.mean, q}, s.beneath))
		c := climber{ctx: s.ctx, target: wide.density(), free: num.Indices(len(q))}
		same := func(w num.Lower) bool {
			c.climb(q, triangular(w), roughly/4, climbSteps)
			return distance(top.curvature, q, top.mean) < 1 || c.rises(q, top.mean)
		}
		again := same(top.curvature)
		if !again {
			if own, err := s.curvature(&wide, q); err == nil {
				again = same(own)
			}
		}
		s.gradients += c.gradients
		if again {
			continue
		}
		elsewhere = append(elsewhere, q)
		t := wide.density()
		if t.value(q) > t.value(top.mean)+nats {
			return elsewhere, q
		}
	}
	return elsewhere, nil
}

// refine changes the grid until it is fine enough around the top, and climbs on.
func (s *settler) refine(g *integral, top []float64, factor num.Lower) (*settled, error) {
	for i := range mostMeshes {
		var fine bool
		var err error
		if g, fine, err = s.next(g, pointsAround(top, factor, g.around()), i); err != nil {
			return nil, err
		}
		if fine || i == 0 {
			if !fine {
				g.shrink(g.survey([][]float64{top}, s.beneath))
			}
			s.climb(g, top, triangular(factor))
			if factor, err = s.factor(g, top); err != nil {
				return nil, err
			}
		}
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		if fine {
			return &settled{integral: g, mean: top, curvature: factor, gradients: s.gradients, precision: s.precision}, nil
		}
	}
	return nil, errFine
}

// next returns the integral on the grid that is needed at some points, and whether that is the grid it has; i counts the grids before. After half of those
// that there may be, nodes only come closer.
func (s *settler) next(g *integral, points [][]float64, i int) (out *integral, fine bool, err error) {
	m, err := s.freeze(g, points)
	if err != nil || m == g.mesh {
		return g, err == nil, err
	}
	if i >= mostMeshes/2 {
		m = g.mesh.closerWhere(m)
	}
	out, err = g.on(m, s.pairs)
	return out, false, err
}

// closerWhere returns the mesh with nodes closer by a fifth on the axes that another mesh changes, which reach as far as its own do. Of two meshes, each may
// look too wide on the other, where they measure the widths of a pattern a little differently.
func (m mesh) closerWhere(next mesh) mesh {
	for k := range m {
		if next[k] != m[k] {
			m[k].step *= 0.8
			m[k].reach = next[k].reach
		}
	}
	return m
}

// on returns the same integral on another grid.
func (g *integral) on(m mesh, most int) (*integral, error) {
	out, err := newIntegral(g.cells, g.side, g.fixed, m, most)
	if err != nil {
		return nil, err
	}
	for i, k := range g.here {
		out.shares[out.here[i]] = g.shares[k]
	}
	return out, nil
}

// highest climbs from a point for each chain, and returns the highest maximum with its curvature, and where other climbs end.
func (s *settler) highest(g *integral, climbs int, root uint64, path ...string) (top []float64, factor num.Lower, others [][]float64, err error) {
	var tops [][]float64
	best := math.Inf(-1)
	for i := range climbs {
		r := rng.Stream(root, append(path[:len(path):len(path)], "start", strconv.Itoa(i))...)
		q := g.start(&r, i)
		if l := s.climb(g, q, scales(slices.Repeat([]float64{0.1}, len(q)))); l > best {
			top, best = q, l
		}
		tops = append(tops, q)
	}
	if math.IsInf(best, -1) {
		return nil, num.Lower{}, nil, noStart(s.cells, climbs, root, path...)
	}
	if factor, err = s.factor(g, top); err != nil {
		return nil, num.Lower{}, nil, err
	}
	top = slices.Clone(top)
	s.climb(g, top, triangular(factor))
	for _, q := range tops {
		s.climb(g, q, triangular(factor))
		if !(distance(factor, q, top) < 1) {
			others = append(others, q)
		}
	}
	return top, factor, others, nil
}

// start returns the coordinates of a point where a climb begins: number 0 near the middle of the prior, the others on the way to a draw
// from it.
func (g *integral) start(r *rng.Rand, number int) (q []float64) {
	theta, share := make([]float64, g.at.Joint().Len()), 0.5
	if number == 0 {
		share = 0.5 * firstShare
	}
	g.at.Joint().DrawNear(r, share, theta)
	g.density().target.Unconstrain(theta, theta)
	for _, k := range g.here {
		q = append(q, theta[k])
	}
	return q
}

// triangular are the coordinates in which a curvature with this Cholesky factor is the identity.
type triangular num.Lower

func (t triangular) spread(x []float64)           { num.Lower(t).SolveTransposed(x) }
func (t triangular) spreadTransposed(x []float64) { num.Lower(t).Solve(x) }

// climb moves q to a maximum in coordinates w, and returns the log density there.
func (s *settler) climb(g *integral, q []float64, w coordinates) float64 {
	return s.climbTo(g, q, w, roughly/4)
}

// climbTo is climb that ends at another slope.
func (s *settler) climbTo(g *integral, q []float64, w coordinates, slope float64) float64 {
	c := climber{ctx: s.ctx, target: g.density(), free: num.Indices(len(q))}
	l, _ := c.climb(q, w, slope, climbSteps)
	s.gradients += c.gradients
	return l
}

// curvature returns the Cholesky factor of minus the second derivatives at q.
func (s *settler) curvature(g *integral, q []float64) (num.Lower, error) {
	l := s.bend(g, q)
	if !l.Cholesky() {
		return l, errNoTop
	}
	return l, nil
}

// factor returns the curvature at q, or, where there is none and anything will do, that of the coordinates one by one.
func (s *settler) factor(g *integral, q []float64) (num.Lower, error) {
	l, err := s.curvature(g, q)
	if err == nil || !s.anyhow {
		return l, err
	}
	bend := s.bend(g, q)
	l = num.NewLower(len(q))
	for i := range q {
		l.Row(i)[i] = 1
		if b := bend.Row(i)[i]; b > 1 && !math.IsInf(b, 0) {
			l.Row(i)[i] = math.Sqrt(b)
		}
	}
	return l, nil
}

// bend returns minus the second derivatives at q.
func (s *settler) bend(g *integral, q []float64) num.Lower {
	s.gradients += 2 * len(q)
	return posterior.Differences(g.density(), q)
}

// distance returns the root mean square distance of two points in the coordinates in which the curvature is the identity.
func distance(factor num.Lower, a, b []float64) float64 {
	d, x := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	factor.MulTransposed(d, x)
	return math.Sqrt(num.Dot(x, x) / float64(len(x)))
}

// around returns how far from its maximum a density must be right: where draws are, or, of a maximum, where its curvature is seen.
func (g *integral) around() float64 {
	if g.fixed != nil {
		return 0.5
	}
	return 1.5
}

// pointsAround returns the top, and pairs of opposite points about so many standard deviations from it in every direction.
func pointsAround(top []float64, factor num.Lower, deviations float64) [][]float64 {
	r := rng.Stream(0, "around")
	out := [][]float64{top}
	for range 4 {
		z := make([]float64, len(top))
		for i := range z {
			z[i] = deviations * r.Norm()
		}
		factor.SolveTransposed(z)
		for _, sign := range []float64{1, -1} {
			q := slices.Clone(top)
			num.AddTo(q, sign, z)
			out = append(out, q)
		}
	}
	return out
}
