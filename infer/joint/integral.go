package joint

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
)

// A side is whose values are summed out.
type side uint8

const (
	neither side = iota
	ofSubjects
	ofItems
)

// String names the units.
func (s side) String() string {
	if s == ofItems {
		return "items"
	}
	return "subjects"
}

// An integral is the posterior of all values but those of the units, subjects or items, of one side, which are summed out by the trapezoid
// rule on a grid that units share. The rule is exact to 1e-8 where nodes are a standard deviation of a normal density apart (Trefethen and
// Weideman 2014). Units with the same responses are a pattern, which is summed once, over the box of the grid that matters for it. Neither grid nor
// boxes move with the values: the density is smooth.
type integral struct {
	cells  *layout.Cells // of the responses
	side   side
	at     *layout.Nodes
	mesh   mesh
	unit   []int     // the parameters that are summed out
	shares []float64 // value of at → where its coordinate lies between score and value (layout.JointTarget.Centre)
	fixed  *fixed    // nil: all priors count
	flat   []bool    // value of at → whether its prior does not count; nil: all count
	keep   []int     // other value → its index among the values of cells
	here   []int     // other value → its index among the values of at
	having []float64 // outcome → number of units that have it
	*grid
	sharing
	patterns []pattern
}

// Largest numbers of outcomes × nodes, of shared products × nodes, and of responses of a unit: likelihoods of more may be too small for a number.
const (
	mostPairs    = 1 << 18
	mostProducts = 1 << 23
	mostAnswers  = 1000
)

// newIntegral returns the integral over a side. Units are summed over the whole grid.
func newIntegral(cells *layout.Cells, of side, f *fixed, m mesh, most int) (*integral, error) {
	g := &integral{cells: cells, side: of, fixed: f, mesh: m}
	j := cells.Joint()
	switch {
	case f != nil:
		g.unit, _ = layout.SummableTogether(j.Layout())
	case of == ofSubjects:
		g.unit, _ = j.Layout().Summable()
	default:
		g.unit, _ = layout.SummableItems(j.Layout())
	}
	switch n := len(g.unit); {
	case j.Layout().Parameters[g.unit[0]].Binary():
		g.grid = patternsOf(n)
	case f == nil && n > mostWithPriors:
		return nil, fmt.Errorf("each has %d parameters, and %d at most can be summed out", n, mostWithPriors)
	default:
		g.grid = newGrid(cells, g.unit, m)
	}
	n := g.nodes()
	var err error
	if of == ofSubjects {
		g.at, err = cells.AtNodes(n, most)
	} else {
		g.at, err = cells.AtItems(n, most)
	}
	if err != nil {
		return nil, err
	}
	g.having = make([]float64, len(g.at.Of))
	for _, list := range g.at.Outcomes {
		if n := len(list); n > mostAnswers {
			return nil, fmt.Errorf("one of the %s has %d responses, and %d at most can be summed over", of, n, mostAnswers)
		}
		for _, o := range list {
			g.having[o]++
		}
	}
	g.patterns, g.sharing = collapse(g.at.Outcomes, g.at.Of)
	if products := len(g.parent) * n; products > mostProducts {
		return nil, fmt.Errorf("%d parts of patterns at %d nodes are %d products: at most %d", len(g.parent), n, products, mostProducts)
	}
	whole := g.whole()
	for i := range g.patterns {
		g.patterns[i].box = whole
	}
	for i := range j.Layout().Parameters {
		if !slices.Contains(g.unit, i) && !f.leaves(i) {
			for u := range j.Units(i) {
				g.keep, g.here = append(g.keep, j.First(i)+u), append(g.here, g.at.Joint().First(i)+u)
			}
		}
	}
	g.shares = make([]float64, g.at.Joint().Len()) // scores, whose priors are the same for any values of the others
	if f != nil {
		f.flatten(g)
	}
	return g, nil
}

