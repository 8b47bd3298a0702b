package embodied

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// A Learning changes one trait of a body from trial to trial, from its start, the value of the trait, towards an asymptote: on
// trial n of its sequence, from 1, it is
//
//	asymptote + (start − asymptote)·exp(−rate·(n − 1)).
//
// Practice curves of single learners are exponential (Heathcote, Brown and Mewhort 2000). With an asymptote below the start the body
// tires.
type Learning struct {
	Trait     string  `json:"trait"`
	Asymptote float64 `json:"asymptote"`
	Rate      float64 `json:"rate"` // by which the distance to the asymptote shrinks, in nats a trial; not negative
}

// Level returns the value of the trait on a trial, from 1.
func (l *Learning) Level(start float64, trial int) float64 {
	return l.Asymptote + float64((start-l.Asymptote)*num.Exp(float64(-l.Rate*float64(trial-1))))
}

// learn sets how the disposition learns. The error is a *FieldError.
func (d *Disposition) learn(l *Learning) error {
	var names []string
	for _, t := range Traits() {
		names = append(names, t.Name)
	}
	i := slices.Index(names, l.Trait)
	if i < 0 {
		return &FieldError{"learns", "unknown trait" + expr.Hint(l.Trait, names)}
	}
	t := Traits()[i]
	switch {
	case math.IsInf(d.level[i], 0):
		return &FieldError{"learns", fmt.Sprintf("the body has no %s to begin with: give its level on the first trial", l.Trait)}
	case !t.Legal(l.Asymptote) || math.IsInf(l.Asymptote, 0):
		return &FieldError{"asymptote", fmt.Sprintf("want %s, as %s is, not %v", t.Limits(), l.Trait, l.Asymptote)}
	case !(l.Rate >= 0) || math.IsInf(l.Rate, 0):
		return &FieldError{"rate", fmt.Sprintf("want a number from 0, not %v", l.Rate)}
	}
	d.learning, d.learned = l, i
	return nil
}

// Learns reports whether the parameters of an episode depend on its place in the sequence of trials.
func (d *Disposition) Learns() bool { return d.learning != nil }

// At returns the disposition on a trial of the sequence, from 1: d itself if it does not learn.
func (d *Disposition) At(trial int) *Disposition {
	if d.learning == nil {
		return d
	}
	out := *d
	out.level[d.learned] = d.learning.Level(d.level[d.learned], trial)
	return &out
}
