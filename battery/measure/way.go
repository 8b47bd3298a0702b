package measure

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A Way has the actions of the full-information actor on a cheapest way, in ticks, from the start to the reward.
//
// If several ways are equally cheap, the actor prefers going ahead to turning, and a turn to the left to one to the right.
// In a mirrored item it prefers a turn to the right, so that mirrored items have mirrored ways.
type Way struct {
	route    policy.Route
	Actions  []gridworld.Action
	Steps    int // steps forward
	Turns    int
	Sighting int // number of actions before the reward's cell is in sight
}

// Walk sets y to the way from the actor of w to a cell. It returns false if there is none.
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
