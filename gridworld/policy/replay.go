// Package policy has the ways of choosing and walking in a gridworld.
package policy

import (
	"context"

	"achilles/gridworld"
	"achilles/sim"
)

// A Replay is an agent that goes through a list of actions, those of an earlier episode for instance, and leaves when
// nothing is left to do.
type Replay struct {
	Actions []gridworld.Action
	Waits   bool // while it is held it stays, and keeps its actions for when it is free
	next    int
}

var _ gridworld.Agent = (*Replay)(nil)

// Reset goes back to the first action. There is no error.
func (r *Replay) Reset(context.Context, gridworld.Observation) error {
	r.next = 0
	return nil
}

// Act returns the next action. The error is sim.ErrLeft where there is none.
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

// Left is how many actions were not done in the last episode.
func (r *Replay) Left() int { return len(r.Actions) - r.next }
