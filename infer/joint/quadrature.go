package joint

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// The grid of a quadrature, in standard deviations of the prior: how far it reaches from the middle of the prior, its widest step, and
// its largest number of nodes.
const (
	reach     = 8
	widest    = 0.25
	mostNodes = 1025
)

// mostEntries is the largest number of outcomes × nodes, of which each chain has some tables (64 MB each).
const mostEntries = 1 << 23

// Marginal draws from the posterior of all parameters given the cells of a layout whose subjects have one parameter each, or binary ones
// alone. NUTS moves all other values by their marginal density, in which the parameters of each subject are summed over nodes: a fixed
// grid, or all patterns of the binary ones, which is exact; each draw of them is completed by a draw of every subject's parameters from
// their conditional distribution.
//
// The trapezoid rule on a grid with a step of one standard deviation of a normal density is exact to 1e-8 (Trefethen and Weideman 2014).
// So a grid is refined until no step is wider than half the narrowest posterior of a subject where chains begin, and once more if a draw
// then has a narrower one than the step. Marginal returns an error if the layout is not Summable, if there are too many outcomes, and as
// Fit does.
func Marginal(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	if _, err := cells.Joint().Layout().Summable(); err != nil {
		return nil, err
	}
	pilotStream := rng.Stream(root, append(slices.Clone(path), "pilot")...)
	centred, scale := pilot(cells, c, &pilotStream)
	var starts [][]float64 // on the scale of parameters
	t := newPlaced(cells.NewTarget(centred, 1), scales(scale))
	for i := range c.Chains {
		r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
		x, err := start(cells, centred, scale, &r)
		if err != nil {
			return nil, err
		}
		t.Constrain(x, x)
		starts = append(starts, x)
	}
	if cells.Joint().Layout().CheckMovable() != nil {
		g, err := newQuadrature(cells, centred, scale, 0)
		if err != nil {
			return nil, err
		}
		g.beginAtPeaks(ctx, starts, root, path...)
		return g.sample(ctx, c, starts, root, path...)
	}
	if better, sd := approximate(ctx, cells, c, centred, root, path...); better != nil {
		starts, scale = better, sd
	}
	return refine(ctx, cells, c, centred, scale, starts, root, path...)
}

// approximate returns a point for each chain, on the scale of parameters, with twice the spread of the normal approximation to the
// posterior, and the standard deviations of all coordinates q; or nil if there is no such approximation, or climbs to its maximum end at
// several: chains that all began around one of them would not show that there are others.
func approximate(ctx context.Context, cells *layout.Cells, c posterior.Config, centred []bool, root uint64, path ...string) (starts [][]float64, sd []float64) {
	c.Draws, c.Progress = 100, nil
	p, err := Laplace(ctx, cells, c, root, append(slices.Clone(path), "approximation")...)
	if err != nil || slices.ContainsFunc(p.Warnings, func(w posterior.Warning) bool { return w.Kind == posterior.OtherMaxima }) {
		return nil, nil // a posterior without an approximation has draws all the same
	}
	t := cells.NewTarget(centred, 1)
	columns := make([][]float64, t.Dim())
	q := make([]float64, t.Dim())
	var mean []float64
	for _, chain := range p.Draws {
		for _, theta := range chain {
			t.Unconstrain(theta, q)
			for k, x := range q {
				columns[k] = append(columns[k], x)
			}
		}
	}
	for _, x := range columns {
		s := diag.SD([][]float64{x})
		if !(s > 0) || math.IsInf(s, 0) {
			return nil, nil
		}
		sd = append(sd, s)
		mean = append(mean, diag.Mean([][]float64{x}))
	}
	for _, chain := range p.Draws {
		starts = append(starts, apart(t, chain, mean))
	}
	return starts, sd
}

// apart returns the first of some draws that has a finite density when it is twice as far from the mean of q, or the first one.
func apart(t *layout.JointTarget, draws [][]float64, mean []float64) []float64 {
	q, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	for _, theta := range draws {
		t.Unconstrain(theta, q)
		for k, m := range mean {
			q[k] = m + float64(2*(q[k]-m))
		}
		if l := t.LogDensity(q, grad); !math.IsInf(l, 0) && !math.IsNaN(l) {
			t.Constrain(q, q)
			return q
		}
	}
	return draws[0]
}

// refine draws with grids that are finer and finer, until one is fine enough.
func refine(ctx context.Context, cells *layout.Cells, c posterior.Config, centred []bool, scale []float64, starts [][]float64, root uint64, path ...string) (*posterior.Posterior, error) {
	step := widest
	for again := false; ; {
		g, err := newQuadrature(cells, centred, scale, step)
		if err != nil {
			return nil, err
		}
		if sd, _ := g.narrowest(starts); !again && 2*step > sd && !g.finest() {
			step = finer(step, sd)
			continue
		}
		p, err := g.sample(ctx, c, starts, root, path...)
		if err != nil {
			return nil, err
		}
		sd, outside := g.narrowest(thinned(p.Draws, 100))
		if step > sd && !again && !g.finest() {
			again, step = true, finer(step, sd)
			continue
		}
		if step > sd || outside > mostOutside {
			p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.Approximate, Message: fmt.Sprintf(
				"the grid of %d nodes is too coarse or too short: its step is %.2g times the smallest posterior standard deviation of a subject, and up to %.2g of a subject's posterior is at its ends; --engine nuts has no grid", len(g.nodes[0]), step/sd, outside)})
		}
		return p, nil
	}
}

