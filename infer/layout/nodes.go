package layout

import (
	"strconv"

	"achilles/infer/loglik"
	"achilles/sim/record"
)

// Summable returns the indices of the parameters of subjects if they can be summed out, one subject after the other, on nodes that all
// subjects share: subjects differ in nothing else, and have either one parameter, whose coordinate q has the same prior for any value of the others, or
// binary ones alone, whose patterns are the nodes. Otherwise the error says why not.
func (l *Layout) Summable() (parameters []int, err error) {
	for i := range l.Parameters {
		switch p := &l.Parameters[i]; {
		case p.OfSubjects():
			parameters = append(parameters, i)
		case p.of() == ofSubjects:
			return nil, p.at.Errorf("%s belongs to groups of subjects, so that subjects are not independent given the items, and no parameter of theirs can be summed out", p.Name)
		}
	}
	if len(parameters) == 0 {
		return nil, l.at.Errorf("a subject has 0 parameters, and only one, or binary ones alone, can be summed out")
	}
	if err := l.checkAlike(&l.Parameters[parameters[0]]); err != nil {
		return nil, err
	}
	if first := l.firstBinary(); first != nil {
		return parameters, l.checkPatterns(first, parameters)
	}
	p := &l.Parameters[parameters[0]]
	if len(parameters) > 1 {
		return nil, l.Parameters[parameters[1]].at.Errorf("a subject has %d parameters, and only one, or binary ones alone, can be summed out", len(parameters))
	}
	for _, a := range p.args {
		for _, name := range a.Names() {
			if l.symbols[name].kind != aConstant && !p.family.HasScore() {
				return nil, p.at.Errorf("the prior of %s depends on %s and is neither normal nor lognormal, so that %s cannot be summed out", p.Name, name, p.Name)
			}
		}
	}
	return parameters, nil
}

// checkAlike returns an error if subjects differ in more than their parameters, the first of which is p.
func (l *Layout) checkAlike(p *Parameter) error {
	for _, r := range l.Responses {
		if s := l.symbols["mean("+r.Measure+")"]; s != nil {
			return s.at.Errorf("mean(%s) is another number for each subject, so that %s cannot be summed out", r.Measure, p.Name)
		}
	}
	if len(l.Covariates) > 0 {
		m := &l.Covariates[0]
		return m.at.Errorf("the covariate %s is another number for each subject, so that %s cannot be summed out", m.Name, p.Name)
	}
	return nil
}

// checkPatterns returns an error if the parameters of subjects, one of which is binary, are not all binary, or have too many patterns.
func (l *Layout) checkPatterns(binary *Parameter, parameters []int) error {
	for _, i := range parameters {
		if p := &l.Parameters[i]; !p.Binary() {
			return p.at.Errorf("%s is not binary, and %s is: of what each subject has, all must be binary or nothing", p.Name, binary.Name)
		}
	}
	if len(parameters) > mostBinary {
		return binary.at.Errorf("%d binary parameters of each subject have %d patterns, and %d, of %d parameters, can be summed over: name fewer columns, or a smaller size", len(parameters), 1<<min(len(parameters), 62), 1<<mostBinary, mostBinary)
	}
	if len(parameters) == len(l.Parameters) {
		return binary.at.Errorf("all parameters are binary, and none is left to draw: infer something of items or of everybody too, such as p in bernoulli(p)")
	}
	return nil
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

// Recount lets every response count as often as counts say, in the order of Cells.Used, and the priors of each subject's parameters as
// often as times says; nil: once. A number need not be whole. The target keeps times.
func (t *JointTarget) Recount(counts, times []float64) {
	t.times = times
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

// AddLogPriors adds the log prior density of the coordinate q of each unit of parameter i to out, at the point of the last call of
// Constrain.
func (t *JointTarget) AddLogPriors(i int, out []float64) {
	for u, d := range t.points[t.joint.first[i]:t.joint.first[i+1]] {
		out[u] += d.LogP
	}
}
