package agents

import (
	"slices"

	"achilles/sim/expr"
)

// A Moment is when a subject takes an item. Conditions of bodies may mention it beside the features of the item.
type Moment struct {
	Position int     // place of the trial in the subject's sequence, from 1: position
	Coin     float64 // drawn for the trial, uniform in [0, 1): coin
	Passed   bool    // the subject passed the trial before, or this is the first: passed
	Before   int     // number of the body that took the trial before, from 1; 1 on the first: before
}

// The names of a Moment in conditions.
const (
	positionName = "position"
	coinName     = "coin"
	passedName   = "passed"
	beforeName   = "before"
)

func momentNames() []string { return []string{positionName, coinName, passedName, beforeName} }

// of returns what a name stands for in a moment; ok is false if it is no name of one.
func (m Moment) of(name string) (x float64, ok bool) {
	switch name {
	case positionName:
		return float64(m.Position), true
	case coinName:
		return m.Coin, true
	case passedName:
		if m.Passed {
			return 1, true
		}
		return 0, true
	case beforeName:
		return float64(m.Before), true
	}
	return 0, false
}

// mentionsMoment says whether a condition mentions a moment. One that cannot be read mentions none.
func mentionsMoment(condition string) bool {
	return mentions(condition, func(name string) bool { _, ok := Moment{}.of(name); return ok })
}

// mentionsOutcome says whether a condition mentions how the trial before went.
func mentionsOutcome(condition string) bool {
	return mentions(condition, func(name string) bool { return name == passedName || name == beforeName })
}

func mentions(condition string, is func(name string) bool) bool {
	n, err := expr.Parse(condition)
	return condition != "" && err == nil && slices.ContainsFunc(n.Names(), is)
}

// Ordered says whether what the body does depends on when it takes an item.
func (b *Body) Ordered() bool { return b.Learning != nil || mentionsMoment(b.If) }

// Ordered says whether what such a body does depends on when it takes an item.
func (f *BodyForm) Ordered() bool { return len(f.Learns) > 0 || mentionsMoment(f.If) }
