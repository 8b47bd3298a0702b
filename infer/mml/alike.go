package mml

import (
	"math"

	"achilles/sim/num"
)

// A Likeness is the correlation, beyond ability, of responses of a subject to one item, with the standard error of the jackknife over subjects.
type Likeness struct {
	Correlation, SE float64
	Null            float64 // standard error if responses are independent, which few subjects that differ do not enlarge
	Cells           float64 // subject × item, with several responses
}

// There reports whether the correlation is above 0 by two standard errors of independent responses.
func (l Likeness) There() bool { return l.Correlation > 2*l.Null && l.Correlation > 0 }

// Likeness returns by how much less responses of a subject to one item differ than those of subjects of the same ability: 1 less the ratio of
// the variance within cells to that which the model expects. Zero cells: there are none.
func (f *Fit) Likeness() (out Likeness) {
	e := f.e
	var within, expected, n []float64
	var sumWithin, sumExpected, chance float64
	for u := range e.patterns {
		p := &e.patterns[u]
		if p.taken == len(p.items) {
			continue
		}
		w := make([]float64, len(e.nodes(p)))
		e.posterior(p, w)
		var v, x float64
		for from := 0; from < len(p.counts); {
			i := p.counts[from].item
			var k, y, yy float64
			for ; from < len(p.counts) && p.counts[from].item == i; from++ {
				a := p.counts[from]
				times, value := float64(a.n), float64(a.y)
				k, y, yy = k+times, y+float64(times*value), yy+float64(times*value*value)
			}
			if k < 2 {
				continue
			}
			out.Cells += p.n
			v += yy - float64(y*y)/k
			for q := p.lo; q < p.hi; q++ {
				second, fourth := e.items[i].central(e.items[i].predictor(e.nodes(p)[q]))
				x += float64((k - 1) * w[q] * second)
				// the variance of k − 1 times a sample variance (Cramér 1946, 27.4.2)
				chance += float64(p.n * w[q] * (float64(fourth*(k-1)*(k-1)) - float64((k-1)*(k-3)*second*second)) / k)
			}
		}
		within, expected, n = append(within, v), append(expected, x), append(n, p.n)
		sumWithin, sumExpected = sumWithin+float64(p.n*v), sumExpected+float64(p.n*x)
	}
	if !(sumExpected > 0) {
		return Likeness{}
	}
	out.Correlation, out.Null = 1-sumWithin/sumExpected, math.Sqrt(max(0, chance))/sumExpected
	var all, mean, square float64
	for u := range n {
		x := 1 - (sumWithin-within[u])/(sumExpected-expected[u])
		all, mean, square = all+n[u], mean+float64(n[u]*x), square+float64(n[u]*x*x)
	}
	out.SE = math.Sqrt(max(0, square-float64(mean*mean)/all) * (all - 1) / all)
	return out
}

// central returns the second and the fourth central moment of the response at a predictor.
func (it *item) central(z float64) (second, fourth float64) {
	p := make([]float64, len(it.d)+1)
	it.logP(z, p)
	mean := 0.0
	for k, l := range p {
		p[k] = num.Exp(l)
		mean += float64(float64(k) * p[k])
	}
	for k, x := range p {
		square := (float64(k) - mean) * (float64(k) - mean)
		second += float64(x * square)
		fourth += float64(x * square * square)
	}
	return second, fourth
}
