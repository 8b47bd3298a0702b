package worlds

import "achilles/gridworld"

// A way is what the full-information actor does: a cheapest way from the start to the reward, in ticks.
//
// Of equally cheap ways it is the one that goes ahead as long as that is best, and then turns to the left; in a
// mirrored item to the right, so that mirrored items have mirrored ways.
type way struct {
	actions  []gridworld.Action
	steps    int // forward
	turns    int
	sighting int // actions until the reward's cell can be seen, or all of them
}

// walk plans the way from where the actor of w stands to a cell, or returns false where there is none.
func (y *way) walk(field *gridworld.TurnField, w *gridworld.World, to gridworld.Pos, mirrored bool) bool {
	goals := gridworld.BoardOf(to)
	a := w.Actor()
	n, ok := field.Until(w, &goals, a)
	if !ok {
		return false
	}
	y.actions, y.steps, y.turns, y.sighting = y.actions[:0], 0, 0, n
	seen := false
	for range n {
		if !seen && w.Sees(a.Pos, to) {
			seen, y.sighting = true, len(y.actions)
		}
		next := best(field, a, mirrored)
		y.actions = append(y.actions, next)
		switch next {
		case gridworld.Forward:
			a.Pos = a.Pos.Add(a.Heading)
			y.steps++
		case gridworld.TurnLeft:
			a.Heading = a.Heading.Turn(-2)
			y.turns++
		case gridworld.TurnRight:
			a.Heading = a.Heading.Turn(2)
			y.turns++
		}
	}
	return true
}

func best(field *gridworld.TurnField, a gridworld.Actor, mirrored bool) gridworld.Action {
	switch ahead, left, right := field.Best(a); {
	case ahead:
		return gridworld.Forward
	case left && !(mirrored && right):
		return gridworld.TurnLeft
	}
	return gridworld.TurnRight
}
