package battery

import (
	"fmt"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/rng"
)

// Where returns a battery with the items for which a condition over their features holds. It leaves out items that lack a
// value of a feature in the condition. The error is an *expr.Error if the condition is at fault.
func (b Battery) Where(condition string) (Battery, error) {
	n, err := expr.Parse(condition)
	if err != nil {
		return Battery{}, err
	}
	p, err := expr.Compile(n, b.Column, b.ColumnNames()...)
	if err != nil {
		return Battery{}, err
	}
	if p.Type() != expr.BoolType {
		return Battery{}, n.Errorf("the expression is a number: compare it with something")
	}
	complete, err := b.complete(n.Names())
	if err != nil {
		return Battery{}, err
	}
	return b.keep(func(i int) bool { return complete[i] && p.Bool(i) }), nil
}

// Complete returns a battery with the items that have a value of every named feature. The error names a feature that the
// battery lacks.
func (b Battery) Complete(features []string) (Battery, error) {
	ok, err := b.complete(features)
	if err != nil {
		return Battery{}, err
	}
	return b.keep(func(i int) bool { return ok[i] }), nil
}

// Sample returns a battery with n items drawn without replacement, in their old order, or with all items if there are at
// most n.
func (b Battery) Sample(n int, r rng.Rand) Battery {
	if n >= len(b.Items) {
		return b
	}
	chosen := r.Perm(len(b.Items))[:n]
	slices.Sort(chosen)
	items := make([]Item, n)
	for k, i := range chosen {
		items[k] = b.Items[i]
	}
	b.Items = items
	return b
}

func (b *Battery) complete(names []string) ([]bool, error) {
	ok := make([]bool, len(b.Items))
	for i := range ok {
		ok[i] = true
	}
	for _, name := range names {
		c, known := b.Column(name)
		if !known {
			return nil, fmt.Errorf("unknown feature %s%s", name, expr.DidYouMean(name, b.ColumnNames()))
		}
		for i, m := range c.Missing {
			ok[i] = ok[i] && !m
		}
	}
	return ok, nil
}

func (b Battery) keep(wanted func(i int) bool) Battery {
	kept := make([]bool, len(b.Items))
	n := 0
	for i := range kept {
		if kept[i] = wanted(i); kept[i] {
			n++
		}
	}
	if n == len(b.Items) {
		return b
	}
	items := make([]Item, 0, n)
	for i, it := range b.Items {
		if kept[i] {
			items = append(items, it)
		}
	}
	b.Items = items
	return b
}
