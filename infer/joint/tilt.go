package joint

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// tiltAt returns the derivatives, by all free values but those of subjects, of −½ log|A|, where A is the curvature by the values of
// subjects, and these follow the others to their maximum: the effect of integrating subjects out by Laplace's approximation. q must
// be at that maximum. With f the log density and z the columns of A^−½, the derivatives with fixed subjects are ½Σf‴[z, z]; those
// by the subjects, times A⁻¹, are the distance of their mean from their maximum, and the slope of the others there is the rest.
// The third derivatives are differences over one standard deviation. It returns nil if A is not positive definite.
func (m *marginal) tiltAt(q []float64) []float64 {
	free := m.values
	per := free.PerSubject
	out := make([]float64, len(q))
	if per == 0 {
		return out
	}
	a := m.target.OfSubjects(q, free)
	m.gradients += 2 * per
	var factors []num.Lower
	for at := 0; at < len(free.Subjects); at += per {
		l := triangle(a[at*per:], per)
		if !l.Cholesky() {
			return nil
		}
		factors = append(factors, l)
	}
	still, grad, c := make([]float64, len(q)), make([]float64, len(q)), make([]float64, len(q))
	m.slope(q, still)
	far := math.Sqrt(float64(per))
	for k := range per {
		for _, sign := range []float64{far, -far} {
			m.slope(m.moved(q, factors, func(_ int, z []float64) {
				z[k] = sign
			}, num.Lower.SolveTransposed), grad)
			for i := range c {
				c[i] += (grad[i] - still[i]) / float64(2*per)
			}
		}
	}
	m.slope(m.moved(q, factors, func(s int, z []float64) {
		for k := range z {
			z[k] = c[free.Subjects[s*per+k]]
		}
	}, func(l num.Lower, z []float64) {
		l.SolveBoth(z)
	}), grad)
	for _, i := range slices.Concat(free.Items, free.Rest) {
		out[i] = c[i] + grad[i] - still[i]
	}
	return out
}

// slope writes the gradient at q to grad.
func (m *marginal) slope(q, grad []float64) {
	m.gradients++
	m.target.LogDensity(q, grad)
}

// moved returns q with the values of every subject moved by what solve makes of the numbers that set has written.
func (m *marginal) moved(q []float64, factors []num.Lower, set func(s int, z []float64), solve func(l num.Lower, z []float64)) []float64 {
	q = slices.Clone(q)
	per := m.values.PerSubject
	z := make([]float64, per)
	for s, l := range factors {
		clear(z)
		set(s, z)
		solve(l, z)
		for k, x := range z {
			q[m.values.Subjects[s*per+k]] += x
		}
	}
	return q
}
