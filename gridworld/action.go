package gridworld

import "fmt"

// An Action is what the actor intends to do in one tick.
type Action uint8

const (
	Stay Action = iota
	Forward
	TurnLeft
	TurnRight
	goNorth // the first of the eight actions that step in a direction, in the order of Dir
)

// Actions is the number of actions; Mode.Legal says which of them a world allows.
const Actions = int(goNorth) + Directions

var actionNames = [...]string{"stay", "forward", "left", "right"}

// Go returns the action that steps in direction d. Only mode Eight has it.
func Go(d Dir) Action { return goNorth + Action(d&7) }

// String returns the name of a: stay, forward, left, right, or that of a direction.
func (a Action) String() string {
	if a >= goNorth {
		return nameOf(dirNames[:], int(a-goNorth))
	}
	return actionNames[a]
}

// ParseAction returns the action of that name.
func ParseAction(name string) (Action, error) {
	for a := range Action(Actions) {
		if a.String() == name {
			return a, nil
		}
	}
	return Stay, fmt.Errorf("no action %q: want stay, forward, left, right, or a direction such as north-east", name)
}

// Legal says whether action a exists in mode m; it may still fail, for instance at a wall.
func (m Mode) Legal(a Action) bool {
	switch {
	case a == Stay:
		return true
	case a < goNorth:
		return m == Turning
	}
	return m == Eight && int(a) < Actions
}
