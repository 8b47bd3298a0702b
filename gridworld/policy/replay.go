package policy

import (
	"context"

	"achilles/gridworld"
	"achilles/sim"
)

// A Replay is an agent that repeats a list of actions, for instance those of an earlier episode, and then leaves.
type Replay struct {
	Actions []gridworld.Action
	Waits   bool // while the actor is frozen the agent stays, and keeps its actions for later
	next    int
}

var _ gridworld.Agent = (*Replay)(nil)

// Reset returns to the first action. The error is always nil.
func (r *Replay) Reset(context.Context, gridworld.Observation) error {
	r.next = 0
	return nil
}

// Act returns the next action. The error is sim.ErrLeft if none is left.
func (r *Replay) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if r.Waits && now.Frozen() {
		return gridworld.Stay, nil
	}
	if r.next == len(r.Actions) {
		return gridworld.Stay, sim.ErrLeft
	}
	r.next++
	return r.Actions[r.next-1], nil
}

// Left returns the number of actions that were not used in the last episode.
func (r *Replay) Left() int { return len(r.Actions) - r.next }
