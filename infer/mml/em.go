package mml

import (
	"achilles/sim/num"
)

// counts are the expected numbers of responses, given the parameters.
type counts struct {
	logLik float64
	item   [][]float64 // by item: of category k at node q, at k·nodes + q
	group  []spread
}

// A spread has the expected sums of the abilities of a group and of their products.
type spread struct {
	n      float64
	sum    []float64
	square num.Lower
}

// expect returns the expected counts. narrow lets each pattern go on with those nodes alone at which its likelihood counts.
func (e *engine) expect(narrow bool) *counts {
	nodes := len(e.grid.theta)
	c := &counts{item: make([][]float64, len(e.items)), group: make([]spread, len(e.groups))}
	for i := range e.items {
		c.item[i] = make([]float64, (len(e.items[i].d)+1)*nodes)
	}
	for g := range c.group {
		c.group[g] = spread{sum: make([]float64, e.abilities), square: num.NewLower(e.abilities)}
	}
	w := make([]float64, nodes)
	for u := range e.patterns {
		p := &e.patterns[u]
		c.logLik += float64(p.n * e.posterior(p, w))
		if narrow && e.abilities == 1 {
			p.narrow(w)
		}
		part := w[p.lo:p.hi]
		for q := range part {
			part[q] *= p.n
		}
		for _, a := range p.counts {
			at := int(a.y) * nodes
			to := c.item[a.item][at+p.lo : at+p.hi]
			for q, x := range part {
				to[q] += float64(a.as * x)
			}
		}
		s := &c.group[p.group]
		s.n += p.n
		for q, x := range part {
			theta := e.grid.theta[p.lo+q]
			for m, t := range theta {
				s.sum[m] += float64(x * t)
				row := s.square.Row(m)
				for k := range row {
					row[k] += float64(x * t * theta[k])
				}
			}
		}
	}
	return c
}