// An integrated is the density of an integral, for one goroutine. Its coordinates are those of the values that are kept.
type integrated struct {
	*integral
	target   *layout.JointTarget // of at
	q, grad  []float64           // of at
	theta    []float64           // of at
	prior    []float64           // node → prior density times volume
	each     []float64           // entry of at → log likelihood
	counted  []float64           // entry of at → expected number of units
	likely   []float64           // outcome and node → likelihood, over that of the outcome at its likeliest node
	highest  []float64           // outcome → log likelihood at its likeliest node
	product  []float64           // shared product and node → likelihood
	expected []float64           // shared product and node → expected number of units
	counts   []float64           // outcome and node → expected number of units
	weights  []float64           // node of a box → posterior weight of the last pattern
	times    []float64           // node → expected number of units, whose prior there depends on the others; nil: it does not
}

// density returns the density of g.
func (g *integral) density() *integrated {
	j := g.at.Joint()
	n, entries, nodes := j.Len(), len(g.at.Used()), g.nodes()
	t := &integrated{integral: g, target: g.at.NewTarget(allCentred(j), 1), q: make([]float64, n), grad: make([]float64, n), theta: make([]float64, n),
		prior: make([]float64, nodes), each: make([]float64, entries), counted: make([]float64, entries), likely: make([]float64, entries), counts: make([]float64, entries),
		product: make([]float64, len(g.parent)*nodes), weights: make([]float64, nodes), highest: make([]float64, len(g.having))}
	if g.binary {
		t.times = make([]float64, nodes)
	}
	t.target.Centre(g.shares)
	layout.Flatten(t.target, g.flat)
	for k, i := range g.unit {
		for node := range nodes {
			t.q[j.First(i)+node] = g.grid.value(k, node)
		}
	}
	return t
}

// Dim returns the number of values that are kept.
func (t *integrated) Dim() int { return len(t.keep) }

// move computes the likelihoods of all outcomes and shared products at all nodes where the values that are kept have coordinates q, and
// returns the log prior density of these, with the log likelihood of all outcomes at their likeliest nodes.
func (t *integrated) move(q []float64) (prior float64) {
	place(t.q, t.here, q)
	t.target.Constrain(t.q, t.theta)
	clear(t.prior)
	for k := range t.axes {
		for node := range t.prior {
			t.prior[node] += t.axes[k].logCell[t.grid.at(k, node)]
		}
	}
	for i := range t.integral.at.Joint().Layout().Parameters {
		if slices.Contains(t.unit, i) {
			t.target.AddLogPriors(i, t.prior)
			continue
		}
		kept := make([]float64, t.integral.at.Joint().Units(i))
		t.target.AddLogPriors(i, kept)
		for _, l := range kept {
			prior += l
		}
	}
	num.ExpEach(t.prior)
	cells := t.integral.at
	for b := range cells.Blocks() {
		from, to := cells.InBlock(b)
		t.target.PointwiseLogLik(b, t.theta, t.each[from:to])
	}
	place(t.likely, cells.Entry, t.each)
	n := len(t.prior)
	for o, times := range t.having {
		row := t.likely[cells.First[o] : cells.First[o]+n]
		top := slices.Max(row)
		if top-top != 0 { // impossible everywhere
			top = 0
		}
		for k := range row {
			row[k] -= top
		}
		t.highest[o] = top
		prior += float64(times * top)
	}
	num.ExpEach(t.likely)
	for i, o := range t.outcome {
		row, by := t.product[i*n:(i+1)*n], t.likely[cells.First[o]:cells.First[o]+n]
		if p := int(t.parent[i]); p >= 0 {
			times(row, t.product[p*n:(p+1)*n], by)
		} else {
			copy(row, by)
		}
	}
	return prior
}

// times sets to to a·b.
func times(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for k := range to {
		to[k] = a[k] * b[k]
	}
}

