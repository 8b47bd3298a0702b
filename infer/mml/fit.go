package mml

import (
	"fmt"
	"math"

	"achilles/sim/num"
)

// Limits of the climb.
const (
	fewSteps   = 40      // of expectation and maximisation, before Newton's method
	manySteps  = 300     // where there is no Newton's method after them
	mostNewton = 60      // its steps
	mostFull   = 400     // parameters up to which it is used
	mostWork   = 2e10    // patterns × nodes × parameters² up to which it is used
	slowest    = 0.02    // rise of the log likelihood at which a climb without Newton's method ends
	tolerance  = 1e-4    // of the log likelihood, by which twice as many nodes may change it
	mostRough  = 3e8     // the same of a fit that others are compared with
	rise       = 0.05    // the same where there is no Newton's method
	fewNodes   = 500     // nodes there
	mostNodes  = 1 << 12 // nodes of one ability
)

// Estimate returns the parameters under which the responses are most probable, with their standard errors. It returns an error if data
// and settings do not go together.
func Estimate(d *Data, s Settings) (*Fit, error) { return estimate(d, s, 0) }

// estimate is Estimate with as many nodes as another fit has, if it is not 0.
func estimate(d *Data, s Settings, nodes int) (*Fit, error) {
	if err := d.check(&s); err != nil {
		return nil, err
	}
	e := newEngine(d, &s)
	if len(e.patterns) == 0 {
		return nil, fmt.Errorf("no subject has a response")
	}
	f := &Fit{Model: s.Model, e: e, Patterns: len(e.patterns), Parameters: e.params, Nodes: nodes, rough: nodes > 0}
	for _, g := range e.groups {
		f.Subjects += g.n
	}
	e.begin(d, s.Start)
	f.climb(s.Start != nil)
	f.report()
	return f, nil
}

// begin sets parameters from which to climb: those of another fit, or slopes of 1 with the sign of the correlation of an item with the rest, and
// intercepts at the items' success rates.
func (e *engine) begin(d *Data, start *Fit) {
	if start != nil && len(start.e.items) == len(e.items) && start.e.model == e.model {
		for i := range e.items {
			it, from := &e.items[i], &start.e.items[i]
			x := from.values(make([]float64, len(from.at)))
			for j, at := range it.at {
				if at >= 0 && j < len(x) {
					it.set(j, x[j])
				}
			}
		}
		for g := range e.groups {
			if x := &e.groups[g]; g < len(start.e.groups) && x.at[0] >= 0 {
				x.mean, x.sd = start.e.groups[g].mean, start.e.groups[g].sd
			}
		}
		if len(start.e.corr) == len(e.corr) {
			copy(e.corr, start.e.corr)
		}
		return
	}
	n := make([][]float64, len(e.items)) // responses at each category or above
	total := make([]float64, len(e.patterns))
	for i := range n {
		n[i] = make([]float64, d.Categories[i]+1) // 0 above the highest
	}
	for u := range e.patterns {
		p := &e.patterns[u]
		for _, i := range p.items {
			for k := 0; k <= int(p.y[i]); k++ {
				n[i][k] += p.n
			}
			total[u] += float64(p.y[i]) / float64(d.Categories[i]-1) / float64(len(p.items))
		}
	}
	const c = 0.2 // guessing
	for i := range e.items {
		it := &e.items[i]
		sign := 1.0
		if e.patterns.restCorrelation(i, total, d.Categories[i]) < 0 {
			sign = -1
		}
		for m, at := range it.at[:len(it.slope)] {
			if at >= 0 {
				it.slope[m] = 1
				if !e.model.OneSlope() {
					it.slope[m] = sign
				}
			}
		}
		for j := range it.d {
			if it.at[len(it.slope)+j] < 0 {
				continue
			}
			above, all := n[i][j+1], n[i][0]
			switch it.shape {
			case adjacent:
				exact := n[i][j] - above
				it.d[j] = num.Log((above - n[i][j+2] + 0.5) / (exact + 0.5))
			case guessing:
				p := max((above/all-c)/(1-c), 0.05)
				it.d[j] = 1.2 * logit(min(p, 0.98))
				it.g = logit(c)
			default:
				it.d[j] = 1.2 * num.Log((above+0.5)/(all-above+0.5))
				if j > 0 {
					it.d[j] = min(it.d[j], it.d[j-1]-0.05)
				}
			}
		}
	}
}

