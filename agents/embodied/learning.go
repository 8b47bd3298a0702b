package embodied

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// A Learning changes a trait of a body from trial to trial, from its start, the value of the trait, towards an asymptote: on
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

	And *Learning `json:"and,omitempty"` // of a further trait; nil: no other changes
}

// Level returns the value of the trait on a trial, from 1.
func (l *Learning) Level(start float64, trial int) float64 {
	return l.Asymptote + float64((start-l.Asymptote)*num.Exp(float64(-l.Rate*float64(trial-1))))
}

// learn sets how the disposition learns. The error is a *FieldError; its key names the trait if several change.
func (d *Disposition) learn(first *Learning) error {
	for l := first; l != nil; l = l.And {
		err := d.learnOne(l)
		if err == nil {
			continue
		}
		if first.And != nil {
			if err.Key == "learns" {
				err.Key = "learns." + l.Trait
			} else {
				err.Key = "learns." + l.Trait + "." + err.Key
			}
		}
		return err
	}
	return nil
}

// learnOne sets how one trait changes.
func (d *Disposition) learnOne(l *Learning) *FieldError {
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
	case d.learning[i] != nil:
		return &FieldError{"learns", l.Trait + " appears twice: a trait changes in one way"}
	case math.IsInf(d.level[i], 0):
		return &FieldError{"learns", fmt.Sprintf("the body has no %s to begin with: give its level on the first trial", l.Trait)}
	case !t.Legal(l.Asymptote) || math.IsInf(l.Asymptote, 0):
		return &FieldError{"asymptote", fmt.Sprintf("want %s, as %s is, not %v", t.Limits(), l.Trait, l.Asymptote)}
	case !(l.Rate >= 0) || math.IsInf(l.Rate, 0):
		return &FieldError{"rate", fmt.Sprintf("want a number from 0, not %v", l.Rate)}
	}
	d.learning[i], d.learns = l, true
	return nil
}

// Learns reports whether the parameters of an episode depend on its place in the sequence of trials.
func (d *Disposition) Learns() bool { return d.learns }

// At returns the disposition on a trial of the sequence, from 1: d itself if it does not learn.
func (d *Disposition) At(trial int) *Disposition {
	if !d.learns {
		return d
	}
	out := *d
	for i, l := range d.learning {
		if l != nil {
			out.level[i] = l.Level(d.level[i], trial)
		}
	}
	return &out
}
