package layout

import "achilles/sim/expr"

// Joint reports whether the subjects of the layout are measured together (BindJoint). Those of another layout are measured one by
// one (Bind).
func (l *Layout) Joint() bool { return l.CheckSeparate() != nil }

// CheckSeparate returns nil if subjects are measured one by one: each has parameters of its own, and responses of the same value to
// items that are equal for the layout tell the same of it. Otherwise the error says what measures subjects together: a parameter of
// items, of a group or of everybody, a binary one, a covariate, or numbers of trials that come with the responses.
func (l *Layout) CheckSeparate() error {
	const so = "so that all subjects are measured together, in one fit"
	for i := range l.Parameters {
		if p := &l.Parameters[i]; !p.OfSubjects() {
			return p.at.Errorf("%s belongs to %s, %s", p.Name, p.unit(), so)
		}
	}
	if p := l.firstBinary(); p != nil {
		return p.at.Errorf("%s is binary, %s", p.Name, so)
	}
	for i := range l.Responses {
		if r := &l.Responses[i]; r.countsTrials() {
			return r.places[0].Errorf("each response to %s says how many trials it counts, %s", r.Measure, so)
		}
	}
	if len(l.Covariates) > 0 {
		m := &l.Covariates[0]
		return m.at.Errorf("%s is a column of the subjects, %s", m.Name, so)
	}
	return nil
}

// countsTrials reports whether each response says of how many trials it counts the successes.
func (r *ResponseModel) countsTrials() bool { return r.Family == Binomial && len(r.nodes) == 1 }

// OfSubjects reports whether each subject has a value of the parameter.
func (p *Parameter) OfSubjects() bool { return p.of() == ofSubjects && p.Per == "" }

// of returns whose parameter it is, or whose groups': ofItems, ofSubjects, or nil if it is shared.
func (p *Parameter) of() *columnsOf {
	switch p.Group {
	case Item:
		return ofItems
	case Shared:
		return nil
	}
	return ofSubjects
}

// scope returns an error if the prior of p may not mention a name. A prior may mention what is known or inferred of the same
// unit, or of everybody.
func (c *checker) scope(p *Parameter, a *expr.Node, name string) error {
	s, of := c.symbols[name], p.of()
	fault := func(format string, args ...any) error { return p.at.In(find(a, name).Errorf(format, args...)) }
	switch {
	case s.kind == aConstant:
		return nil
	case s.kind == aParameter:
		q := &c.Parameters[s.index]
		if q.Group == Shared || q.of() == of && (p.Per == q.Per && p.Within == q.Within || p.Per == "") {
			return nil
		}
		return fault("%s belongs to %s and %s to %s: a prior may mention parameters of the same unit, or shared parameters ([shared])", p.Name, p.unit(), name, q.unit())
	case of != nil && s.kind == of.kind && p.Per != "":
		return fault("%s may differ between the %ss of one %s: a prior of groups may mention constants and shared parameters", name, of.unit, p.Per)
	case of != nil && s.kind == of.kind:
		return nil
	case of != nil:
		return fault("a prior of %ss may mention constants, %ss and other parameters, and %s is neither", of.unit, of.section, name)
	}
	return fault("a shared prior may mention constants and other parameters, and %s is neither", name)
}

// unit returns to what the parameter belongs, in words.
func (p *Parameter) unit() string {
	switch of := p.of(); {
	case p.Within != "":
		return "each " + p.Per + " within " + p.Within
	case p.Per != "":
		return "each " + p.Per
	case of != nil:
		return "each " + of.unit
	}
	return "everybody"
}
