package mml

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// An engine climbs to the maximum of the marginal likelihood. What it knows of the responses at the nodes of an integral follows from the
// parameters.
type engine struct {
	parameters
	patterns patterns
	of       []int // pattern of each subject

	grid    *grid
	table   [][]float64 // by item: log probability of category k at node q, at k·nodes + q
	density [][]float64 // by group: log density and log weight of each node
}

func newEngine(d *Data, s *Settings) *engine {
	e := &engine{parameters: newParameters(d, s)}
	e.patterns, e.of = d.collapse()
	for _, p := range e.patterns {
		e.groups[p.group].n += p.n
	}
	return e
}

// use sets the nodes for all patterns.
func (e *engine) use(g *grid) {
	e.grid = g
	for u := range e.patterns {
		e.patterns[u].lo, e.patterns[u].hi, e.patterns[u].own = 0, len(g.theta), nil
	}
	e.update()
}

// update makes the tables that follow from the parameters. It returns false if the correlations are none.
func (e *engine) update() bool {
	nodes := len(e.grid.theta)
	if e.table == nil {
		e.table, e.density = make([][]float64, len(e.items)), make([][]float64, len(e.groups))
	}
	for i := range e.items {
		it := &e.items[i]
		k := len(it.d) + 1
		if len(e.table[i]) != k*nodes {
			e.table[i] = make([]float64, k*nodes)
		}
		p := make([]float64, k)
		for q, theta := range e.grid.theta {
			it.logP(it.predictor(theta), p)
			for j, x := range p {
				e.table[i][j*nodes+q] = x
			}
		}
	}
	for g := range e.groups {
		if len(e.density[g]) != nodes {
			e.density[g] = make([]float64, nodes)
		}
	}
	prior := e.normal()
	if prior == nil {
		return false
	}
	for g := range e.groups {
		for q, theta := range e.grid.theta {
			e.density[g][q] = prior(g, theta) + e.grid.logw[q]
		}
	}
	return true
}

// posterior writes the posterior weights of the nodes of a pattern and returns the log likelihood of the pattern. Nodes outside of lo … hi have no
// weight in it, and are not written.
func (e *engine) posterior(p *pattern, w []float64) float64 {
	nodes := len(e.grid.theta)
	if p.own != nil {
		e.own(p, w)
	} else {
		part := w[p.lo:p.hi]
		copy(part, e.density[p.group][p.lo:p.hi])
		for _, a := range p.counts {
			at := int(a.y) * nodes
			for q, x := range e.table[a.item][at+p.lo : at+p.hi] {
				part[q] += float64(a.as * x)
			}
		}
	}
	part := w[p.lo:p.hi]
	most := slices.Max(part)
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for q := range part {
		part[q] -= most
	}
	num.ExpEach(part)
	for _, x := range part {
		sum += x
	}
	for q := range part {
		part[q] /= sum
	}
	return most + num.Log(sum)
}

// own writes the log joint density of a pattern at its own nodes.
func (e *engine) own(p *pattern, w []float64) {
	prior := e.normal()
	if prior == nil {
		for q := range w {
			w[q] = math.Inf(-1)
		}
		return
	}
	most := 0
	for i := range e.items {
		most = max(most, len(e.items[i].d)+1)
	}
	buffer := make([]float64, most)
	var gaps []float64
	for _, a := range p.counts {
		gaps = append(gaps, e.items[a.item].gap(int(a.y)))
	}
	for q, theta := range p.own.theta {
		l := prior(p.group, theta) + p.own.logw[q]
		for k, a := range p.counts {
			it := &e.items[a.item]
			l += float64(a.as * it.logPOf(int(a.y), it.predictor(theta), gaps[k], buffer))
		}
		w[q] = l
	}
}

// nodes returns the nodes of a pattern.
func (e *engine) nodes(p *pattern) [][]float64 {
	if p.own != nil {
		return p.own.theta
	}
	return e.grid.theta
}

// logLik returns the log likelihood of the responses.
func (e *engine) logLik() float64 {
	w := make([]float64, len(e.grid.theta))
	sum := 0.0
	for u := range e.patterns {
		sum += float64(e.patterns[u].n * e.posterior(&e.patterns[u], w))
	}
	return sum
}
