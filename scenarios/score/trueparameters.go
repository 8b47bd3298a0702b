package score

import (
	"achilles/agents"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
)

// trueParameters returns the true values of a subject's parameters in the unit of the layout, by name: what a layout drew, capabilities
// as declared, and the traits of who has one body. Parameters without a true value are absent. digest is that of the layout of the result.
func trueParameters(t *seal.Truth, id, digest string) map[string]float64 {
	out := map[string]float64{}
	if t == nil {
		return out
	}
	if t.Parameters != nil {
		if part.Digest([]byte(t.Layout)) == digest {
			for name, of := range t.Parameters {
				if x, ok := of[id]; ok {
					out[name] = x
				}
			}
		}
		return out
	}
	spec := t.Subjects[id]
	if len(spec.Body) == 1 {
		for name, x := range spec.Body[0].Trait {
			out[name] = x
		}
	}
	for name, fraction := range spec.Truth.Capability {
		out[name] = fraction * t.Scale[name]
	}
	return out
}

// ruleOf returns the true probability of success of a subject of rules on every item; nil for any other subject, and where the rules
// depend on what is not published.
func ruleOf(t *seal.Truth, id string, items *record.Items) *agents.ResponseModel {
	if t == nil || len(t.Subjects[id].Rule) == 0 {
		return nil
	}
	spec := t.Subjects[id]
	m, err := agents.Compile(&spec, agents.Items{Names: items.ID, Column: func(name string) (expr.Column, bool) {
		c, ok := items.Column(name)
		return expr.Column{Number: c.Number, Text: c.Text, Missing: c.Missing}, ok
	}})
	if err != nil {
		return nil
	}
	return m
}
