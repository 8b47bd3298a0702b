package mml

import (
	"fmt"
	"math"

	"achilles/sim/num"
)

// report fills a fit from its engine.
func (f *Fit) report() {
	e := f.e
	f.upright()
	if f.rough {
		f.LogLik, f.Converged = e.logLik(), true
		return
	}
	if e.params <= mostFull && e.work() <= mostWork {
		last := e.differentiate()
		f.Converged = false // unless the information says so
		f.LogLik = last.value - e.penalty()
		stay := e.stuck(e.get(), last.gradient)
		gradient := append([]float64{}, last.gradient...)
		info := append(num.Lower{}, last.info...)
		hold(info, gradient, stay)
		l := append(num.Lower{}, info...)
		if l.Cholesky() {
			x := append([]float64{}, gradient...)
			l.Solve(x)
			f.Gain = num.Dot(x, x) / 2
			f.Converged = f.Gain < 1e-5
			f.cov = covariance(l, stay)
		}
	} else {
		f.Blocks = true
		f.LogLik = e.logLik() // whether it converged is known from the climb
		f.cov = e.blocks()
	}
	k := float64(e.params)
	f.AIC, f.BIC = 2*k-2*f.LogLik, k*num.Log(f.Subjects)-2*f.LogLik
	se := func(at int) float64 {
		if at < 0 || f.cov == nil {
			return 0
		}
		v := f.cov(at, at)
		if !(v > 0) {
			return 0
		}
		return math.Sqrt(v)
	}
	for i := range e.items {
		f.Items = append(f.Items, f.itemOf(&e.items[i], se))
	}
	for g := range e.groups {
		x := &e.groups[g]
		f.Groups = append(f.Groups, Group{x.mean, x.sd, se(x.at[0]), se(x.at[1])})
	}
	for m := range e.abilities {
		f.Correlations = append(f.Correlations, make([]float64, e.abilities))
		for j, r := range e.corr.Row(m) {
			f.Correlations[m][j], f.Correlations[j][m] = r, r
		}
	}
	if e.model.OneSlope() && e.abilities == 1 {
		f.Spread, f.SpreadSE = e.items[0].slope[0], se(e.items[0].at[0])
		if f.Blocks {
			f.SpreadSE = e.spreadError()
		}
	}
}

// upright turns abilities round on which most slopes are negative, so that more is better.
func (f *Fit) upright() {
	e := f.e
	for m := range e.abilities {
		sum, fixed := 0.0, false
		for i := range e.items {
			sum += e.items[i].slope[m]
			fixed = fixed || e.items[i].slope[m] != 0 && e.items[i].at[m] < 0
		}
		if sum >= 0 || fixed {
			continue
		}
		for i := range e.items {
			e.items[i].slope[m] = -e.items[i].slope[m]
		}
		for g := range e.groups {
			e.groups[g].mean = -e.groups[g].mean
		}
		for j := range e.abilities {
			if j != m {
				e.corr.Row(max(j, m))[min(j, m)] *= -1
			}
		}
		for u := range e.patterns {
			p := &e.patterns[u]
			p.lo, p.hi = len(e.nodes(p))-p.hi, len(e.nodes(p))-p.lo
			if p.own != nil {
				for _, theta := range p.own.theta {
					theta[m] = -theta[m]
				}
			}
		}
	}
	e.update()
}

// covariance returns the inverse of an information by its factor. Parameters that stay have no error.
func covariance(l num.Lower, stay []bool) func(a, b int) float64 {
	n := len(stay)
	columns := make([][]float64, n)
	return func(a, b int) float64 {
		if stay[a] || stay[b] {
			return 0
		}
		if columns[a] == nil {
			columns[a] = make([]float64, n)
			columns[a][a] = 1
			l.SolveBoth(columns[a])
		}
		return columns[a][b]
	}
}

