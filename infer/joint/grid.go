package joint

import (
	"errors"
	"math"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// mostAxes is the largest number of parameters of a unit that are summed out on a grid, and mostWithPriors the same where draws of the others are
// wanted from their posterior: a third needs tens of times as many nodes.
const (
	mostAxes       = layout.MostSummed
	mostWithPriors = 2
)

// A mesh says how fine a grid is, axis by axis.
type mesh [mostAxes]spacing

// closer returns the mesh with distances of nodes times by.
func (m mesh) closer(by float64) mesh {
	for k := range m {
		m[k].step *= by
	}
	return m
}

// A spacing has nodes at middle + bend·sinh(u), in standard deviations of the prior, for all multiples u of step within reach: bend·step apart
// in the middle, where units differ, and further apart the further they are from it.
type spacing struct{ middle, bend, step, reach float64 }

// at returns the node at u.
func (s spacing) at(u float64) float64 { return s.middle + float64(s.bend*math.Sinh(u)) }

// u returns where a node is at x.
func (s spacing) u(x float64) float64 { return math.Asinh((x - s.middle) / s.bend) }

// ends returns the multiples of step at both ends.
func (s spacing) ends() (first, last float64) {
	return math.Floor(s.u(-s.reach) / s.step), math.Ceil(s.u(s.reach) / s.step)
}

// A grid has nodes for the coordinate of every parameter of a unit. Nodes are numbered with the last axis fastest. Or its nodes are all patterns of
// binary parameters, on one axis: parameter k is bit k of the number of a node.
type grid struct {
	axes   []axis
	binary bool
}

// patternsOf returns the grid of all patterns of n binary parameters.
func patternsOf(n int) *grid {
	return &grid{axes: []axis{{n: 1 << n, stride: 1, logCell: make([]float64, 1<<n)}}, binary: true}
}

// value returns the coordinate of parameter k of a unit at a node.
func (g *grid) value(k, node int) float64 {
	if g.binary {
		return float64(node >> k & 1)
	}
	return g.axes[k].coordinate(float64(g.at(k, node)))
}

// An axis has the nodes of a spacing.
type axis struct {
	spacing
	from, by  float64   // middle of the prior, and its standard deviation
	first     float64   // node 0, in steps
	n, stride int       // number of nodes, and distance of their numbers
	logCell   []float64 // node → log of the length for which it stands
}

// newGrid returns a grid for some parameters of a unit.
func newGrid(cells *layout.Cells, of []int, m mesh) *grid {
	j := cells.Joint()
	centred := allCentred(j)
	for _, i := range of {
		centred[i] = false
	}
	t := cells.NewTarget(centred, 1)
	q, r := make([]float64, j.Len()), rng.Stream(0, "middle")
	j.DrawNear(&r, 0, q)
	t.Unconstrain(q, q)
	g := &grid{}
	for k, i := range of {
		a := axis{spacing: m[k], by: 1} // of scores
		if !j.HasScores(i) {
			a.from, a.by = q[j.First(i)], t.PriorSpread(q, i)[0]
		}
		first, last := a.ends()
		a.first, a.n = first, int(last-first)+1
		for node := range a.n {
			u := float64((first + float64(node)) * a.step)
			a.logCell = append(a.logCell, num.Log(float64(a.by*a.bend)*float64(a.step*math.Cosh(u))))
		}
		g.axes = append(g.axes, a)
	}
	stride := 1
	for k := len(g.axes) - 1; k >= 0; k-- {
		g.axes[k].stride = stride
		stride *= g.axes[k].n
	}
	return g
}

// coordinate returns the value at a node, which may lie between two.
func (a *axis) coordinate(node float64) float64 {
	return a.from + float64(a.by*a.spacing.at(float64((a.first+node)*a.step)))
}

// nodes returns the number of nodes.
func (g *grid) nodes() int { return g.axes[0].n * g.axes[0].stride }

// at returns the position along axis k of a node.
func (g *grid) at(k, node int) int { return node / g.axes[k].stride % g.axes[k].n }

// A box is a part of a grid: the nodes from..from+n−1 on every axis, in rows along the last one.
type box struct {
	from, n [mostAxes]int
	rows    []int32 // first node of every row
	row     int     // length of a row
}

// box returns a part of the grid.
func (g *grid) box(from, n [mostAxes]int) box {
	b := box{from: from, n: n, rows: []int32{0}}
	last := len(g.axes) - 1
	for k, a := range g.axes {
		var next []int32
		steps := n[k]
		if k == last {
			steps, b.row = 1, n[k]
		}
		for _, start := range b.rows {
			for i := range steps {
				next = append(next, start+int32((from[k]+i)*a.stride))
			}
		}
		b.rows = next
	}
	return b
}

// whole returns the whole grid.
func (g *grid) whole() box {
	var n [mostAxes]int
	for k, a := range g.axes {
		n[k] = a.n
	}
	return g.box([mostAxes]int{}, n)
}

// nodes returns the number of nodes.
func (b *box) nodes() int { return len(b.rows) * b.row }

// An extent is what of an axis a posterior takes: its mean and standard deviation, and its first and last node.
type extent struct {
	mean, sd    float64 // in nodes
	first, last int
}

// extents returns what of every axis the posterior with these weights at the nodes of a box takes. Nodes with less than a share, beneath, of the
// highest weight do not count.
func (g *grid) extents(b *box, weights []float64, beneath float64) (out [mostAxes]extent) {
	top := 0.0
	for _, w := range weights {
		top = max(top, w)
	}
	var mean, square [mostAxes]float64
	sum := 0.0
	for k := range g.axes {
		out[k] = extent{first: g.axes[k].n, last: -1}
	}
	for r, start := range b.rows {
		for i, w := range weights[r*b.row : (r+1)*b.row] {
			if !(w > float64(beneath*top)) {
				continue
			}
			sum += w
			for k := range g.axes {
				at := g.at(k, int(start)+i)
				x := float64(at)
				mean[k] += float64(w * x)
				square[k] += float64(w * float64(x*x))
				out[k].first, out[k].last = min(out[k].first, at), max(out[k].last, at)
			}
		}
	}
	for k := range g.axes {
		m := mean[k] / sum
		out[k].mean, out[k].sd = m, math.Sqrt(max(square[k]/sum-float64(m*m), 0))
	}
	return out
}

// wider returns what two extents take together, with the mean and the standard deviation of the narrower.
func (e extent) wider(f extent) extent {
	if f.sd < e.sd {
		e.mean, e.sd = f.mean, f.sd
	}
	e.first, e.last = min(e.first, f.first), max(e.last, f.last)
	return e
}

// Largest distances of nodes, in the standard deviations of any pattern there: to draw from the weights at nodes, and to sum them alone.
const (
	toDraw = 0.7
	toSum  = 1.1
)

// The largest distance of nodes so far from the middle of the prior, both in standard deviations of the prior, whose tail has fallen to nothing
// at the next node where nodes are wide.
const (
	farStep = 0.7
	far     = 2.5
)

// finer returns the spacing with fewest nodes that are near enough to each other for all extents along axis k, widest of their standard
// deviations, or that of the axis if it is such.
func (g *grid) finer(k int, widest float64, to [][mostAxes]extent) spacing {
	a := &g.axes[k]
	narrow, ends := false, false
	var at, sd []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range to {
		if e[k].last < e[k].first {
			continue
		}
		ends = ends || e[k].first == 0 || e[k].last == a.n-1
		narrow = narrow || float64(widest*e[k].sd) < 1
		u := float64((a.first + e[k].mean) * a.step)
		x := a.spacing.at(u)
		at = append(at, x)
		sd = append(sd, float64(max(0.98*e[k].sd, 0.4/widest)*float64(a.step*math.Cosh(u)))*a.bend)
		low, high = min(low, x), max(high, x)
	}
	out := a.spacing
	if ends && out.reach < mostReach {
		out.reach *= 1.4
	}
	if !narrow {
		return out
	}
	fewest := math.Inf(1)
	for _, share := range []float64{0.2, 0.35, 0.5, 0.65, 0.8} {
		for _, bend := range []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4} {
			s := spacing{low + float64(share*(high-low)), bend, math.Inf(1), out.reach}
			s.step = farStep / math.Hypot(bend, far+math.Abs(s.middle))
			for i, x := range at {
				s.step = min(s.step, float64(widest*sd[i])/math.Hypot(bend, x-s.middle))
			}
			if first, last := s.ends(); last-first < fewest {
				fewest, out = last-first, s
			}
		}
	}
	return out
}

var errFine = errors.New("the responses of a unit are too informative for a grid")
