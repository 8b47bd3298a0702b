package mml

import (
	"math"

	"achilles/sim/num"
)

// A shape says how the probabilities of an item's categories follow from its linear predictor z = a·θ.
type shape uint8

const (
	cumulative shape = iota // P(category ≥ k) = F(z + d_k); of two categories, the logistic model
	adjacent                // log odds of category k against k−1 are z + d_k
	guessing                // c + (1 − c)·F(z + d), c = F(g)
)

func (m Model) shape() shape {
	switch m {
	case Partial, General:
		return adjacent
	case ThreePL:
		return guessing
	}
	return cumulative
}

// An item is what the climb knows of an item.
type item struct {
	shape shape
	slope []float64
	d     []float64 // one for each category but the first
	g     float64   // log odds of the guessing parameter
	at    []int     // index in the parameters of slopes, intercepts and g, in this order; −1: not estimated
}

// core is the number of variables on which the curves depend: z, the intercepts, and g.
func (it *item) core() int {
	n := 1 + len(it.d)
	if it.shape == guessing {
		n++
	}
	return n
}

// logistic reports whether the item has two categories and no guessing.
func (it *item) logistic() bool { return it.shape == cumulative && len(it.d) == 1 }

// predictor returns z at an ability.
func (it *item) predictor(theta []float64) float64 {
	z := 0.0
	for m, a := range it.slope {
		z += float64(a * theta[m])
	}
	return z
}

// logP writes the log probability of each category at z.
func (it *item) logP(z float64, out []float64) {
	switch it.shape {
	case cumulative:
		last := len(it.d)
		out[0] = num.LogLogistic(-z - it.d[0])
		for k := 1; k < last; k++ {
			out[k] = logBetween(z+it.d[k-1], z+it.d[k])
		}
		out[last] = num.LogLogistic(z + it.d[last-1])
	case adjacent:
		out[0] = 0
		for k, d := range it.d {
			out[k+1] = out[k] + z + d
		}
		total := num.LogSumExp(out)
		for k := range out {
			out[k] -= total
		}
	case guessing:
		c, f := num.Logistic(it.g), num.Logistic(z+it.d[0])
		out[0] = num.LogLogistic(-it.g) + num.LogLogistic(-z-it.d[0])
		out[1] = num.Log(c + float64((1-c)*f))
	}
}

// logPOf returns the log probability of category k at z; gap is it.gap(k).
func (it *item) logPOf(k int, z, gap float64, buffer []float64) float64 {
	if it.shape != cumulative {
		out := buffer[:len(it.d)+1]
		it.logP(z, out)
		return out[k]
	}
	if k > 0 {
		gap += num.LogLogistic(z + it.d[k-1])
	}
	if k < len(it.d) {
		gap += num.LogLogistic(-z - it.d[k])
	}
	return gap
}

// gap returns the part of the log probability of category k that is the same at every z (logBetween), 0 where there is none.
func (it *item) gap(k int) float64 {
	switch {
	case it.shape != cumulative || k == 0 || k == len(it.d):
		return 0
	case !(it.d[k-1] > it.d[k]):
		return math.Inf(-1)
	}
	return num.Log(-num.Expm1(it.d[k] - it.d[k-1]))
}

// depends reports whether the probability of category k depends on the parameter in a slot.
func (it *item) depends(k, slot int) bool {
	j := slot - len(it.slope) // the intercept
	return it.shape != cumulative || j < 0 || j == k || j == k-1
}

// logBetween returns log(F(x) − F(y)); −Inf unless x > y.
func logBetween(x, y float64) float64 {
	if !(x > y) {
		return math.Inf(-1)
	}
	return num.LogLogistic(x) + num.LogLogistic(-y) + num.Log(-num.Expm1(y-x))
}

