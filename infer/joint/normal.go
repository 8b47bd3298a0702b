package joint

import "achilles/sim/num"

// A normal is the normal approximation around a peak as a linear map: the values q = mean + W·x have it as their distribution if
// the numbers x are independent and standard normal. x has first the scales, then the free values in their order.
type normal struct {
	mean         []float64
	scales, free []int // indices in q
	bend         num.Lower
	follow       [][]float64
	shape        *arrow
	scratch      []float64
}

// normal returns the approximation around p, for one goroutine.
func (m *marginal) normal(p *peak) *normal {
	return &normal{p.q, m.scales, m.free, p.bend, p.follow, p.shape, make([]float64, len(p.q))}
}

// place writes mean + W·x to q.
func (n *normal) place(x, q []float64) {
	copy(q, n.mean)
	by, free := n.split(x)
	n.bend.SolveTransposed(by)
	for i, s := range n.scales {
		q[s] += by[i]
		for k, f := range n.follow[i] {
			q[k] += float64(by[i] * f)
		}
	}
	n.shape.spread(free)
	for i, k := range n.free {
		q[k] += free[i]
	}
}

// spreadTransposed replaces grad by Wᵀ·grad: derivatives by q by those by x.
func (n *normal) spreadTransposed(grad []float64) {
	by, free := n.split(grad)
	for i, k := range n.free {
		free[i] = grad[k]
	}
	n.shape.spreadTransposed(free)
	for i, s := range n.scales {
		by[i] = grad[s] + num.Dot(n.follow[i], grad)
	}
	n.bend.Solve(by)
	copy(grad, n.scratch)
}

// split copies x to the scratch, and returns its two parts there.
func (n *normal) split(x []float64) (by, free []float64) {
	copy(n.scratch, x)
	return n.scratch[:len(n.scales)], n.scratch[len(n.scales):]
}
