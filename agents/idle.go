package agents

import (
	"slices"

	"achilles/sim/expr"
)

// Idle returns the conditions of a subject's bodies that mention only the position of a trial and the body before, and hold on no trial of a
// sequence of so many: a switch after the last trial, or a body that there is not. A subject without such conditions has none.
func Idle(s *Spec, trials int) (conditions []string) {
	for _, b := range s.Body {
		n, err := expr.Parse(b.If)
		if b.If == "" || err != nil || slices.ContainsFunc(n.Names(), func(name string) bool { return name != positionName && name != beforeName }) {
			continue
		}
		if !holdsOnce(n, trials, len(s.Body)) {
			conditions = append(conditions, b.If)
		}
	}
	return conditions
}

// holdsOnce reports whether a condition over position and before holds on any of the trials, after any of the bodies.
func holdsOnce(n *expr.Node, trials, bodies int) bool {
	for position := 1; position <= trials; position++ {
		for before := 1; before <= bodies; before++ {
			m := Moment{Position: position, Before: before}
			p, err := expr.Compile(n, func(name string) (expr.Column, bool) {
				x, ok := m.of(name)
				return expr.Column{Number: []float64{x}}, ok
			})
			if err != nil || p.Type() != expr.BoolType || p.Bool(0) {
				return true // one that is at fault is reported elsewhere
			}
		}
	}
	return false
}
