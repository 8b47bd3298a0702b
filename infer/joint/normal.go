package joint

import (
	"achilles/infer/layout"
	"achilles/sim/num"
)

// A normal is the normal approximation around a peak as a linear map: the values q = mean + W·x have it as their distribution if
// the numbers x are independent and standard normal. x has first the scales, then the free values in their order.
type normal struct {
	mean        []float64
	scales      []int // indices in q
	free        []int // of the other values
	bend        num.Lower
	along       [][]float64 // scale → how q changes with it, itself included
	shape       *arrow
	tangent     *layout.Tangent // of q by the coordinates in which all is centred; nil: q are these
	scratch, by []float64
}

// normal returns the approximation around p, for one goroutine, in coordinates in which p is at mean.
func (m *marginal) normal(p *peak, mean []float64, along [][]float64, tangent *layout.Tangent) *normal {
	return &normal{mean, m.scales, m.free, p.bend, along, p.shape, tangent, make([]float64, len(p.q)), make([]float64, len(p.q))}
}

// place writes mean + W·x to q.
func (n *normal) place(x, q []float64) {
	by, free := n.split(x)
	n.bend.SolveTransposed(by)
	n.shape.spread(free)
	clear(n.by)
	place(n.by, n.free, free)
	if n.tangent == nil {
		copy(q, n.by)
	} else {
		n.tangent.Apply(n.by, q)
	}
	for i, a := range n.along {
		num.AddTo(q, by[i], a)
	}
	num.AddTo(q, 1, n.mean)
}

// locate writes the x of values q to x. No coordinate of a scale may depend on other values (layout.Tangent.Alone).
func (n *normal) locate(q, x []float64) {
	for k, m := range n.mean {
		n.by[k] = q[k] - m
	}
	by, free := n.scratch[:len(n.along)], n.scratch[len(n.along):]
	pick(by, n.by, n.scales)
	for i, a := range n.along {
		num.AddTo(n.by, -by[i], a)
	}
	if n.tangent != nil {
		n.tangent.Undo(n.by)
	}
	pick(free, n.by, n.free)
	n.shape.gather(free)
	n.bend.MulTransposed(by, x[:len(by)])
	copy(x[len(by):], free)
}

// spreadTransposed replaces grad by Wᵀ·grad: derivatives by q by those by x.
func (n *normal) spreadTransposed(grad []float64) {
	by, free := n.scratch[:len(n.along)], n.scratch[len(n.along):]
	for i, a := range n.along {
		by[i] = num.Dot(a, grad)
	}
	n.bend.Solve(by)
	centred := grad
	if n.tangent != nil {
		centred = n.by
		n.tangent.Transposed(grad, centred)
	}
	pick(free, centred, n.free)
	n.shape.spreadTransposed(free)
	copy(grad, n.scratch)
}

// split copies x to the scratch, and returns its two parts there.
func (n *normal) split(x []float64) (by, free []float64) {
	copy(n.scratch, x)
	return n.scratch[:len(n.along)], n.scratch[len(n.along):]
}