// weigh sets t.weights to the posterior weights of a pattern at the nodes of its box, and returns their sum, the marginal likelihood.
func (t *integrated) weigh(p *pattern) float64 {
	n, sum := len(t.prior), 0.0
	if len(p.products) == 2 { // all of them, where there are many patterns: one loop takes half the time
		a, b := t.product[int(p.products[0])*n:][:n], t.product[int(p.products[1])*n:][:n]
		for r, start := range p.rows {
			sum += weighTwo(t.weights[r*p.row:(r+1)*p.row], t.prior[start:], a[start:], b[start:])
		}
		return sum
	}
	for r, start := range p.rows {
		w := t.weights[r*p.row : (r+1)*p.row]
		copy(w, t.prior[start:])
		for _, at := range p.products {
			times(w, w, t.product[int(at)*n+int(start):])
		}
		for _, x := range w {
			sum += x
		}
	}
	return sum
}

// weighTwo sets w to prior·a·b, and returns its sum.
func weighTwo(w, prior, a, b []float64) float64 {
	prior, a, b = prior[:len(w)], a[:len(w)], b[:len(w)]
	var even, odd float64
	k := 0
	for ; k+1 < len(w); k += 2 {
		x, y := float64(float64(prior[k]*a[k])*b[k]), float64(float64(prior[k+1]*a[k+1])*b[k+1])
		w[k], w[k+1] = x, y
		even += x
		odd += y
	}
	if k < len(w) {
		w[k] = float64(float64(prior[k]*a[k]) * b[k])
		even += w[k]
	}
	return even + odd
}

// value returns the log density at q.
func (t *integrated) value(q []float64) float64 {
	l := t.move(q)
	for i := range t.patterns {
		p := &t.patterns[i]
		l += float64(float64(len(p.units)) * num.Log(t.weigh(p)))
	}
	if math.IsNaN(l) {
		return math.Inf(-1)
	}
	return l
}

// LogDensity returns the log density at q, and writes its gradient to grad: that of the complete data, each outcome of which
// counts as often at a node as units are expected there who have it (Bock and Aitkin 1981; Fisher's identity).
func (t *integrated) LogDensity(q, grad []float64) float64 {
	if t.expected == nil {
		t.expected = make([]float64, len(t.product))
	}
	clear(t.expected)
	clear(t.times)
	l, n := t.move(q), len(t.prior)
	for i := range t.patterns {
		p := &t.patterns[i]
		sum := t.weigh(p)
		l += float64(float64(len(p.units)) * num.Log(sum))
		if math.IsInf(l, -1) || math.IsNaN(l) {
			clear(grad)
			return math.Inf(-1)
		}
		count := float64(len(p.units)) / sum
		for r, start := range p.rows {
			w := t.weights[r*p.row : (r+1)*p.row]
			if t.times != nil {
				num.AddTo(t.times[start:], count, w)
			}
			if len(p.products) == 2 {
				addTwo(t.expected[int(p.products[0])*n+int(start):], t.expected[int(p.products[1])*n+int(start):], count, w)
				continue
			}
			for _, at := range p.products {
				num.AddTo(t.expected[int(at)*n+int(start):], count, w)
			}
		}
	}
	t.count()
	t.target.Recount(t.counted, t.times)
	t.target.LogDensity(t.q, t.grad)
	pick(grad, t.grad, t.here)
	return l
}

// addTwo adds by·w to both a and b.
func addTwo(a, b []float64, by float64, w []float64) {
	a, b = a[:len(w)], b[:len(w)]
	for k, x := range w {
		x = float64(by * x)
		a[k] += x
		b[k] += x
	}
}

// count sets t.counted from the expected numbers of units that have the shared products.
func (t *integrated) count() {
	clear(t.counts)
	n, cells := len(t.prior), t.integral.at
	for i := len(t.parent) - 1; i >= 0; i-- {
		row := t.expected[i*n : (i+1)*n]
		num.AddTo(t.counts[cells.First[t.outcome[i]]:], 1, row)
		if p := int(t.parent[i]); p >= 0 {
			num.AddTo(t.expected[p*n:], 1, row)
		}
	}
	pick(t.counted, t.counts, cells.Entry)
}

// Constrain converts q to the parameters that are kept.
func (t *integrated) Constrain(q, theta []float64) {
	place(t.q, t.here, q)
	t.target.Constrain(t.q, t.theta)
	pick(theta, t.theta, t.here)
}
