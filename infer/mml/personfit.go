package mml

import (
	"math"
	"slices"
	"sort"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// personFit returns l_z* (Snijders 2001; Sinharay 2016 for ordered categories; Albers, Meijer and Tendeiro 2016 for several abilities): the log
// likelihood of the responses at the most probable abilities, in standard deviations from its mean, both corrected for the abilities' being
// estimated from the same responses. The search for them begins at start.
func (e *engine) personFit(p *pattern, start []float64) float64 {
	if len(p.items) < 2 {
		return math.NaN()
	}
	deviation, variance := e.deviation(p, start)
	if !(variance > 1e-10) {
		return math.NaN()
	}
	return deviation / math.Sqrt(variance)
}

// deviation returns the corrected deviation of the log likelihood from its mean, and its variance; 0 and 0 if the abilities have no estimate.
func (e *engine) deviation(p *pattern, start []float64) (deviation, variance float64) {
	theta, prior := e.mostProbable(p, start)
	if theta == nil {
		return 0, 0
	}
	d := e.abilities
	sum := 0.0
	cross, square := make([]float64, d), num.NewLower(d)
	type curve struct {
		slope     []float64
		log, s, p []float64
	}
	curves := make([]curve, len(p.items))
	all, most := 0, 0
	for _, i := range p.items {
		all, most = all+len(e.items[i].d)+1, max(most, e.items[i].core())
	}
	room := make([]float64, 3*all+most+most*most)
	part := func(n int) (out []float64) {
		out, room = room[:n:n], room[n:]
		return out
	}
	ds, dh := part(most), part(most*most)
	for n, i := range p.items {
		it := &e.items[i]
		k := len(it.d) + 1
		x := curve{it.slope, part(k), part(k), part(k)}
		z := it.predictor(theta)
		it.logP(z, x.log)
		first, second := 0.0, 0.0
		for j := range k {
			it.derive(z, j, ds, dh)
			x.p[j], x.s[j] = num.Exp(x.log[j]), ds[0]
			if x.p[j] == 0 {
				x.log[j], x.s[j] = 0, 0
			}
			sum -= float64(x.p[j] * x.log[j])
			first += float64(x.p[j] * x.s[j] * x.log[j])
			second += float64(x.p[j] * x.s[j] * x.s[j])
		}
		sum += x.log[p.y[i]]
		for m := range d {
			cross[m] += float64(it.slope[m] * first)
			for o := range m + 1 {
				square.Row(m)[o] += float64(it.slope[m] * it.slope[o] * second)
			}
		}
		curves[n] = x
	}
	for m := range d {
		if row := square.Row(m); row[m] == 0 { // no item of this ability was taken: nothing is lost by its estimate
			row[m] = 1
		}
	}
	if !square.Cholesky() {
		return 0, 0
	}
	square.SolveBoth(cross)
	for _, x := range curves {
		c := num.Dot(cross, x.slope)
		mean, second := 0.0, 0.0
		for j := range x.p {
			w := x.log[j] - float64(c*x.s[j])
			mean += float64(x.p[j] * w)
			second += float64(x.p[j] * w * w)
		}
		variance += second - float64(mean*mean)
	}
	return sum + num.Dot(cross, prior), variance
}

// leastBend is the least information about an ability that a step of Newton's method reckons with.
const leastBend = 0.1

// mostProbable returns the most probable abilities of a pattern, and the gradient of their log prior density there; nil if the abilities have none.
func (e *engine) mostProbable(p *pattern, start []float64) (theta, prior []float64) {
	d := e.abilities
	g := &e.groups[p.group]
	precision := [][]float64{{1 / float64(g.sd*g.sd)}}
	if d > 1 {
		l := slices.Clone(e.corr)
		if !l.Cholesky() {
			return nil, nil
		}
		precision = inverse(l, d)
	}
	theta, prior = slices.Clone(start), make([]float64, d)
	step, info := make([]float64, d), num.NewLower(d)
	most := 0
	for _, i := range p.items {
		most = max(most, e.items[i].core())
	}
	s, h := make([]float64, most), make([]float64, most*most)
	for range 50 {
		for m := range d {
			prior[m] = 0
			for o := range d {
				prior[m] += float64(precision[m][o] * (g.mean - theta[o]))
			}
			copy(info.Row(m), precision[m])
		}
		copy(step, prior)
		for _, i := range p.items {
			it := &e.items[i]
			it.derive(it.predictor(theta), int(p.y[i]), s, h)
			for m := range d {
				step[m] += float64(it.slope[m] * s[0])
				for o := range m + 1 {
					info.Row(m)[o] -= float64(it.slope[m] * it.slope[o] * h[0])
				}
			}
		}
		for m := range d { // guessing may bend the likelihood upwards
			info.Row(m)[m] = max(info.Row(m)[m], leastBend)
		}
		if info.Cholesky() {
			info.SolveBoth(step)
		} else { // a short step uphill
			for m := range d {
				step[m] *= leastBend
			}
		}
		longest := 0.0
		for m := range d {
			step[m] = min(max(step[m], -1), 1)
			theta[m] += step[m]
			longest = max(longest, math.Abs(step[m]))
		}
		if longest < 1e-9 {
			break
		}
	}
	return theta, prior
}

// enoughLower is how many simulated subjects shall be as low as the lowest of the data: a p-value is then known to a third of itself (Besag and
// Clifford 1991). perSubject bounds the search for them: with so many draws for each subject a corrected p-value can be as low as .01.
const (
	enoughLower = 10
	perSubject  = 100
	mostDraws   = 1_000_000
)

// PersonFit sets the p-values of scores: how often subjects whom the model draws, with the missing responses of those of the data, have an
// l_z* as low. Against the normal distribution it would not be exact in short tests (van Krimpen-Stoop and Meijer 1999). It draws at least so
// many, more where a subject is so low that these could not tell by how much, and returns their number.
func (f *Fit) PersonFit(scores []Score, draws int, r *rng.Rand) int {
	e := f.e
	lowest, known := math.Inf(1), 0
	for _, s := range scores {
		if !math.IsNaN(s.Fit) {
			lowest, known = min(lowest, s.Fit), known+1
		}
	}
	simulate := e.simulated(r)
	if known == 0 || simulate == nil {
		return 0
	}
	var null []float64
	lower, drawn := 0, 0
	for drawn < draws || lower < enoughLower && drawn < min(perSubject*known, mostDraws) {
		drawn++
		if v := simulate(); !math.IsNaN(v) {
			null = append(null, v)
			if v <= lowest+1e-12 {
				lower++
			}
		}
	}
	slices.Sort(null)
	for s := range scores {
		if x := &scores[s]; !math.IsNaN(x.Fit) && len(null) > 0 {
			low := sort.Search(len(null), func(i int) bool { return null[i] > x.Fit+1e-12 }) // how many are at most as large
			x.P = float64(low+1) / float64(len(null)+1)
		}
	}
	return drawn
}

// simulated returns a function that draws a subject of the model, with the missing responses of one of the data, and returns its l_z*.
func (e *engine) simulated(r *rng.Rand) func() float64 {
	var cumulative []float64
	total := 0.0
	for u := range e.patterns {
		total += e.patterns[u].n
		cumulative = append(cumulative, total)
	}
	l := slices.Clone(e.corr)
	if !l.Cholesky() {
		return nil
	}
	theta, z := make([]float64, e.abilities), make([]float64, e.abilities)
	var y []int8
	return func() float64 {
		x := r.Float64() * total
		u := 0
		for u < len(cumulative)-1 && cumulative[u] < x {
			u++
		}
		p := e.patterns[u]
		g := &e.groups[p.group]
		for m := range theta {
			z[m] = r.Norm()
			theta[m] = g.mean + float64(g.sd*num.Dot(l.Row(m), z[:m+1]))
		}
		y = append(y[:0], p.y...)
		p.y = y
		for _, i := range p.items {
			p.y[i] = e.items[i].draw(e.items[i].predictor(theta), r)
		}
		return e.personFit(&p, theta)
	}
}

// draw draws a response.
func (it *item) draw(z float64, r *rng.Rand) int8 {
	u := r.Float64()
	if it.logistic() {
		if u < num.Logistic(-z-it.d[0]) {
			return 0
		}
		return 1
	}
	p := make([]float64, len(it.d)+1)
	it.logP(z, p)
	for k := range it.d {
		if u -= num.Exp(p[k]); u < 0 {
			return int8(k)
		}
	}
	return int8(len(it.d))
}
