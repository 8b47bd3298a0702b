package layout

import "fmt"

// Summable returns the indices of the parameters of subjects if they can be summed out, one subject after the other, on nodes that all
// subjects share: subjects differ in nothing else, and have either one parameter, whose coordinate q has the same prior for any value of the others, or
// binary ones alone, whose patterns are the nodes. Otherwise the error says why not.
func (l *Layout) Summable() (parameters []int, err error) { return summable(l, 1) }

// summable is Summable where subjects may have so many parameters that are not binary.
func summable(l *Layout, most int) (parameters []int, err error) {
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
	if n := len(parameters); n > most {
		only := "only one, or binary ones alone,"
		if most > 1 {
			only = fmt.Sprintf("at most %d", most)
		}
		return nil, l.Parameters[parameters[most]].at.Errorf("a subject has %d parameters, and %s can be summed out", n, only)
	}
	for _, i := range parameters {
		p := &l.Parameters[i]
		for _, name := range p.names() {
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
			return p.at.Errorf("%s is not binary, and %s is: the parameters of each subject must be all binary or none", p.Name, binary.Name)
		}
	}
	if len(parameters) > mostBinary {
		return binary.at.Errorf("%d binary parameters of each subject have %d patterns, and %d, of %d parameters, can be summed over: name fewer columns, or a smaller size", len(parameters), 1<<min(len(parameters), 62), 1<<mostBinary, mostBinary)
	}
	if len(parameters) == len(l.Parameters) {
		return binary.at.Errorf("all parameters are binary, and none is left to draw: infer something about items or shared by all too, such as p in bernoulli(p)")
	}
	return nil
}

// mostOfItem is the largest number of parameters of an item that can be summed out: the nodes are a grid with so many axes.
const mostOfItem = 3

// SummableItems returns the indices of the parameters of items if they can be summed out, one item after the other, on nodes that all
// items share: items differ in nothing else, and have one to three parameters, whose coordinates q have the same prior for any values of the
// others. Otherwise the error says why not.
func SummableItems(l *Layout) (parameters []int, err error) {
	for i := range l.Parameters {
		p := &l.Parameters[i]
		switch {
		case p.of() != ofItems:
			continue
		case p.Per != "":
			return nil, p.at.Errorf("%s belongs to groups of items, so that items are not independent given the subjects, and no parameter of theirs can be summed out", p.Name)
		}
		for _, name := range p.names() {
			if l.symbols[name].kind != aConstant && !p.family.HasScore() {
				return nil, p.at.Errorf("the prior of %s depends on %s and is neither normal nor lognormal, so that %s cannot be summed out", p.Name, name, p.Name)
			}
		}
		parameters = append(parameters, i)
	}
	switch n := len(parameters); {
	case n == 0 || n > mostOfItem:
		return nil, l.at.Errorf("an item has %d parameters, and one to three can be summed out", n)
	case len(l.Metafeatures) > 0:
		m := &l.Metafeatures[0]
		return nil, m.at.Errorf("%s is another value for each item, so that %s cannot be summed out", m.Name, l.Parameters[parameters[0]].Name)
	case l.firstBinary() != nil:
		return nil, l.firstBinary().at.Errorf("%s is binary, so that subjects are summed out, not items", l.firstBinary().Name)
	}
	return parameters, nil
}
