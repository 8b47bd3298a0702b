package agents

import (
	"fmt"
	"strconv"

	"achilles/sim/expr"
	"achilles/sim/rng"
)

// Items are the parts of a battery that agents with rules see.
type Items struct {
	Names  []string                              // names of the items, in order; random streams of responses are named after them
	Column func(name string) (expr.Column, bool) // returns a feature of all items
	Known  []string                              // names of the features, for suggestions
}

// A ResponseModel is a Spec with rules, bound to a battery: it has a probability of success for every item. It is not
// an agent, because it acts in no environment (sim.Agent). It is safe for concurrent use.
type ResponseModel struct {
	name  string
	items []string
	p     []float64
}

// A RuleError is a fault in a rule or in the condition of a body: in the expression, or in its value for an item.
type RuleError struct {
	Agent string
	List  string // list with the fault: rule or body
	Rule  int    // index in the list; −1: the fault is that no rule or body applies
	Part  string // key of the rule with the fault: if or p
	Item  string // empty: the fault does not depend on the item
	Err   error
}

// Error returns agent, rule (counted from 1), item and fault.
func (e *RuleError) Error() string {
	s := "agent " + e.Agent
	if e.Rule >= 0 {
		s += fmt.Sprintf(": %s %d: %s", e.List, e.Rule+1, e.Part)
	}
	if e.Item != "" {
		s += ": item " + e.Item
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the fault, an *expr.Error if it is in an expression.
func (e *RuleError) Unwrap() error { return e.Err }

// Compile binds the rules of a Spec to the items and evaluates them on every item, so that faults show before anything
// runs: an unknown name, a value that the item lacks, a probability outside [0, 1], an item without a rule. The error
// is a *RuleError.
func Compile(s *Spec, items Items) (*ResponseModel, error) {
	rules := make([]rule, len(s.Rule))
	for i, r := range s.Rule {
		var err error
		if rules[i], err = bind(r, s, items); err != nil {
			err.(*RuleError).Rule = i
			return nil, err
		}
	}
	m := &ResponseModel{name: s.Stream(), items: items.Names, p: make([]float64, len(items.Names))}
	for i := range m.p {
		var err *RuleError
		if m.p[i], err = first(rules, i); err != nil {
			err.Agent, err.Item = s.Name, items.Names[i]
			return nil, err
		}
	}
	return m, nil
}

// P returns the probability that the subject succeeds on an item.
func (m *ResponseModel) P(item int) float64 { return m.p[item] }

// Succeeds draws a response. It depends only on root, the names of agent and item, and the repetition, so that another
// agent, item or repetition changes no other response.
func (m *ResponseModel) Succeeds(root uint64, item, repetition int) bool {
	r := rng.Stream(root, "response", m.name, m.items[item], strconv.Itoa(repetition))
	return r.Bernoulli(m.p[item])
}

// A rule is a compiled Rule.
type rule struct {
	holds *condition // nil: always
	p     value
}

func bind(r Rule, s *Spec, items Items) (rule, error) {
	b := binder{spec: s, items: items}
	fail := func(part string, err error) (rule, error) {
		return rule{}, &RuleError{Agent: s.Name, List: "rule", Part: part, Err: err}
	}
	var out rule
	if r.If != "" {
		n, err := expr.Parse(r.If)
		if err == nil {
			out.holds, err = b.condition(n)
		}
		if err != nil {
			return fail("if", err)
		}
	}
	n, err := expr.Parse(r.P)
	if err == nil {
		out.p, err = b.value(n)
	}
	if err == nil && out.p.program.Type() != expr.NumberType {
		err = n.Errorf("the expression is a condition: p is a probability")
	}
	if err != nil {
		return fail("p", err)
	}
	return out, nil
}

// first returns the probability given by the first rule whose condition holds.
func first(rules []rule, item int) (float64, *RuleError) {
	for i, r := range rules {
		if r.holds != nil {
			holds, err := r.holds.eval(item, Moment{})
			if err != nil {
				return 0, &RuleError{List: "rule", Rule: i, Part: "if", Err: err}
			}
			if !holds {
				continue
			}
		}
		p, err := r.p.number(item)
		if err == nil && !(p >= 0 && p <= 1) {
			err = fmt.Errorf("%v is not a probability, 0 to 1", p)
		}
		if err != nil {
			return 0, &RuleError{List: "rule", Rule: i, Part: "p", Err: err}
		}
		return p, nil
	}
	return 0, &RuleError{List: "rule", Rule: -1, Err: fmt.Errorf("no rule applies: end with a rule that has no if")}
}