// derive writes the derivatives of the log probability of category k at z with respect to z, the intercepts and g: s has the first ones, h the
// second ones, row by row.
func (it *item) derive(z float64, k int, s, h []float64) {
	if it.logistic() {
		f := num.Logistic(z + it.d[0])
		s[0], h[0] = float64(k)-f, -float64(f*(1-f))
		s[1], h[1], h[2], h[3] = s[0], h[0], h[0], h[0]
		return
	}
	clear(s)
	clear(h)
	n := it.core()
	switch last := len(it.d); it.shape {
	case cumulative:
		r := 0.0
		if k > 0 && k < last {
			r = 1 / num.Expm1(it.d[k-1]-it.d[k])
		}
		cross := float64(r * (1 + r))
		if k > 0 {
			f := num.Logistic(z + it.d[k-1])
			s[k] = 1 - f + r
			h[k*n+k] = -float64(f*(1-f)) - cross
		}
		if k < last {
			f := num.Logistic(z + it.d[k])
			s[k+1] = -f - r
			h[(k+1)*n+k+1] = -float64(f*(1-f)) - cross
			if k > 0 {
				h[k*n+k+1], h[(k+1)*n+k] = cross, cross
			}
		}
		lo, hi := max(k, 1), min(k+1, last)
		for a := lo; a <= hi; a++ { // z is part of both ends
			s[0] += s[a]
			for b := lo; b <= hi; b++ {
				h[a*n] += h[a*n+b]
			}
			h[a] = h[a*n]
			h[0] += h[a*n]
		}
	case adjacent:
		p := make([]float64, last+1)
		it.logP(z, p)
		mean, square := 0.0, 0.0
		above := make([]float64, last+2) // probability of category j or more
		for j := last; j >= 0; j-- {
			p[j] = num.Exp(p[j])
			above[j] = above[j+1] + p[j]
			mean += float64(float64(j) * p[j])
			square += float64(float64(j*j) * p[j])
		}
		s[0], h[0] = float64(k)-mean, float64(mean*mean)-square
		for a := 1; a <= last; a++ {
			s[a] = -above[a]
			if k >= a {
				s[a]++
			}
			upper := 0.0 // mean category of those from a
			for j := a; j <= last; j++ {
				upper += float64(float64(j) * p[j])
			}
			h[a] = float64(mean*above[a]) - upper
			h[a*n] = h[a]
			for b := 1; b <= last; b++ {
				h[a*n+b] = float64(above[a]*above[b]) - above[max(a, b)]
			}
		}
	case guessing:
		c, f := num.Logistic(it.g), num.Logistic(z+it.d[0])
		slope, turn := float64(f*(1-f)), float64(c*(1-c))
		if k == 0 { // log(1−c) + log(1−f)
			s[0], s[1], s[2] = -f, -f, -c
			h[0], h[1], h[3], h[4], h[8] = -slope, -slope, -slope, -slope, -turn
			return
		}
		p := c + float64((1-c)*f)
		z1, g1 := float64((1-c)*slope)/p, float64((1-f)*turn)/p
		s[0], s[1], s[2] = z1, z1, g1
		zz := float64((1-c)*slope*(1-2*f))/p - float64(z1*z1)
		zg := -float64(turn*slope)/p - float64(z1*g1)
		h[0], h[1], h[3], h[4] = zz, zz, zz, zz
		h[2], h[5], h[6], h[7] = zg, zg, zg, zg
		h[8] = float64((1-f)*turn*(1-2*c))/p - float64(g1*g1)
	}
}

// moments returns the mean response at a predictor, and the information about z.
func (it *item) moments(z float64) (mean, information float64) {
	n := it.core()
	p, s, h := make([]float64, len(it.d)+1), make([]float64, n), make([]float64, n*n)
	it.logP(z, p)
	for k := range p {
		it.derive(z, k, s, h)
		x := num.Exp(p[k])
		mean += float64(float64(k) * x)
		information += float64(x * s[0] * s[0])
	}
	return mean, information
}
