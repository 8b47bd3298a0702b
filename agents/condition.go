package agents

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/expr"
)

// A binder compiles expressions over the features of items and the parameters of a Spec.
type binder struct {
	spec    *Spec
	items   Items
	moments bool // expressions may mention when an item is taken
}

// lookup returns the parameter or the feature with a name, as a column. A name that is both is an error, because a rule
// could mean either.
func (b *binder) lookup(n *expr.Node, name string) (expr.Column, error) {
	x, parameter := column(b.spec, name)
	c, feature := b.items.Column(name)
	switch {
	case parameter && feature:
		return c, n.Errorf("%s is a parameter and a feature: rename the parameter", name)
	case parameter:
		return x, nil
	case feature:
		return c, nil
	}
	if x, ok := (Moment{Position: 1}).of(name); ok {
		if b.moments {
			return expr.Column{Number: []float64{x}}, nil
		}
		return c, n.Errorf("%s changes from trial to trial, and a rule gives an item one probability: say it in a condition of a body, such as body = [{ if = \"position > 300\", goal = \"left\" }, {}]", name)
	}
	known := slices.Concat(sorted(b.spec.Parameter), sorted(b.spec.Word), b.items.Known)
	if !b.moments {
		return c, n.Errorf("unknown feature %s%s", name, expr.DidYouMean(name, known))
	}
	hint := expr.DidYouMean(name, slices.Concat(known, momentNames()))
	if hint == "" {
		hint = ": a condition of a body may name features of the items, parameters, and " + strings.Join(momentNames(), ", ")
	}
	return c, n.Errorf("unknown feature %s%s", name, hint)
}

// column returns a parameter of a Spec as a column with the same value on every item.
func column(s *Spec, name string) (expr.Column, bool) {
	if word, ok := s.Word[name]; ok {
		return expr.Column{Text: []string{word}}, true
	}
	x, ok := s.Parameter[name]
	return expr.Column{Number: []float64{x}}, ok
}

// A value is a compiled expression with the columns in it that have missing values.
type value struct {
	program *expr.Program
	gaps    []gap
	node    *expr.Node             // of an expression that mentions when an item is taken; nil: it does not
	columns map[string]expr.Column // of that expression
}

type gap struct {
	name    string
	missing []bool
}

func (b *binder) value(n *expr.Node) (value, error) {
	var v value
	columns := map[string]expr.Column{}
	var fault error
	n.Walk(func(m *expr.Node) {
		if m.Op != expr.Name || fault != nil {
			return
		}
		if _, seen := columns[m.Text]; seen {
			return
		}
		var c expr.Column
		if c, fault = b.lookup(m, m.Text); fault != nil {
			return
		}
		columns[m.Text] = c
		if _, known := b.items.Column(m.Text); !known && b.moments {
			if _, ok := (Moment{}).of(m.Text); ok {
				v.node, v.columns = n, columns
			}
		}
		if c.Missing != nil {
			v.gaps = append(v.gaps, gap{m.Text, c.Missing})
		}
	})
	if fault != nil {
		return v, fault
	}
	var err error
	v.program, err = expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := columns[name]; return c, ok })
	return v, err
}

func (v value) number(item int) (float64, error) {
	if err := v.whole(item); err != nil {
		return 0, err
	}
	return v.program.Number(item), nil
}

// whole returns an error if the item lacks a value of a feature that the expression mentions; it names the first such
// feature.
func (v value) whole(item int) error {
	for _, g := range v.gaps {
		if g.missing[item] {
			return fmt.Errorf("the item has no %s: first test that it has one, such as %s", g.name, `occluderColour != "none"`)
		}
	}
	return nil
}

// at returns the program of v for a moment.
func (v value) at(m Moment) *expr.Program {
	if v.node == nil {
		return v.program
	}
	p, err := expr.Compile(v.node, func(name string) (expr.Column, bool) {
		if x, ok := m.of(name); ok {
			return expr.Column{Number: []float64{x}}, true
		}
		return v.columns[name], true
	})
	if err != nil {
		panic("agents: an expression compiles at one moment and not at another")
	}
	return p
}

// A condition is the compiled If of a rule or body, split at && || and !, so that a missing value is an error only if
// the result depends on it: present == 1 && red > 200 does not need red if present is 0.
type condition struct {
	op   expr.Op
	args []*condition
	leaf value
}

func (b *binder) condition(n *expr.Node) (*condition, error) {
	c := &condition{op: n.Op}
	switch n.Op {
	case expr.And, expr.Or, expr.Not:
		for _, a := range n.Args {
			arg, err := b.condition(a)
			if err != nil {
				return nil, err
			}
			c.args = append(c.args, arg)
		}
		return c, nil
	}
	var err error
	if c.leaf, err = b.value(n); err != nil {
		return nil, err
	}
	if c.leaf.program.Type() != expr.BoolType {
		return nil, n.Errorf("%s is a number: compare it with something", n)
	}
	return c, nil
}

func (c *condition) eval(item int, m Moment) (bool, error) {
	switch c.op {
	case expr.Not:
		x, err := c.args[0].eval(item, m)
		return !x, err
	case expr.And, expr.Or:
		x, err := c.args[0].eval(item, m)
		if err != nil || x == (c.op == expr.Or) {
			return x, err
		}
		return c.args[1].eval(item, m)
	}
	if err := c.leaf.whole(item); err != nil {
		return false, err
	}
	return c.leaf.at(m).Bool(item), nil
}