// climb climbs to the maximum with as many nodes as it takes. warm says that the climb begins near it.
func (f *Fit) climb(warm bool) {
	e := f.e
	most := float64(mostWork)
	if f.rough {
		most = mostRough
	}
	each, reach := []int{0, 61, 25, 15}[e.abilities], 6.0
	if len(e.groups) > 1 || e.groups[0].at[0] >= 0 {
		each, reach = 81, 8
	}
	each = max(each, f.Nodes)
	for {
		g := even(e.abilities, each, reach)
		e.use(g)
		few := fewSteps
		if warm {
			few = 5
		}
		full := e.params <= mostFull && e.work() <= most
		if !full {
			few = manySteps
		}
		steps, gained := e.em(few, full)
		f.Steps += steps
		f.Gain, f.Converged = gained, steps < few
		if full {
			steps, gain := e.newton(mostNewton)
			f.Steps += steps
			f.Gain = gain
		}
		f.Nodes = each
		warm = true
		if e.abilities > 1 {
			break
		}
		wide := false
		for _, x := range e.groups {
			wide = wide || math.Abs(x.mean)+5.5*x.sd > reach && reach < 40
		}
		if wide {
			each, reach = 2*each, 2*reach
			continue
		}
		was := e.logLik()
		most, change := mostNodes, tolerance
		if !full {
			most, change = fewNodes, rise
		}
		if 2*each > most || f.rough {
			break
		}
		e.use(even(1, 2*each-1, reach))
		if is := e.logLik(); math.Abs(is-was) < change {
			break
		}
		each = 2*each - 1
	}
	if e.abilities > 1 {
		f.adapt()
	}
}

// adapt ends the climb of several abilities on nodes that each pattern has for itself: they are placed twice, and stay while Newton's method
// climbs, so that what it climbs is smooth.
func (f *Fit) adapt() {
	e := f.e
	line, logs := hermite([]int{0, 21, 9, 7}[e.abilities])
	standard := product(e.abilities, line, logs)
	f.Nodes = len(line)
	if e.params > mostFull || float64(len(e.patterns)*len(standard.theta))*float64(e.params*e.params) > mostWork {
		return
	}
	for range 2 {
		e.adapt(standard)
		steps, gain := e.newton(mostNewton)
		f.Steps += steps
		f.Gain = gain
	}
}

// work estimates how much a step of Newton's method takes, on the nodes that patterns have.
func (e *engine) work() float64 {
	nodes := 0
	for u := range e.patterns {
		nodes += len(e.nodes(&e.patterns[u]))
	}
	return float64(nodes) * float64(e.params*e.params)
}

// em takes steps of expectation and maximisation until they hardly move the parameters, or up to most. rough says that others follow; where
// none do, parameters are so many that it is enough if the log likelihood hardly rises.
func (e *engine) em(most int, rough bool) (steps int, gained float64) {
	before := e.get()
	last := math.Inf(-1)
	for ; steps < most; steps++ {
		c := e.expect(steps > 5)
		many := 1
		if steps < 3 {
			many = 5
		}
		(&maximisation{&e.parameters, e.grid, c}).maximise(many)
		e.update()
		after := e.get()
		moved := 0.0
		for a := range after {
			moved = max(moved, math.Abs(after[a]-before[a]))
		}
		before = after
		gained = c.logLik - last
		last = c.logLik
		if moved < 1e-5 || !rough && steps > 5 && math.Abs(gained) < slowest || rough && moved < 3e-3 && steps > 5 {
			break
		}
	}
	return steps, gained
}
