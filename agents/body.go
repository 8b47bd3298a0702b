package agents

import (
	"fmt"
	"slices"

	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/sim/expr"
)

// A Body is an embodied subject on the items that satisfy a condition.
type Body struct {
	If string `json:"if,omitempty"` // condition over the features of the item; empty: always
	embodied.Body
}

// A BodyForm declares a Body by expressions over the parameters of a population. An agent that does not belong to a
// population has no parameters.
type BodyForm struct {
	At             string // place of its declaration in a scenario, for messages: body, or body[1]
	If             string
	Goal, Fallback string
	Trait          map[string]string // name → expression
	Learns         []LearningForm    // traits that change from trial to trial
}

// A LearningForm declares an embodied.Learning: its Asymptote and Rate are expressions.
type LearningForm struct{ Trait, Asymptote, Rate string }

// Fill returns the body, with its traits evaluated from the parameters of s; a nil s has no parameters. The error is an
// *embodied.FieldError.
func (f *BodyForm) Fill(s *Spec) (Body, error) {
	if s == nil {
		s = &Spec{}
	}
	b := Body{If: f.If, Body: embodied.Body{Goal: policy.Goal(f.Goal), Fallback: policy.Fallback(f.Fallback)}}
	for _, name := range sorted(f.Trait) {
		x, err := fieldValue(name, f.Trait[name], s)
		if err != nil {
			return b, err
		}
		if b.Trait == nil {
			b.Trait = map[string]float64{}
		}
		b.Trait[name] = x
	}
	next := &b.Learning
	for _, l := range f.Learns {
		at := ""
		if len(f.Learns) > 1 {
			at = "learns." + l.Trait + "."
		}
		learning := embodied.Learning{Trait: l.Trait}
		var err error
		if learning.Asymptote, err = fieldValue(at+"asymptote", l.Asymptote, s); err != nil {
			return b, err
		}
		if learning.Rate, err = fieldValue(at+"rate", l.Rate, s); err != nil {
			return b, err
		}
		*next = &learning
		next = &learning.And
	}
	return b, b.Check()
}

// fieldValue evaluates the expression of one key of a body from the parameters of s. The error is an *embodied.FieldError.
func fieldValue(key, source string, s *Spec) (float64, error) {
	n, err := expr.Parse(source)
	if err == nil {
		err = fixed(n, s)
	}
	if err == nil {
		err = knows(n, s.parameters())
	}
	var x float64
	if err == nil {
		x, err = quantity{args: []*expr.Node{n}}.number(s)
	}
	if err != nil {
		return 0, &embodied.FieldError{Key: key, Msg: err.Error()}
	}
	return x, nil
}

// fixed returns an error if an expression mentions when an item is taken, and s has no parameter of that name.
func fixed(n *expr.Node, s *Spec) error {
	for _, name := range n.Names() {
		_, parameter := s.Parameter[name]
		if _, ok := (Moment{}).of(name); ok && !parameter {
			return fmt.Errorf("%s changes from trial to trial, and this is one number: say learns = \"memory\" with asymptote and rate, or bodies with conditions, such as body = [{ if = \"position > 300\", memory = 0 }, {}]", name)
		}
	}
	return nil
}

// Bodies are the bodies of a Spec, bound to the items of a battery. They are safe for concurrent use.
type Bodies struct {
	list    []*embodied.Disposition
	which   []int        // index of the body that takes each item; nil: always the first, or by moments
	moments []*condition // of the bodies, if it depends on when an item is taken which takes it; else nil
	outcome bool         // whether conditions mention how the trial before went
	agent   string
	items   []string
}

// Embody binds the bodies of a Spec to the items, so that faults show before anything runs: an unknown name, a
// condition on a value that an item lacks, an item for which no body's condition holds. The error is a *RuleError or an
// *embodied.FieldError.
func Embody(s *Spec, items Items) (*Bodies, error) {
	out := &Bodies{}
	conditions := make([]*condition, len(s.Body))
	for i, b := range s.Body {
		d, err := embodied.New(b.Body)
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, d)
		if conditions[i], err = bindBody(s, i, items); err != nil {
			return nil, &RuleError{Agent: s.Name, List: "body", Rule: i, Part: "if", Err: err}
		}
	}
	if len(s.Body) == 1 && s.Body[0].If == "" {
		return out, nil
	}
	last := len(s.Body) - 1
	if slices.ContainsFunc(s.Body, func(b Body) bool { return mentionsMoment(b.If) }) {
		out.moments, out.agent, out.items = conditions, s.Name, items.Names
		out.outcome = slices.ContainsFunc(s.Body, func(b Body) bool { return mentionsOutcome(b.If) })
		if conditions[last] != nil {
			return nil, &RuleError{Agent: s.Name, List: "body", Rule: last, Part: "if", Err: fmt.Errorf("bodies that take items by position or coin end with one that has no if")}
		}
		for item := range items.Names {
			if _, _, err := out.Taking(item, Moment{Position: 1, Passed: true, Before: 1}); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	out.which = make([]int, len(items.Names))
	for item, name := range items.Names {
		which, err := choose(conditions, item, Moment{})
		if err != nil {
			err.Agent, err.Item = s.Name, name
			return nil, err
		}
		out.which[item] = which
	}
	return out, nil
}

func bindBody(s *Spec, i int, items Items) (*condition, error) {
	if s.Body[i].If == "" {
		return nil, nil
	}
	n, err := expr.Parse(s.Body[i].If)
	if err != nil {
		return nil, err
	}
	b := binder{spec: s, items: items, moments: true}
	return b.condition(n)
}

// choose returns the index of the first condition that holds for an item at a moment; nil stands for a condition that always holds.
func choose(conditions []*condition, item int, m Moment) (int, *RuleError) {
	for i, c := range conditions {
		if c == nil {
			return i, nil
		}
		holds, err := c.eval(item, m)
		if err != nil {
			return 0, &RuleError{List: "body", Rule: i, Part: "if", Err: err}
		}
		if holds {
			return i, nil
		}
	}
	return 0, &RuleError{List: "body", Rule: -1, Err: fmt.Errorf("no body takes it: end with a body that has no if")}
}

// Taking returns the body that takes an item at a moment, which matters if ByMoment says so, and its number, from 1. The error is a
// *RuleError: the item lacks a value that a condition needs.
func (b *Bodies) Taking(item int, m Moment) (d *embodied.Disposition, number int, err error) {
	which := 0
	switch {
	case b.moments != nil:
		var fault *RuleError
		if which, fault = choose(b.moments, item, m); fault != nil {
			fault.Agent, fault.Item = b.agent, b.items[item]
			return nil, 0, fault
		}
	case b.which != nil:
		which = b.which[item]
	}
	return b.list[which], which + 1, nil
}

// ByOutcome reports whether it depends on how the trial before went which body takes an item.
func (b *Bodies) ByOutcome() bool { return b.outcome }

// ByMoment reports whether it depends on the moment which body takes an item.
func (b *Bodies) ByMoment() bool { return b.moments != nil }

// Ordered reports whether what the bodies do depends on the order of the items: one of them learns, or conditions mention the moment.
func (b *Bodies) Ordered() bool {
	return b.ByMoment() || slices.ContainsFunc(b.list, (*embodied.Disposition).Learns)
}
