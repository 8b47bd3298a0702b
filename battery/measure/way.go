package measure

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A Way is what the full-information actor does: a cheapest way from the start to the reward, in ticks.
//
// Of equally cheap ways it is the one that goes ahead as long as that is best, and then turns to the left; in a
// mirrored item to the right, so that mirrored items have mirrored ways.
type Way struct {
	route    policy.Route
	Actions  []gridworld.Action
	Steps    int // forward
	Turns    int
	Sighting int // actions until the reward's cell can be seen, or all of them
}

// Walk plans the way from where the actor of w stands to a cell, or returns false where there is none.
func (y *Way) Walk(w *gridworld.World, to gridworld.Pos, mirrored bool) bool {
	goals := gridworld.BoardOf(to)
	a := w.Actor()
	if !y.route.Plan(w, &goals, a) {
		return false
	}
	y.Actions, y.Steps, y.Turns, y.Sighting = y.Actions[:0], 0, 0, -1
	for {
		if y.Sighting < 0 && w.Sees(a.Pos, to) {
			y.Sighting = len(y.Actions)
		}
		next, d := y.route.Next(a, mirrored)
		switch next {
		case gridworld.Stay:
			return true
		case gridworld.Forward:
			a.Pos = a.Pos.Add(d)
			y.Steps++
		default:
			a.Heading = d
			y.Turns++
		}
		y.Actions = append(y.Actions, next)
	}
}