// mostOutside is the largest probability of the end of a grid that needs no warning.
const mostOutside = 1e-3

// finer returns a smaller step, for posteriors with this standard deviation, which is not to be believed if it is far below the step.
func finer(step, sd float64) float64 {
	return max(min(0.45*sd, step/2), step/4, 2.0*reach/(mostNodes-1))
}

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

// A quadrature sums over nodes: a grid of values of every subject's parameter, or all patterns of its binary parameters.
type quadrature struct {
	cells   *layout.Cells // of the responses
	at      *layout.Nodes
	centred []bool
	subject []int       // the parameters that are summed out
	nodes   [][]float64 // parameter of subject → node → its coordinate q
	step    float64     // distance of the nodes of a grid; 0: the nodes are patterns
	keep    []int       // other value → its index among the values of cells
	here    []int       // other value → its index among the values of at
	scale   []float64   // rough posterior standard deviations of the others
}

// newQuadrature returns a grid with a step in standard deviations of the prior, or the patterns of binary parameters, of which there is
// no step.
func newQuadrature(cells *layout.Cells, centred []bool, scale []float64, step float64) (*quadrature, error) {
	j := cells.Joint()
	g := &quadrature{cells: cells, centred: slices.Clone(centred)}
	g.subject, _ = j.Layout().Summable()
	var binary []int
	if step > 0 {
		g.grid(step)
	} else {
		g.patterns()
		binary = g.subject
	}
	n := len(g.nodes[0])
	var err error
	if g.at, err = cells.AtNodes(n, binary, mostEntries); err != nil {
		return nil, fmt.Errorf("layout %s: engine marginal: %w%s", j.Layout().Name, err, g.instead())
	}
	for i := range j.Layout().Parameters {
		for u := range j.Units(i) {
			if !slices.Contains(g.subject, i) {
				g.keep, g.here = append(g.keep, j.First(i)+u), append(g.here, g.at.Joint().First(i)+u)
				g.scale = append(g.scale, scale[j.First(i)+u])
			}
		}
	}
	return g, nil
}

// grid sets the nodes to a grid with a step in standard deviations of the prior.
func (g *quadrature) grid(step float64) {
	j, i := g.cells.Joint(), g.subject[0]
	g.centred[i] = false // its score, whose prior is the same for any values of the others
	n := 2*int(math.Ceil(reach/step)) + 1
	t := g.cells.NewTarget(g.centred, 1)
	q := make([]float64, j.Len())
	middle, spread := 0.0, 1.0
	if !j.HasScores(i) {
		r := rng.Stream(0, "middle")
		j.DrawNear(&r, 0, q)
		t.Unconstrain(q, q)
		middle, spread = q[j.First(i)], t.PriorSpread(q, i)[0]
	}
	g.step = float64(step * spread)
	g.nodes = make([][]float64, 1)
	for k := range n {
		g.nodes[0] = append(g.nodes[0], middle+float64(float64(k-n/2)*g.step))
	}
}

// patterns sets the nodes to all patterns of 0 and 1: the first parameter is bit 0 of the number of a node, the next one bit 1.
func (g *quadrature) patterns() {
	for k := range g.subject {
		var bits []float64
		for node := range 1 << len(g.subject) {
			bits = append(bits, float64(node>>k&1))
		}
		g.nodes = append(g.nodes, bits)
	}
}

// instead names what to do where there are too many nodes.
func (g *quadrature) instead() string {
	if g.step > 0 {
		return "; use engine nuts"
	}
	return ": declare fewer binary parameters, or leave out items"
}

// finest reports whether no finer grid is allowed.
func (g *quadrature) finest() bool { return len(g.nodes[0]) >= mostNodes }

// sample draws by NUTS from the marginal density, and completes the draws.
func (g *quadrature) sample(ctx context.Context, c posterior.Config, starts [][]float64, root uint64, path ...string) (*posterior.Posterior, error) {
	t := g.newSummed()
	var from [][]float64
	for _, theta := range starts {
		x := t.unconstrain(theta)
		for i, s := range g.scale {
			x[i] /= s
		}
		from = append(from, x)
	}
	p, err := sampleKept(ctx, g.cells, g.keep, func() posterior.Density { return g.newSummed() }, from, c, root, path...)
	if err != nil {
		return nil, err
	}
	return p, completeAll(ctx, p, g.cells, g.keep, func(r *rng.Rand) func([]float64) []float64 {
		t := g.newSummed()
		return func(kept []float64) []float64 { return t.complete(kept, r) }
	}, c.Jobs, root, path...)
}

// narrowest returns the smallest standard deviation of a subject's coordinate given any of the points, in standard deviations of the
// prior, and the largest probability of the ends of the grid.
func (g *quadrature) narrowest(points [][]float64) (sd, outside float64) {
	t := g.newSummed()
	sd = math.Inf(1)
	for _, theta := range points {
		t.at(t.unconstrain(theta))
		for _, of := range g.at.Outcomes {
			t.weigh(of)
			mean, square := 0.0, 0.0
			for i, w := range t.weights {
				mean += float64(w * float64(i))
			}
			for i, w := range t.weights {
				d := float64(i) - mean
				square += float64(w * float64(d*d))
			}
			sd = min(sd, math.Sqrt(square))
			outside = max(outside, t.weights[0], t.weights[len(t.weights)-1])
		}
	}
	return sd * 2 * reach / float64(len(g.nodes[0])-1), outside
}
