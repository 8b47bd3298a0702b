package smc

import (
	"math"

	"achilles/sim/num"
)

// point is a point of the cube with its log likelihood.
type point struct {
	u    []float64
	logL float64
}

func newPoint(dim int) point { return point{u: make([]float64, dim)} }

func (p *point) set(from *point) {
	copy(p.u, from.u)
	p.logL = from.logL
}

// newPoints returns n points whose coordinates share one array.
func newPoints(n, dim int) []point {
	values := make([]float64, n*dim)
	ps := make([]point, n)
	for i := range ps {
		ps[i].u = values[i*dim : (i+1)*dim : (i+1)*dim]
	}
	return ps
}

// inside reports whether rounding has left a coordinate within the open interval.
func inside(u float64) bool { return u > 0 && u < 1 }

func logit(u float64) float64 { return num.Log(u) - num.Log1p(-u) }

// logJacobian is the log of du/d logit(u).
func logJacobian(u float64) float64 { return num.Log(u) + num.Log1p(-u) }

// likelihood evaluates a target, takes NaN for a likelihood of zero, and counts.
type likelihood struct {
	target Target
	calls  int
	broken bool // a value of +Inf was met
}

func (l *likelihood) at(u []float64) float64 {
	l.calls++
	v := l.target.LogLikelihood(u)
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	if math.IsInf(v, 1) {
		l.broken = true
	}
	return v
}
