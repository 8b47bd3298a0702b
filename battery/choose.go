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
	if n >= b.Items.Len() {
		return b
	}
	chosen := make([]int32, n)
	for k, i := range r.Perm(b.Items.Len())[:n] {
		chosen[k] = int32(i)
	}
	slices.Sort(chosen)
	b.Items = b.Items.choose(chosen)
	return b
}

func (b *Battery) complete(names []string) ([]bool, error) {
	ok := slices.Repeat([]bool{true}, b.Items.Len())
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
	kept := make([]int32, 0, b.Items.Len())
	for i := range b.Items.Len() {
		if wanted(i) {
			kept = append(kept, int32(i))
		}
	}
	if len(kept) < b.Items.Len() {
		b.Items = b.Items.choose(kept)
	}
	return b
}
