package mml

import (
	"math"

	"achilles/sim/num"
)

// A Likeness is the correlation, beyond ability, of responses of a subject to one item, with the standard error of the jackknife over subjects.
type Likeness struct {
	Correlation, SE float64
	Cells           float64 // subject × item, with several responses
}

// There reports whether the correlation is above 0 by two standard errors.
func (l Likeness) There() bool { return l.Correlation > 2*l.SE && l.Correlation > 0 }

// Likeness returns by how much less responses of a subject to one item differ than those of subjects of the same ability: 1 less the ratio of
// the variance within cells to that which the model expects. Zero cells: there are none.
func (f *Fit) Likeness() (out Likeness) {
	e := f.e
	var within, expected, n []float64
	var sumWithin, sumExpected float64
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
				x += float64((k - 1) * w[q] * e.items[i].variance(e.items[i].predictor(e.nodes(p)[q])))
			}
		}
		within, expected, n = append(within, v), append(expected, x), append(n, p.n)
		sumWithin, sumExpected = sumWithin+float64(p.n*v), sumExpected+float64(p.n*x)
	}
	if !(sumExpected > 0) {
		return Likeness{}
	}
	out.Correlation = 1 - sumWithin/sumExpected
	var all, mean, square float64
	for u := range n {
		x := 1 - (sumWithin-within[u])/(sumExpected-expected[u])
		all, mean, square = all+n[u], mean+float64(n[u]*x), square+float64(n[u]*x*x)
	}
	out.SE = math.Sqrt(max(0, square-float64(mean*mean)/all) * (all - 1) / all)
	return out
}

// variance returns that of the response at a predictor.
func (it *item) variance(z float64) float64 {
	p := make([]float64, len(it.d)+1)
	it.logP(z, p)
	mean, square := 0.0, 0.0
	for k, l := range p {
		x := num.Exp(l)
		mean, square = mean+float64(float64(k)*x), square+float64(float64(k*k)*x)
	}
	return square - float64(mean*mean)
}
