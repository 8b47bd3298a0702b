package score

import (
	"slices"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/infer/layout"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
)

// A trueProfile is what is true of a subject in the terms of the layout of a result.
type trueProfile struct {
	values map[string]float64 // parameter → value in its unit; +Inf: no limit. Parameters without a true value are absent
	chance *float64           // of a body: the probability of success of a lapse; nil: that of the layout
	cheats bool               // it does not go for the reward, so that no layout says what it does
}

// lapses is the trait of a body, and the parameter of a layout, that is the probability of a lapse.
const lapses = "noise"

// trueParameters returns what is true of a subject: what a layout drew, capabilities as declared, and the traits of who has one body.
// Traits that such a body does not declare have their defaults, if the layout has all that sets the body apart. digest is that of the layout.
func trueParameters(t *seal.Truth, id string, l *layout.Layout, digest string) trueProfile {
	out := trueProfile{values: map[string]float64{}}
	if t == nil {
		return out
	}
	if t.Parameters != nil {
		if part.Digest([]byte(t.Layout)) == digest {
			for name, of := range t.Parameters {
				if x, ok := of[id]; ok {
					out.values[name] = x
				}
			}
		}
		return out
	}
	spec := t.Subjects[id]
	for name, fraction := range spec.Truth.Capability {
		out.values[name] = fraction * t.Scale[name]
	}
	if len(spec.Body) != 1 {
		return out
	}
	body := &spec.Body[0]
	if said := saidBy(l, body); said != nil {
		for name, x := range said {
			out.values[name] = x
		}
	}
	for name, x := range body.Trait {
		out.values[name] = x
	}
	chance := body.Trait["chance"]
	out.chance, out.cheats = &chance, body.Goal != "" && body.Goal != policy.Reward
	return out
}

// saidBy returns the defaults of a body's traits that are parameters of a layout; nil if the layout does not say all about the body: it
// learns, guesses, acts so on some items alone, or differs from other bodies in a trait that is no parameter.
func saidBy(l *layout.Layout, b *agents.Body) map[string]float64 {
	if l == nil || b.If != "" || b.Fallback != "" && b.Fallback != policy.StayPut || b.Learning != nil {
		return nil
	}
	out := map[string]float64{}
	for _, t := range embodied.Traits() {
		_, set := b.Trait[t.Name]
		switch {
		case slices.ContainsFunc(l.Parameters, func(p layout.Parameter) bool { return p.Name == t.Name }):
			out[t.Name] = t.Default
		case set && t.Name != "chance" && b.Trait[t.Name] != t.Default:
			return nil
		}
	}
	return out
}

// sure returns theta, a vector of true values, without the lapses of a body, and what makes the probability of success with them of
// that without.
func (t *trueProfile) sure(theta []float64, parameters []layout.Parameter) (without []float64, with func(p float64) float64) {
	k := slices.IndexFunc(parameters, func(p layout.Parameter) bool { return p.Name == lapses })
	if t.chance == nil || k < 0 {
		return theta, func(p float64) float64 { return p }
	}
	without = slices.Clone(theta)
	without[k] = 0
	return without, func(p float64) float64 { return float64((1-theta[k])*p) + float64(theta[k]**t.chance) }
}

// vector returns the values of the parameters. all is false if one of them is not known, or what is done does not follow from them.
func (t *trueProfile) vector(parameters []layout.Parameter) (theta []float64, all bool) {
	all = !t.cheats
	for _, p := range parameters {
		x, ok := t.values[p.Name]
		theta, all = append(theta, x), all && ok
	}
	return theta, all
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
