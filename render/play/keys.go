package play

import (
	"slices"
	"strconv"
	"strings"

	"achilles/gridworld"
)

// turning and eight give the action of each key: in worlds where the actor turns and steps forward, and in worlds where
// it steps in eight directions.
var (
	turning = map[string]gridworld.Action{
		"up": gridworld.Forward, "w": gridworld.Forward, "left": gridworld.TurnLeft, "a": gridworld.TurnLeft,
		"right": gridworld.TurnRight, "d": gridworld.TurnRight, "space": gridworld.Stay, "s": gridworld.Stay,
	}
	eight = map[string]gridworld.Action{
		"up": gridworld.Go(gridworld.North), "w": gridworld.Go(gridworld.North), "e": gridworld.Go(gridworld.NorthEast),
		"right": gridworld.Go(gridworld.East), "d": gridworld.Go(gridworld.East), "c": gridworld.Go(gridworld.SouthEast),
		"down": gridworld.Go(gridworld.South), "x": gridworld.Go(gridworld.South), "z": gridworld.Go(gridworld.SouthWest),
		"left": gridworld.Go(gridworld.West), "a": gridworld.Go(gridworld.West), "q": gridworld.Go(gridworld.NorthWest),
		"space": gridworld.Stay, "s": gridworld.Stay,
	}
)

// action returns the action that a key stands for in the present world. The second result is false if it stands for
// none.
func (t trial) action(key string) (gridworld.Action, bool) {
	keys := turning
	if t.world.Rules().Move == gridworld.Eight {
		keys = eight
	}
	a, ok := keys[key]
	return a, ok
}

// moves says whether an action is a step to another cell.
func moves(a gridworld.Action) bool {
	return a != gridworld.Stay && a != gridworld.TurnLeft && a != gridworld.TurnRight
}

// option returns the option that a key stands for; the second result is false if it stands for none. If all options are
// single characters, the key is the option itself. Otherwise it is the number, 1 to 9, of an option.
func (l *line) option(key string) (string, bool) {
	if l.byLetter() {
		return key, slices.Contains(l.Options, key)
	}
	if n, err := strconv.Atoi(key); err == nil && n >= 1 && n <= min(9, len(l.Options)) {
		return l.Options[n-1], true
	}
	return "", false
}

// byLetter says whether all options are single characters.
func (l *line) byLetter() bool {
	return !slices.ContainsFunc(l.Options, func(o string) bool { return len([]rune(o)) != 1 })
}

// choices returns the options as they are shown, each with its key.
func (l *line) choices() []string {
	if l.byLetter() {
		return l.Options
	}
	list := slices.Clone(l.Options)
	for i := range list {
		list[i] = strconv.Itoa(i+1) + " " + list[i]
	}
	return list
}

// A control is one or more keys, and what they do.
type control struct{ keys, does string }

// controls returns the keys that act in the present world, and the key to leave.
func (t trial) controls() []control {
	leave := control{"escape", "leave: finished items are kept"}
	if t.world.Rules().Move == gridworld.Eight {
		return []control{{"arrows", "north, west, south, east"}, {"q e z c", "the diagonals"}, {"space", "stay"}, leave}
	}
	return []control{{"up", "forward"}, {"left, right", "turn"}, {"space", "stay"}, leave}
}

// guide returns one line that says which keys do what now.
func (m Model) guide() string {
	switch {
	case m.phase == leaving:
		return "y: leave    enter: go on"
	case m.phase == ended:
		return "enter: close"
	case m.phase == over:
		return "enter: next    escape: leave"
	case m.phase == ready:
		return "enter: I am ready    escape: leave"
	case m.phase == asked && m.question.byLetter():
		return "type one of the letters    escape: leave"
	case m.phase == asked:
		return "type the number of an answer    escape: leave"
	case m.world == nil || m.now == nil:
		return "wait …"
	case m.now.Frozen:
		return "watch: you are held for the moment    escape: leave"
	}
	var list []string
	for _, c := range m.controls() {
		does, _, _ := strings.Cut(c.does, ":")
		list = append(list, c.keys+": "+does)
	}
	return strings.Join(list, "    ")
}

// message returns one line about the state of the trial.
func (m Model) message() string {
	switch {
	case m.phase == ended:
		return "That was all. Thank you."
	case m.inferring:
		return "Your profile is being inferred …"
	case m.problem != "":
		return m.problem
	case m.question != nil:
		return m.question.Brief
	case m.outcome == "finished":
		return "You reached the reward."
	case m.outcome == "died":
		return "You stepped into lava; the trial is over."
	case m.outcome == "timed-out":
		return "Time is up."
	case m.now == nil || m.reset == nil:
		return ""
	case m.now.Dark:
		return "The lights are out."
	case m.now.Trapped:
		return "You are in a hole and cannot get out."
	case m.now.Carrying:
		return "You carry a key."
	}
	return m.reset.Brief
}
