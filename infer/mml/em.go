package mml

import (
	"math"

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
			e.narrow(p, w)
		}
		part := w[p.lo:p.hi]
		for q := range part {
			part[q] *= p.n
		}
		for _, i := range p.items {
			at := int(p.y[i]) * nodes
			to := c.item[i][at+p.lo : at+p.hi]
			for q, x := range part {
				to[q] += x
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

// narrow leaves a pattern the nodes that have weight, and as many again around them.
func (e *engine) narrow(p *pattern, w []float64) {
	lo, hi := p.lo, p.hi
	for lo < hi-1 && w[lo] < 1e-16 {
		lo++
	}
	for hi > lo+1 && w[hi-1] < 1e-16 {
		hi--
	}
	pad := max(6, (hi-lo)/2)
	for q := p.lo; q < max(p.lo, lo-pad); q++ {
		w[q] = 0
	}
	p.lo, p.hi = max(0, lo-pad), min(len(e.grid.theta), hi+pad)
	for q := range w {
		if q < p.lo || q >= p.hi {
			w[q] = 0
		}
	}
}

// maximise moves the parameters to where the expected log likelihood is largest, or nearer, and rescales abilities: their mean and
// standard deviation are estimated too, and then taken into slopes and intercepts, which speeds the climb (Liu, Rubin and Wu 1998).
func (e *engine) maximise(c *counts, steps int) {
	for i := range e.items {
		e.climbItem(i, c.item[i], steps)
	}
	for m := range e.abilities {
		e.climbCommon(m, c)
	}
	if e.abilities == 1 && e.groups[0].at[0] < 0 || e.abilities > 1 {
		e.rescale(c)
	}
	for g := range e.groups {
		if x := &e.groups[g]; x.at[0] >= 0 && e.groups[0].at[0] >= 0 {
			s := &c.group[g]
			x.mean = s.sum[0] / s.n
			x.sd = math.Sqrt(max(s.square[0]/s.n-float64(x.mean*x.mean), leastSD*leastSD))
		}
	}
	e.put(e.get())
}

// rescale takes the mean and the standard deviation of abilities in the first group into the items, unless a bound is in the way.
func (e *engine) rescale(c *counts) {
	s := &c.group[0]
	mean, sd := make([]float64, e.abilities), make([]float64, e.abilities)
	for m := range mean {
		mean[m] = s.sum[m] / s.n
		sd[m] = math.Sqrt(s.square.Row(m)[m]/s.n - float64(mean[m]*mean[m]))
		if !(sd[m] > leastSD) {
			return
		}
	}
	for g := 1; g < len(e.groups); g++ {
		x, s := &e.groups[g], &c.group[g]
		was := s.sum[0] / s.n
		x.sd = math.Sqrt(max(s.square[0]/s.n-float64(was*was), leastSD*leastSD)) / sd[0]
		x.mean = (was - mean[0]) / sd[0]
	}
	k := 0
	for m := range e.abilities {
		row := e.corr.Row(m)
		for j := range m {
			if e.corrAt[k] >= 0 {
				row[j] = (s.square.Row(m)[j]/s.n - float64(mean[m]*mean[j])) / float64(sd[m]*sd[j])
			}
			k++
		}
	}
	for i := range e.items {
		it := &e.items[i]
		shift := it.predictor(mean)
		for m := range it.slope {
			it.slope[m] *= sd[m]
		}
		for j := range it.d {
			it.d[j] += shift
		}
	}
}

// climbItem takes steps of Newton's method to the maximum of the expected log likelihood of an item, over its own parameters.
func (e *engine) climbItem(i int, r []float64, steps int) {
	it := &e.items[i]
	nodes := len(e.grid.theta)
	var own []int // slots of parameters of its own
	for j, at := range it.at {
		if at >= 0 && !(j < len(it.slope) && e.model.OneSlope()) {
			own = append(own, j)
		}
	}
	if len(own) == 0 {
		return
	}
	value := func() float64 {
		sum := 0.0
		p := make([]float64, len(it.d)+1)
		for q, theta := range e.grid.theta {
			it.logP(it.predictor(theta), p)
			for k, l := range p {
				if x := r[k*nodes+q]; x > 0 {
					sum += float64(x * l)
				}
			}
		}
		if it.shape == guessing {
			sum += float64(e.prior.a*num.LogLogistic(it.g)) + float64(e.prior.b*num.LogLogistic(-it.g))
		}
		return sum
	}
	n := it.core()
	s, h := make([]float64, n), make([]float64, n*n)
	all := len(it.at)
	full := make([]float64, all)
	now := value()
	for range steps {
		gradient, info := make([]float64, len(own)), num.NewLower(len(own))
		for q, theta := range e.grid.theta {
			z := it.predictor(theta)
			for k := 0; k <= len(it.d); k++ {
				x := r[k*nodes+q]
				if x < 1e-12 {
					continue
				}
				it.derive(z, k, s, h)
				for a, j := range own {
					cj, fj := it.slot(j, theta)
					gradient[a] += float64(x * fj * s[cj])
					row := info.Row(a)
					for b := range row {
						cb, fb := it.slot(own[b], theta)
						row[b] -= float64(x * fj * fb * h[cj*n+cb])
					}
				}
			}
		}
		if it.shape == guessing {
			last := len(own) - 1
			c := num.Logistic(it.g)
			gradient[last] += float64(e.prior.a*(1-c)) - float64(e.prior.b*c)
			info.Row(last)[last] += float64((e.prior.a + e.prior.b) * c * (1 - c))
		}
		step := solve(info, gradient)
		before := append([]float64{}, it.values(full)...)
		moved := false
		for scale := limit(step, 2); scale > 1e-6; scale /= 2 {
			for a, j := range own {
				it.set(j, before[j]+float64(scale*step[a]))
			}
			if next := value(); next >= now {
				moved = next > now+1e-10*math.Abs(now)
				now = next
				break
			}
			for _, j := range own {
				it.set(j, before[j])
			}
		}
		if !moved {
			return
		}
	}
}

// limit returns the largest factor up to 1 by which no element of a step is beyond most.
func limit(step []float64, most float64) float64 {
	largest := most
	for _, x := range step {
		largest = max(largest, math.Abs(x))
	}
	return most / largest
}

// climbCommon takes a step to the maximum over the slope that items have in common on an ability.
func (e *engine) climbCommon(m int, c *counts) {
	if !e.model.OneSlope() {
		return
	}
	nodes := len(e.grid.theta)
	gradient, info, at := 0.0, 0.0, -1
	for i := range e.items {
		it := &e.items[i]
		if it.at[m] < 0 {
			continue
		}
		at = it.at[m]
		n := it.core()
		s, h := make([]float64, n), make([]float64, n*n)
		for q, theta := range e.grid.theta {
			z := it.predictor(theta)
			for k := 0; k <= len(it.d); k++ {
				if x := c.item[i][k*nodes+q]; x >= 1e-12 {
					it.derive(z, k, s, h)
					gradient += float64(x * theta[m] * s[0])
					info -= float64(x * theta[m] * theta[m] * h[0])
				}
			}
		}
	}
	if at < 0 || !(info > 0) {
		return
	}
	step := min(max(gradient/info, -0.5), 0.5)
	for i := range e.items {
		if it := &e.items[i]; it.at[m] == at {
			it.slope[m] += step
		}
	}
}

// slot returns the variable of the curves that a slot of the parameters moves, and by how much.
func (it *item) slot(j int, theta []float64) (core int, factor float64) {
	if m := len(it.slope); j >= m {
		return j - m + 1, 1
	}
	return 0, theta[j]
}

// values writes the values of all slots.
func (it *item) values(out []float64) []float64 {
	m := len(it.slope)
	copy(out, it.slope)
	copy(out[m:], it.d)
	if it.shape == guessing {
		out[len(out)-1] = it.g
	}
	return out
}

// set sets the value of a slot, within its bounds.
func (it *item) set(j int, x float64) {
	switch m := len(it.slope); {
	case j < m:
		it.slope[j] = min(max(x, -mostSlope), mostSlope)
	case j < m+len(it.d):
		it.d[j-m] = min(max(x, -mostIntercept), mostIntercept)
	default:
		it.g = min(max(x, leastGuess), mostGuess)
	}
}

// solve returns info⁻¹·gradient. Where info is not positive definite, its diagonal is raised until it is.
func solve(info num.Lower, gradient []float64) []float64 {
	n := len(gradient)
	for ridge := 0.0; ; ridge = max(10*ridge, 1e-3) {
		l := append(num.Lower{}, info...)
		for a := range n {
			row := l.Row(a)
			row[a] += float64(ridge*math.Abs(row[a])) + ridge*1e-3
		}
		if !l.Cholesky() && ridge < 1e12 {
			continue
		}
		x := append([]float64{}, gradient...)
		l.Solve(x)
		l.SolveTransposed(x)
		return x
	}
}
