package joint

import (
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A summed is the marginal density of a quadrature, for one goroutine. Its coordinates x are those of the values that are kept, over
// their rough posterior standard deviations.
type summed struct {
	*quadrature
	target  *layout.JointTarget // of at
	whole   *layout.JointTarget // of cells
	prior   []float64           // node → log prior density; of patterns, at the last point of at
	q, grad []float64           // of at
	theta   []float64           // of at
	each    []float64           // entry of at → log likelihood
	counted []float64           // entry of at → expected number of subjects
	byClass []float64           // outcome and class of nodes (Nodes.First) → log likelihood
	counts  []float64           // outcome and class of nodes → expected number of subjects
	scratch []float64           // class of nodes
	times   []float64           // pattern → expected number of subjects; nil for the nodes of a grid
	sums    []float64           // of draw: probabilities of points, added up
	points  []float64           // of draw
	weights []float64           // node → log posterior density, then probability, of the last subject
}

func (g *quadrature) newSummed() *summed {
	n, entries := g.at.Joint().Len(), len(g.at.Used())
	t := &summed{quadrature: g, target: g.at.NewTarget(g.centred, 1), whole: g.cells.NewTarget(g.centred, 1),
		q: make([]float64, n), grad: make([]float64, n), theta: make([]float64, n),
		each: make([]float64, entries), counted: make([]float64, entries), byClass: make([]float64, entries), counts: make([]float64, entries)}
	nodes := len(g.nodes[0])
	t.weights, t.prior, t.scratch = make([]float64, nodes), make([]float64, nodes), make([]float64, nodes)
	if g.step == 0 {
		t.times = make([]float64, nodes)
	}
	for k, i := range g.subject {
		copy(t.q[g.at.Joint().First(i):], g.nodes[k])
	}
	t.target.Constrain(t.q, t.theta) // complete takes values that parameters can have from here
	return t
}

func (t *summed) Dim() int { return len(t.keep) }

// at computes the log prior density of every node, and the log likelihood of every outcome there, with these coordinates of the others.
func (t *summed) at(q []float64) {
	for i, k := range t.here {
		t.q[k] = q[i]
	}
	t.target.Constrain(t.q, t.theta)
	clear(t.prior)
	for _, i := range t.subject {
		t.target.AddLogPriors(i, t.prior)
	}
	cells := t.quadrature.at
	for b := range cells.Blocks() {
		from, to := cells.InBlock(b)
		t.target.PointwiseLogLik(b, t.theta, t.each[from:to])
	}
	for k, at := range cells.Entry {
		t.byClass[at] = t.each[k]
	}
}

// weigh sets t.weights to the posterior probabilities of the nodes for a subject with these outcomes, and returns the log of the sum over
// nodes of prior density times likelihood. It returns −Inf if all are impossible.
func (t *summed) weigh(outcomes []int) float64 {
	t.logDensities(outcomes)
	top := slices.Max(t.weights)
	if math.IsInf(top, -1) || math.IsNaN(top) {
		return math.Inf(-1)
	}
	sum := 0.0
	for g, l := range t.weights {
		t.weights[g] = num.Exp(l - top)
		sum += t.weights[g]
	}
	for g := range t.weights {
		t.weights[g] /= sum
	}
	return top + num.Log(sum)
}

// LogDensity returns the log marginal density at x, and writes its gradient to grad: that of the complete data, each outcome of which
// counts as often at a node as subjects are expected there who have it (Bock and Aitkin 1981; Fisher's identity).
func (t *summed) LogDensity(x, grad []float64) float64 {
	q := make([]float64, len(x))
	scales(t.scale).place(x, q)
	t.at(q)
	clear(t.counts)
	clear(t.times)
	l := 0.0
	for _, of := range t.quadrature.at.Outcomes {
		l += t.weigh(of)
		if math.IsInf(l, -1) {
			clear(grad)
			return l
		}
		t.count(of)
	}
	for k, at := range t.quadrature.at.Entry {
		t.counted[k] = t.counts[at]
	}
	t.target.Recount(t.counted, t.times)
	l += t.target.LogDensity(t.q, t.grad)
	for k, c := range t.counted { // the likelihood of the complete data is no part of the marginal density
		if c > 0 {
			l -= float64(c * t.each[k])
		}
	}
	for g, c := range t.times { // nor is the prior of patterns
		if c > 0 {
			l -= float64(c * t.prior[g])
		}
	}
	for i, k := range t.here {
		grad[i] = float64(t.grad[k] * t.scale[i])
	}
	return l
}

// Constrain converts x to the parameters that are kept.
func (t *summed) Constrain(x, theta []float64) {
	for i, k := range t.here {
		t.q[k] = float64(x[i] * t.scale[i])
	}
	t.target.Constrain(t.q, t.theta)
	for i, k := range t.here {
		theta[i] = t.theta[k]
	}
}

// unconstrain returns the coordinates q of the values that are kept, from all values theta of cells.
func (t *summed) unconstrain(theta []float64) (q []float64) {
	all := make([]float64, len(theta))
	t.whole.Unconstrain(theta, all)
	for _, k := range t.keep {
		q = append(q, all[k])
	}
	return q
}

// complete returns all values of cells: those that are kept, but for rounding errors, and a draw of each subject's parameters given these.
func (t *summed) complete(kept []float64, r *rng.Rand) []float64 {
	j := t.cells.Joint()
	all := make([]float64, j.Len())
	for _, i := range t.subject {
		for s := range t.quadrature.at.Outcomes {
			all[j.First(i)+s] = t.theta[t.quadrature.at.Joint().First(i)+len(t.weights)/2] // any value that the parameter can have
		}
	}
	for i, k := range t.keep {
		all[k] = kept[i]
	}
	t.whole.Unconstrain(all, all)
	var q []float64
	for _, k := range t.keep {
		q = append(q, all[k])
	}
	t.at(q)
	for s, of := range t.quadrature.at.Outcomes {
		if t.step > 0 {
			t.logDensities(of)
			all[j.First(t.subject[0])+s] = t.draw(r)
			continue
		}
		t.weigh(of)
		node := t.pick(r)
		for k, i := range t.subject {
			all[j.First(i)+s] = t.nodes[k][node]
		}
	}
	t.whole.Constrain(all, all)
	return all
}

// pick returns a node, drawn by the probabilities in t.weights.
func (t *summed) pick(r *rng.Rand) int {
	t.sums = t.sums[:0]
	sum := 0.0
	for _, w := range t.weights {
		sum += w
		t.sums = append(t.sums, sum)
	}
	k, _ := slices.BinarySearch(t.sums, float64((1-r.Float64())*sum)) // above 0, so that it finds no node of probability 0
	return k
}

// finePoints is the number of points of each node at which draw knows the density.
const finePoints = 8

// draw returns a coordinate from the log densities in t.weights. Between nodes, they are interpolated by parabolas.
func (t *summed) draw(r *rng.Rand) float64 {
	top := slices.Max(t.weights)
	n := len(t.weights)
	t.sums, t.points = t.sums[:0], t.points[:0]
	sum := 0.0
	for g, l := range t.weights {
		if !(l > top-30) { // less than 1e-13 of the highest
			continue
		}
		slope, bend := 0.0, 0.0
		if g > 0 && g < n-1 && !math.IsInf(t.weights[g-1], 0) && !math.IsInf(t.weights[g+1], 0) {
			slope, bend = (t.weights[g+1]-t.weights[g-1])/2, t.weights[g+1]-2*l+t.weights[g-1]
		}
		for k := range finePoints {
			at := (float64(k)+0.5)/finePoints - 0.5
			sum += num.Exp(l - top + float64(at*slope) + float64(0.5*bend*float64(at*at)))
			t.sums, t.points = append(t.sums, sum), append(t.points, t.nodes[0][g]+float64(at*t.step))
		}
	}
	k, _ := slices.BinarySearch(t.sums, float64(r.Float64()*sum))
	return t.points[k] + float64((r.Float64()-0.5)*t.step)/finePoints
}
