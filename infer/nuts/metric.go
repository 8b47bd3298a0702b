package nuts

import (
	"slices"

	"achilles/sim/num"
)

// A metric is a linear map L, where L·Lᵀ is the assumed covariance of the positions. Momenta have unit covariance: they
// are Lᵀ times the momenta of textbooks. Energies and U-turn criteria are then dot products, for which the tree does not
// need the metric.
type metric interface {
	// push writes L·p into shift.
	push(p, shift []float64)
	// pull writes Lᵀ·grad into force.
	pull(grad, force []float64)
	// solve replaces shift by the p of which push makes it.
	solve(shift []float64)
}

var (
	_ metric = diagonal(nil)
	_ metric = dense{}
)

// diagonal scales every coordinate by its standard deviation.
type diagonal []float64

func identity(dim int) diagonal { return slices.Repeat(diagonal{1}, dim) }

func (d diagonal) push(p, shift []float64) {
	for i, s := range d {
		shift[i] = float64(s * p[i])
	}
}

func (d diagonal) pull(grad, force []float64) { d.push(grad, force) }

func (d diagonal) solve(shift []float64) {
	for i, s := range d {
		shift[i] /= s
	}
}

// dense has the Cholesky factor of a covariance.
type dense struct{ factor num.Lower }

func (d dense) push(p, shift []float64) { d.factor.Mul(p, shift) }

func (d dense) pull(grad, force []float64) { d.factor.MulTransposed(grad, force) }

func (d dense) solve(shift []float64) { d.factor.Solve(shift) }
