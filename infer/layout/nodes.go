package layout

import (
	"fmt"
	"strconv"

	"achilles/infer/loglik"
	"achilles/sim/record"
)

// Summable returns the index of the only parameter of subjects if it can be integrated out one subject after the other on one grid of
// nodes: subjects differ in nothing else, and the prior of its coordinate q at the nodes is the same for any value of the others. Otherwise
// the error says why not.
func (l *Layout) Summable() (parameter int, err error) {
	parameter = -1
	var names []string
	for i := range l.Parameters {
		switch p := &l.Parameters[i]; {
		case p.OfSubjects():
			parameter, names = i, append(names, p.Name)
		case p.of() == ofSubjects:
			return 0, fmt.Errorf("layout %s: %s belongs to groups of subjects, so that subjects are not independent given the items", l.Name, p.Name)
		}
	}
	if len(names) != 1 {
		return 0, fmt.Errorf("layout %s: a subject has %d parameters; one can be integrated out, no more and no fewer", l.Name, len(names))
	}
	for _, r := range l.Responses {
		if l.symbols["mean("+r.Measure+")"] != nil {
			return 0, fmt.Errorf("layout %s: mean(%s) is another number for each subject", l.Name, r.Measure)
		}
	}
	for name, s := range l.symbols {
		if s.kind == aCovariate {
			return 0, fmt.Errorf("layout %s: the covariate %s is another number for each subject", l.Name, name)
		}
	}
	p := &l.Parameters[parameter]
	for _, a := range p.args {
		for _, name := range a.Names() {
			if l.symbols[name].kind != aConstant && !p.family.HasScore() {
				return 0, fmt.Errorf("layout %s: the prior of %s depends on %s and is neither normal nor lognormal", l.Name, p.Name, name)
			}
		}
	}
	return parameter, nil
}

// AtNodes returns the cells of n subjects, the nodes, each of whom has every outcome (item, measure, value and number of trials) that a
// response of c has, in one order; and for each subject of c, which of these outcomes it has. The layout must be Summable.
func (c *Cells) AtNodes(n int) (nodes *Cells, outcomes [][]int, err error) {
	j := c.joint
	subjects := make([]string, n)
	for g := range subjects {
		subjects[g] = strconv.Itoa(g)
	}
	k, err := j.layout.BindJoint(j.items, subjects, nil, j.measures)
	if err != nil {
		return nil, nil, err
	}
	known := map[record.Response]int{}
	var each []record.Response
	outcomes = make([][]int, len(j.subjects))
	for _, at := range c.used {
		r := c.given[at]
		x := record.Response{Item: r.Item, Measure: r.Measure, Value: r.Value, Trials: r.Trials}
		o, ok := known[x]
		if !ok {
			o = len(each)
			known[x], each = o, append(each, x)
		}
		outcomes[r.Subject] = append(outcomes[r.Subject], o)
	}
	all := make([]record.Response, 0, n*len(each))
	for g := range n {
		for _, x := range each {
			x.Subject = int32(g)
			all = append(all, x)
		}
	}
	nodes, err = k.NewCells(all, nil)
	return nodes, outcomes, err
}

// Recount lets every response count as often as counts say, in the order of Cells.Used. A number need not be whole.
func (t *JointTarget) Recount(counts []float64) {
	obs := make([][][]loglik.Observation, len(t.blocks))
	for i := range obs {
		obs[i] = make([][]loglik.Observation, len(t.cells.blocks[i].responses))
	}
	for k, x := range t.cells.at {
		if counts[k] > 0 {
			of := &obs[x.block][x.measure]
			*of = append(*of, loglik.Observation{Row: int(x.row), Value: x.value, Count: counts[k]})
		}
	}
	for i := range t.blocks {
		w, err := t.blocks[i].w.With(obs[i])
		if err != nil {
			panic("layout: a response of the cells cannot be counted")
		}
		t.blocks[i].w = w
	}
}

// LogPriors returns the log prior density of the coordinate q of each unit of parameter i, at the point of the last call of Constrain or
// LogDensity.
func (t *JointTarget) LogPriors(i int) (out []float64) {
	for _, d := range t.points[t.joint.first[i]:t.joint.first[i+1]] {
		out = append(out, d.LogP)
	}
	return out
}
