// Package redteam tries to pass items that test object permanence without looking at what happens in them: by the clock, by the order
// of places or the index of a thing, by distance, by actions that passed elsewhere, and by what a learner finds in the rooms. Who can
// pass so is no evidence of any ability, so a battery in which anybody can has a leak.
//
// Every row picks one of the places that are out of sight from the start, and is judged against chance, which picks one of these at
// random. What is fitted is fitted on one half of the items and tried on the other, both ways round.
package redteam

import (
	"context"
	"slices"

	"achilles/battery"
	"achilles/gridworld"
)

// A try is one item that leaves a choice, as far as it is known before anything happens, and which places are right.
type try struct {
	paradigm string
	world    *gridworld.World
	start    gridworld.Actor
	places   []gridworld.Pos // those out of sight from the start, in the order of the item
	all      []gridworld.Pos // all places
	right    []bool          // by place
	ticks    []int           // by place: how long an actor walks there
	free     int             // tick at which the actor may act
	rewards  []gridworld.Pos // by reward, in the order of indices: where it ends

	event *gridworld.World // the world when the actor may act; nil: not known yet
}

// chance returns the share of the places that are right.
func (x *try) chance() float64 {
	n := 0
	for _, r := range x.right {
		n += is(r)
	}
	return float64(n) / float64(len(x.right))
}

// triesOf returns the items of a battery that test object permanence and leave a choice: at least two places are out of sight. It
// returns none for batteries without worlds.
func triesOf(ctx context.Context, b *battery.Battery) ([]try, error) {
	hidden, ok := b.Feature(battery.HiddenFeature)
	if !ok {
		return nil, nil
	}
	var tries []try
	for i := range b.Items.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b.Items.Values(i).At(hidden).Number != 1 {
			continue
		}
		it := b.Items.At(i)
		if len(it.Trials) != 1 || it.Trials[0].World.Empty() {
			continue
		}
		w, err := it.Trials[0].Open()
		if err != nil {
			return nil, err
		}
		if x := tryOf(w, it.Trials[0].Places); len(x.places) > 1 && slices.Contains(x.right, true) {
			x.paradigm = it.Paradigm
			tries = append(tries, x)
		}
	}
	return tries, nil
}

func tryOf(w *gridworld.World, places []gridworld.Pos) try {
	x := try{world: w, start: w.Actor(), all: places}
	_, frozen := w.Windows()
	for _, f := range frozen {
		x.free = max(x.free, f.To)
	}
	ends := gridworld.Board{}
	for i := range w.Len() {
		t := w.Thing(i)
		for _, c := range w.Cues() {
			if c.Thing == i {
				t.Pos, t.State = c.Pos, c.State
			}
		}
		if t.Kind == gridworld.Reward {
			x.rewards = append(x.rewards, t.Pos)
		}
		if t.Final && t.State == gridworld.Ground {
			ends.Set(t.Pos)
		}
	}
	var paths gridworld.TurnPaths
	paths.From(w, x.start)
	for _, p := range places {
		if w.Sees(x.start.Pos, p) {
			continue
		}
		goal := gridworld.BoardOf(p)
		ticks, ok := paths.To(&goal)
		if !ok {
			ticks = w.Rules().Limit
		}
		x.places, x.right, x.ticks = append(x.places, p), append(x.right, ends.Has(p)), append(x.ticks, ticks)
	}
	return x
}

// away returns the distance from the start to place k without diagonals.
func (x *try) away(k int) int { return x.start.Pos.Manhattan(x.places[k]) }

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
