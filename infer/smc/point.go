package smc

import (
	"math"

	"achilles/sim/num"
)

// A point has coordinates in log odds, and its log likelihood.
type point struct {
	z    []float64
	logL float64
}

func newPoint(dim int) point { return point{z: make([]float64, dim)} }

func (p *point) set(from *point) {
	copy(p.z, from.z)
	p.logL = from.logL
}

// newPoints returns n points whose coordinates share one array.
func newPoints(n, dim int) []point {
	values := make([]float64, n*dim)
	ps := make([]point, n)
	for i := range ps {
		ps[i].z = values[i*dim : (i+1)*dim : (i+1)*dim]
	}
	return ps
}

func logit(u float64) float64 { return num.Log(u) - num.Log1p(-u) }

// A ratio is the prior density at one point divided by that at another. The density of a coordinate is e^−|z|/(1 +
// e^−|z|)². sum has the differences of |z|. product has the ratios of the factors 1 + e^−|z|; each ratio lies between ½
// and 2, so that the product does not overflow and one logarithm is enough.
type ratio struct{ sum, product float64 }

func (r *ratio) add(to, from float64) {
	to, from = math.Abs(to), math.Abs(from)
	r.sum += from - to
	r.product *= (1 + num.Exp(-from)) / (1 + num.Exp(-to))
}

func (r *ratio) log() float64 { return r.sum + float64(2*num.Log(r.product)) }

// between returns the coordinate below which a share r of the prior mass between low and high lies. It computes with the
// probability of the tail on the coordinate's side of 0, because this probability has more digits.
func between(low, high, r float64) float64 {
	switch {
	case high <= 0:
		from := num.Logistic(low)
		return logit(from + float64((num.Logistic(high)-from)*r))
	case low >= 0:
		return -between(-high, -low, 1-r)
	}
	below, above := num.Logistic(low), num.Logistic(-high)
	width := 1 - below - above
	if u := below + float64(width*r); u <= 0.5 {
		return logit(u)
	}
	return -logit(above + float64(width*(1-r)))
}

// A likelihood evaluates a target and counts the calls. NaN counts as a likelihood of zero.
type likelihood struct {
	target Target
	calls  int
	broken bool // whether a value was +Inf
}

func (l *likelihood) at(z []float64) float64 {
	l.calls++
	v := l.target.LogLikelihood(z)
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	if math.IsInf(v, 1) {
		l.broken = true
	}
	return v
}
