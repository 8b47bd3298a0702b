package measure

import "achilles/gridworld"

// A Way has the actions of the full-information actor on a cheapest way, in ticks, from the start to the reward.
//
// If several ways are equally cheap, the actor prefers going ahead to turning, and a turn to the left to one to the right.
// In a mirrored item it prefers a turn to the right, so that mirrored items have mirrored ways.
type Way struct {
	paths    gridworld.TurnPaths // of the actor
	gaze     gridworld.Gaze      // from the reward's cell
	Actions  []gridworld.Action
	Cells    []gridworld.Pos // where the actor is after each action
	Steps    int             // steps forward
	Turns    int
	Sighting int // number of actions before the reward's cell is in sight
}

// Walk sets y to the way from the actor of w to a cell. It returns false if there is none.
func (y *Way) Walk(w *gridworld.World, to gridworld.Pos, mirrored bool) bool {
	a, goals := w.Actor(), gridworld.BoardOf(to)
	y.paths.From(w, a)
	y.gaze.From(w, to)
	path, ok := y.paths.Path(y.Actions[:0], &goals, mirrored)
	y.Actions, y.Steps, y.Turns, y.Sighting = path, 0, 0, -1
	if !ok {
		return false
	}
	if y.gaze.Sees(a.Pos) {
		y.Sighting = 0
	}
	y.Cells = y.Cells[:0]
	for i, action := range path {
		a = a.After(action)
		y.Cells = append(y.Cells, a.Pos)
		if action != gridworld.Forward {
			y.Turns++
			continue
		}
		if y.Steps++; y.Sighting < 0 && y.gaze.Sees(a.Pos) {
			y.Sighting = i + 1
		}
	}
	return true
}

// Leads returns how long the actor needs from the start until it can see what lies in a place: on average over the places that it can
// reach, and at most, in ticks. It counts the way up to the last step into a place, and that too if the place is a deep hole. So it is the
// same wherever the reward lies: what is set by it, such as for how long an actor is held and when an episode ends, says nothing about where
// that is. It is valid after Walk in world w.
func (y *Way) Leads(w *gridworld.World, places []gridworld.Pos) (mean, most int) {
	n := 0
	for _, p := range places {
		goal := gridworld.BoardOf(p)
		if ticks, ok := y.paths.To(&goal); ok {
			if w.At(p).Kind != gridworld.Hole {
				ticks--
			}
			n++
			mean, most = mean+max(ticks, 0), max(most, ticks)
		}
	}
	return mean / max(n, 1), most
}

// leads says whether y is a way from one cell to another.
func (y *Way) leads(start, to gridworld.Pos) bool {
	if n := len(y.Cells); n > 0 {
		return y.Cells[n-1] == to
	}
	return start == to
}
