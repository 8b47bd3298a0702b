package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A way is what the full-information actor does: a cheapest way from the start to the reward, in ticks.
//
// Of equally cheap ways it is the one that goes ahead as long as that is best, and then turns to the left; in a
// mirrored item to the right, so that mirrored items have mirrored ways.
type way struct {
	route    policy.Route
	actions  []gridworld.Action
	steps    int // forward
	turns    int
	sighting int // actions until the reward's cell can be seen, or all of them
}

// walk plans the way from where the actor of w stands to a cell, or returns false where there is none.
func (y *way) walk(w *gridworld.World, to gridworld.Pos, mirrored bool) bool {
	goals := gridworld.BoardOf(to)
	a := w.Actor()
	if !y.route.Plan(w, &goals, a) {
		return false
	}
	y.actions, y.steps, y.turns, y.sighting = y.actions[:0], 0, 0, -1
	for {
		if y.sighting < 0 && w.Sees(a.Pos, to) {
			y.sighting = len(y.actions)
		}
		next, d := y.route.Next(a, mirrored)
		switch next {
		case gridworld.Stay:
			return true
		case gridworld.Forward:
			a.Pos = a.Pos.Add(d)
			y.steps++
		default:
			a.Heading = d
			y.turns++
		}
		y.actions = append(y.actions, next)
	}
}
