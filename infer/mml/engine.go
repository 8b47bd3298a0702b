package mml

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A group is what the climb knows of a group of subjects.
type group struct {
	mean, sd float64
	at       [2]int // index of mean and sd in the parameters; −1: not estimated
	n        float64
}

// An engine climbs to the maximum of the marginal likelihood.
type engine struct {
	model     Model
	items     []item
	groups    []group
	abilities int
	corr      num.Lower // correlations of abilities
	corrAt    []int     // index of each correlation below the diagonal in the parameters, −1: not estimated; row by row
	patterns  []pattern
	of        []int // pattern of each subject
	params    int
	prior     struct{ a, b float64 } // of a guessing parameter: a·log c + b·log(1−c)

	grid    *grid
	table   [][]float64 // by item: log probability of category k at node q, at k·nodes + q
	density [][]float64 // by group: log density and log weight of each node
}

// Bounds of parameters, beyond which no response tells one value from another.
const (
	mostSlope     = 12
	mostIntercept = 60
	leastGuess    = -9.2 // log odds; a guessing parameter of 0.0001
	mostGuess     = 2.2  // 0.9
)

func newEngine(d *Data, s *Settings) *engine {
	e := &engine{model: s.Model, abilities: 1}
	e.patterns, e.of = d.collapse()
	if s.Loads != nil {
		e.abilities = len(s.Loads[0])
	}
	if s.GuessWeight > 0 && s.Model == ThreePL {
		e.prior.a, e.prior.b = s.Guess*s.GuessWeight, (1-s.Guess)*s.GuessWeight
	}
	next := func() int { e.params++; return e.params - 1 }
	common := make([]int, e.abilities)
	for m := range common {
		common[m] = -1
	}
	known := func(i int) *Item {
		if s.Known == nil {
			return nil
		}
		return s.Known[i]
	}
	anchored := slices.ContainsFunc(s.Known, func(k *Item) bool { return k != nil })
	simple := e.abilities > 1
	for i, k := range d.Categories {
		it := item{shape: s.Model.shape(), slope: make([]float64, e.abilities), d: make([]float64, k-1)}
		loads := 0
		for m := range it.slope {
			at := -1
			if s.Loads == nil || s.Loads[i][m] {
				loads++
				switch {
				case known(i) != nil:
					it.slope[m] = known(i).Slope[m]
				case s.Model.OneSlope() && anchored: // the slope is that of the known items
					for j := range s.Known {
						if k := known(j); k != nil {
							it.slope[m] = k.Slope[m]
						}
					}
				case s.Model.OneSlope():
					if common[m] < 0 {
						common[m] = next()
					}
					at = common[m]
				default:
					at = next()
				}
			}
			it.at = append(it.at, at)
		}
		simple = simple && loads == 1
		for j := range it.d {
			if k := known(i); k != nil {
				it.d[j] = k.Intercept[j]
				it.at = append(it.at, -1)
				continue
			}
			it.at = append(it.at, next())
		}
		if it.shape == guessing {
			at := -1
			if k := known(i); k != nil {
				it.g = logit(k.Guess)
			} else {
				at = next()
			}
			it.at = append(it.at, at)
		}
		e.items = append(e.items, it)
	}
	for g := range d.groups() {
		x := group{sd: 1, at: [2]int{-1, -1}}
		if g > 0 || anchored {
			x.at = [2]int{next(), next()}
		}
		e.groups = append(e.groups, x)
	}
	e.corr = num.NewLower(e.abilities)
	for m := range e.abilities {
		row := e.corr.Row(m)
		row[m] = 1
		for range m {
			at := -1
			if simple {
				at = next()
			}
			e.corrAt = append(e.corrAt, at)
		}
	}
	for _, p := range e.patterns {
		e.groups[p.group].n += p.n
	}
	return e
}

func logit(p float64) float64 { return num.Log(p) - num.Log(1-p) }

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

// normal returns the log density of abilities in a group, nil if there is none with these correlations.
func (e *engine) normal() func(g int, theta []float64) float64 {
	if e.abilities == 1 {
		return func(g int, theta []float64) float64 {
			x := (theta[0] - e.groups[g].mean) / e.groups[g].sd
			return -float64(x*x)/2 - num.Log(e.groups[g].sd) - num.LogSqrt2Pi
		}
	}
	l := slices.Clone(e.corr)
	if !l.Cholesky() {
		return nil
	}
	whole := float64(e.abilities) * num.LogSqrt2Pi
	for m := range e.abilities {
		whole += num.Log(l.Row(m)[m])
	}
	b := make([]float64, e.abilities)
	return func(_ int, theta []float64) float64 {
		copy(b, theta)
		l.Solve(b)
		return -num.Dot(b, b)/2 - whole
	}
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
		for _, i := range p.items {
			at := int(p.y[i]) * nodes
			for q, x := range e.table[i][at+p.lo : at+p.hi] {
				part[q] += x
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
	for q, theta := range p.own.theta {
		l := prior(p.group, theta) + p.own.logw[q]
		for _, i := range p.items {
			it := &e.items[i]
			z := it.predictor(theta)
			if it.shape == cumulative && len(it.d) == 1 {
				if z += it.d[0]; p.y[i] == 0 {
					z = -z
				}
				l += num.LogLogistic(z)
				continue
			}
			out := buffer[:len(it.d)+1]
			it.logP(z, out)
			l += out[p.y[i]]
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

// penalty returns the log prior of the parameters.
func (e *engine) penalty() float64 {
	sum := 0.0
	if e.prior.a+e.prior.b > 0 {
		for i := range e.items {
			if it := &e.items[i]; it.shape == guessing && it.at[len(it.at)-1] >= 0 {
				sum += float64(e.prior.a*num.LogLogistic(it.g)) + float64(e.prior.b*num.LogLogistic(-it.g))
			}
		}
	}
	return sum
}

// get returns the parameters.
func (e *engine) get() []float64 {
	x := make([]float64, e.params)
	e.each(func(at int, v *float64, _, _ float64) { x[at] = *v })
	return x
}

// put sets the parameters, within their bounds.
func (e *engine) put(x []float64) {
	e.each(func(at int, v *float64, low, high float64) { *v = min(max(x[at], low), high) })
}

// each calls f for each parameter where it stands, with its bounds. A slope of all items stands in each of them.
func (e *engine) each(f func(at int, v *float64, low, high float64)) {
	for i := range e.items {
		it := &e.items[i]
		for j, at := range it.at {
			if at < 0 {
				continue
			}
			switch m := len(it.slope); {
			case j < m:
				f(at, &it.slope[j], -mostSlope, mostSlope)
			case j < m+len(it.d):
				f(at, &it.d[j-m], -mostIntercept, mostIntercept)
			default:
				f(at, &it.g, leastGuess, mostGuess)
			}
		}
	}
	for g := range e.groups {
		if x := &e.groups[g]; x.at[0] >= 0 {
			f(x.at[0], &x.mean, -mostMean, mostMean)
			f(x.at[1], &x.sd, leastSD, mostSD)
		}
	}
	k := 0
	for m := range e.abilities {
		row := e.corr.Row(m)
		for j := range m {
			if at := e.corrAt[k]; at >= 0 {
				f(at, &row[j], -0.999, 0.999)
			}
			k++
		}
	}
}

// Bounds of the distribution of a group.
const (
	mostMean = 12
	leastSD  = 0.02
	mostSD   = 12
)
