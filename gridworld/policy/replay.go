// Package policy has the ways of choosing and walking in a gridworld.
package policy

import (
	"context"

	"achilles/gridworld"
	"achilles/sim"
)

// A Replay is an agent that does what was done in an earlier episode, and leaves when nothing is left to do.
type Replay struct {
	Actions []gridworld.Action
	next    int
}

var _ gridworld.Agent = (*Replay)(nil)

// Reset goes back to the first action. There is no error.
func (r *Replay) Reset(context.Context, gridworld.Observation) error {
	r.next = 0
	return nil
}

// Act returns the next action. The error is sim.ErrLeft where there is none.
func (r *Replay) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	if r.next == len(r.Actions) {
		return gridworld.Stay, sim.ErrLeft
	}
	r.next++
	return r.Actions[r.next-1], nil
}

// Left is how many actions were not done in the last episode.
func (r *Replay) Left() int { return len(r.Actions) - r.next }
