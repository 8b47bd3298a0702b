package mml

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A climb is the log likelihood with priors at parameters, its gradient, and the observed information: minus the second derivatives.
type climb struct {
	value    float64
	gradient []float64
	info     num.Lower
}

// derivatives returns those of the log probability of each category of each item, in this order: by node, the first ones and then the
// second ones.
func (e *engine) derivatives() (table [][]float64) {
	for i := range e.items {
		it := &e.items[i]
		n := it.core()
		each := n + n*n
		for k := 0; k <= len(it.d); k++ {
			t := make([]float64, each*len(e.grid.theta))
			for q, theta := range e.grid.theta {
				at := t[q*each : (q+1)*each]
				it.derive(it.predictor(theta), k, at[:n], at[n:])
			}
			table = append(table, t)
		}
	}
	return table
}

// common returns the parameters that are of no item.
func (e *engine) common() (out []int) {
	of := make([]bool, e.params)
	for i := range e.items {
		for _, at := range e.items[i].at {
			if at >= 0 {
				of[at] = true
			}
		}
	}
	for a, item := range of {
		if !item {
			out = append(out, a)
		}
	}
	return out
}

// active returns the parameters on which the likelihood of a pattern depends, in their order, with those that are of no item.
func (e *engine) active(p *pattern, common []int) []int {
	out := slices.Clone(common)
	for _, r := range p.counts {
		it := &e.items[r.item]
		for j, at := range it.at {
			if at >= 0 && it.depends(int(r.y), j) {
				out = append(out, at)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// firsts returns the index in the table of the first category of each item.
func (e *engine) firsts() []int {
	out := make([]int, len(e.items))
	at := 0
	for i := range e.items {
		out[i] = at
		at += len(e.items[i].d) + 1
	}
	return out
}

// differentiate returns value, gradient and observed information at the parameters (Louis 1982).
func (e *engine) differentiate() *climb {
	c := &climb{value: e.penalty(), gradient: make([]float64, e.params), info: num.NewLower(e.params)}
	table, first := e.derivatives(), e.firsts()
	w := make([]float64, len(e.grid.theta))
	s, mean := make([]float64, e.params), make([]float64, e.params)
	add := func(a, b int, x float64) {
		if a < b {
			a, b = b, a
		}
		c.info[a*(a+1)/2+b] += x
	}
	prior, common := e.priorScore(), e.common()
	var sBuffer, hBuffer [256]float64
	for u := range e.patterns {
		p := &e.patterns[u]
		if p.own != nil && len(w) != len(p.own.theta) {
			w = make([]float64, len(p.own.theta))
		}
		c.value += float64(p.n * e.posterior(p, w))
		active := e.active(p, common)
		clear(mean)
		product, score := num.NewLower(len(active)), make([]float64, len(active))
		for q, theta := range e.nodes(p) {
			if q < p.lo || q >= p.hi || w[q] < 1e-12 {
				continue
			}
			clear(s)
			weight := float64(p.n * w[q])
			for _, r := range p.counts {
				it := &e.items[r.item]
				n := it.core()
				var ds, dh []float64
				if p.own == nil {
					at := table[first[r.item]+int(r.y)][q*(n+n*n) : (q+1)*(n+n*n)]
					ds, dh = at[:n], at[n:]
				} else {
					ds, dh = sBuffer[:n], hBuffer[:n*n]
					if n > len(sBuffer) || n*n > len(hBuffer) {
						ds, dh = make([]float64, n), make([]float64, n*n)
					}
					it.derive(it.predictor(theta), int(r.y), ds, dh)
				}
				for j, at := range it.at {
					if at < 0 || !it.depends(int(r.y), j) {
						continue
					}
					cj, fj := it.slot(j, theta)
					s[at] += float64(r.as * fj * ds[cj])
					for b := 0; b <= j; b++ {
						if to := it.at[b]; to >= 0 && it.depends(int(r.y), b) {
							cb, fb := it.slot(b, theta)
							add(at, to, -float64(weight*r.as*fj*fb*dh[cj*n+cb]))
						}
					}
				}
			}
			prior(p.group, theta, s, func(a, b int, x float64) { add(a, b, -float64(weight*x)) })
			for i, a := range active {
				score[i] = s[a]
				mean[a] += float64(w[q] * s[a])
			}
			for i, x := range score {
				row, x := product.Row(i), float64(weight*x)
				for k, y := range score[:i+1] {
					row[k] += float64(x * y)
				}
			}
		}
		for i, a := range active {
			row, from := c.info.Row(a), product.Row(i)
			for k, b := range active[:i+1] {
				row[b] -= from[k]
			}
		}
		for a, x := range mean {
			c.gradient[a] += float64(p.n * x)
			if x == 0 {
				continue
			}
			row, x := c.info.Row(a), float64(p.n*x)
			for b, y := range mean[:a+1] {
				row[b] += float64(x * y)
			}
		}
	}
	for i := range e.items {
		if it := &e.items[i]; it.shape == guessing {
			if at := it.at[len(it.at)-1]; at >= 0 {
				g := num.Logistic(it.g)
				c.gradient[at] += float64(e.prior.a*(1-g)) - float64(e.prior.b*g)
				add(at, at, float64((e.prior.a+e.prior.b)*g*(1-g)))
			}
		}
	}
	return c
}

// newton climbs to the maximum by Newton's method. It returns how many steps it took, and what a further one would add to the log
// likelihood. Parameters at a bound that would go beyond stay.
func (e *engine) newton(most int) (steps int, gain float64) {
	now := e.differentiate()
	for ; ; steps++ {
		x := e.get()
		stay := e.stuck(x, now.gradient)
		gradient, info := slices.Clone(now.gradient), slices.Clone(now.info)
		hold(info, gradient, stay)
		step := solve(info, gradient)
		gain = num.Dot(step, gradient) / 2
		if math.Abs(gain) < 1e-9 || steps >= most {
			return steps, gain
		}
		found := false
		for scale := limit(step, 1.5); scale > 1e-5; scale /= 2 {
			y := slices.Clone(x)
			num.AddTo(y, scale, step)
			e.put(y)
			if e.update() {
				if value := e.logLik() + e.penalty(); value >= now.value-1e-11*math.Abs(now.value) {
					found = true
					break
				}
			}
		}
		if !found {
			e.put(x)
			e.update()
			return steps, gain
		}
		now = e.differentiate()
	}
}

// hold takes parameters out of a system of equations.
func hold(info num.Lower, gradient []float64, stay []bool) {
	for a := range gradient {
		row := info.Row(a)
		for b := range row {
			if stay[a] || stay[b] {
				row[b] = 0
			}
		}
		if stay[a] {
			row[a], gradient[a] = 1, 0
		}
	}
}

// adapt gives each pattern nodes of its own, around the mean of its posterior, from the nodes of all.
func (e *engine) adapt(standard *grid) {
	w := make([]float64, max(len(e.grid.theta), len(standard.theta)))
	for u := range e.patterns {
		p := &e.patterns[u]
		nodes := e.nodes(p)
		part := w[:len(nodes)]
		e.posterior(p, part)
		mean, square := make([]float64, e.abilities), num.NewLower(e.abilities)
		for q, theta := range nodes {
			for m, t := range theta {
				mean[m] += float64(part[q] * t)
			}
		}
		for q, theta := range nodes {
			for m, t := range theta {
				row := square.Row(m)
				for k := range row {
					row[k] += float64(part[q] * (t - mean[m]) * (theta[k] - mean[k]))
				}
			}
		}
		if square.Cholesky() {
			p.own, p.lo, p.hi = standard.around(mean, square), 0, len(standard.theta)
		}
	}
}