// blocks returns the covariances of parameters of one item, as if the others were known, from the sums of products of the scores of
// subjects.
func (e *engine) blocks() func(a, b int) float64 {
	type block struct {
		at   []int
		info num.Lower
	}
	all := make([]block, len(e.items)+len(e.groups))
	of := make([]int, e.params)
	for i := range e.items {
		for _, at := range e.items[i].at {
			if at >= 0 && !(e.model.OneSlope() && len(e.items[i].slope) > 0 && at == e.items[i].at[0]) {
				all[i].at = append(all[i].at, at)
				of[at] = i
			}
		}
	}
	for g := range e.groups {
		if x := &e.groups[g]; x.at[0] >= 0 {
			b := len(e.items) + g
			all[b].at = x.at[:]
			of[x.at[0]], of[x.at[1]] = b, b
		}
	}
	table, first := e.derivatives(), e.firsts()
	for b := range all {
		all[b].info = num.NewLower(len(all[b].at))
	}
	w := make([]float64, len(e.grid.theta))
	for u := range e.patterns {
		p := &e.patterns[u]
		e.posterior(p, w)
		for from := 0; from < len(p.counts); {
			i := int(p.counts[from].item)
			it := &e.items[i]
			n := it.core()
			mean := make([]float64, len(it.at))
			for ; from < len(p.counts) && int(p.counts[from].item) == i; from++ {
				a := p.counts[from]
				for q := p.lo; q < p.hi; q++ {
					at := table[first[i]+int(a.y)][q*(n+n*n):]
					for j := range it.at {
						c, f := it.slot(j, e.grid.theta[q])
						mean[j] += float64(a.as * w[q] * f * at[c])
					}
				}
			}
			row := 0
			var own []float64
			for j, at := range it.at {
				if at >= 0 && of[at] == i && row < len(all[i].at) && all[i].at[row] == at {
					own = append(own, mean[j])
					row++
				}
			}
			for a, x := range own {
				to := all[i].info.Row(a)
				for b, y := range own[:a+1] {
					to[b] += float64(p.n * x * y)
				}
			}
		}
	}
	inverse := make([]func(a, b int) float64, len(all))
	for b := range all {
		l := append(num.Lower{}, all[b].info...)
		if len(all[b].at) > 0 && l.Cholesky() {
			inverse[b] = covariance(l, make([]bool, len(all[b].at)))
		}
	}
	return func(a, b int) float64 {
		x := &all[of[a]]
		if of[a] != of[b] || inverse[of[a]] == nil {
			return 0
		}
		ia, ib := -1, -1
		for k, at := range x.at {
			if at == a {
				ia = k
			}
			if at == b {
				ib = k
			}
		}
		if ia < 0 || ib < 0 {
			return 0
		}
		return inverse[of[a]](ia, ib)
	}
}

// itemOf returns an item as people read it.
func (f *Fit) itemOf(it *item, se func(at int) float64) Item {
	out := Item{}
	m := len(it.slope)
	for j, a := range it.slope {
		out.Slope, out.SlopeSE = append(out.Slope, a), append(out.SlopeSE, se(it.at[j]))
		if math.Abs(a) >= mostSlope {
			out.Bound = fmt.Sprintf("the slope is at its bound of %d: the responses would have it infinite", mostSlope)
		}
	}
	for j, d := range it.d {
		at := it.at[m+j]
		out.Intercept, out.InterceptSE = append(out.Intercept, d), append(out.InterceptSE, se(at))
		if math.Abs(d) >= mostIntercept {
			out.Bound = "an intercept is at its bound: the responses would have it infinite"
		}
		if m != 1 {
			continue
		}
		a := it.slope[0]
		b, vb := -d, 0.0
		if at >= 0 && f.cov != nil {
			vb = f.cov(at, at)
		}
		if !f.Model.OneSlope() {
			b = -d / a
			if s := it.at[0]; s >= 0 && at >= 0 && f.cov != nil {
				vb = (f.cov(at, at) + float64(b*b*f.cov(s, s)) + float64(2*b*f.cov(s, at))) / float64(a*a)
			} else if at >= 0 {
				vb /= float64(a * a)
			}
		}
		if math.IsInf(b, 0) {
			b = math.NaN()
		}
		out.Difficulty, out.DifficultySE = append(out.Difficulty, b), append(out.DifficultySE, math.Sqrt(max(vb, 0)))
	}
	if it.shape == guessing {
		c := num.Logistic(it.g)
		out.Guess, out.GuessSE = c, float64(c*(1-c)*se(it.at[len(it.at)-1]))
		if it.g <= leastGuess {
			out.Bound = "the guessing parameter is at its bound of 0"
		}
	}
	return out
}
