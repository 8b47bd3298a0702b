package layout

import (
	"achilles/sim/expr"
)

// Joint reports whether a parameter of the layout belongs to items or to everybody. The subjects of such a layout are
// measured together (BindJoint); those of another layout are measured one by one (Bind).
func (l *Layout) Joint() bool {
	for i := range l.Parameters {
		if l.Parameters[i].Group == Item || l.Parameters[i].Group == Shared {
			return true
		}
	}
	return false
}

// OfSubjects reports whether each subject has a value of the parameter.
func (p *Parameter) OfSubjects() bool { return p.Group != Item && p.Group != Shared }

// scope returns an error if the prior of p may not mention a name. A prior may mention what is known or inferred of the same
// unit, or of everybody.
func (c *checker) scope(p *Parameter, a *expr.Node, name string) error {
	s := c.symbols[name]
	fault := func(format string, args ...any) error { return p.at.In(find(a, name).Errorf(format, args...)) }
	switch {
	case s.kind == aConstant:
		return nil
	case s.kind == aMetafeature && p.Group == Item && p.Per == "":
		return nil
	case s.kind == aMetafeature && p.Group == Item:
		return fault("%s may differ between the items of one %s: a prior of groups may mention constants and shared parameters", name, p.Per)
	case s.kind != aParameter && p.Group == Item:
		return fault("a prior of items may mention constants, metafeatures and other parameters, and %s is neither", name)
	case s.kind != aParameter:
		return fault("a prior may mention constants and other parameters, and %s is neither", name)
	}
	q := &c.Parameters[s.index]
	if q.Group == Shared || p.OfSubjects() && q.OfSubjects() || p.Group == Item && q.Group == Item && (p.Per == q.Per || p.Per == "") {
		return nil
	}
	return fault("%s belongs to %s and %s to %s: a prior may mention parameters of the same unit, or of everybody ([shared])", p.Name, p.unit(), name, q.unit())
}

// unit returns to what the parameter belongs, in words.
func (p *Parameter) unit() string {
	switch {
	case p.Per != "":
		return "each " + p.Per
	case p.Group == Item:
		return "each item"
	case p.Group == Shared:
		return "everybody"
	}
	return "each subject"
}
