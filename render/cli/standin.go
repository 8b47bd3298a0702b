package cli

import (
	"context"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/scenarios/generate"
)

// A standIn stands for the program of an agent and takes no trial. It is for a check, which starts every program once
// and does not wait for its answers.
type standIn struct{}

// startable returns a function that starts the program of an agent, ends it, and returns a stand-in. It asks no language model.
func startable(seat seating) func(*agents.Spec, generate.Journal) (generate.Player, error) {
	return func(spec *agents.Spec, _ generate.Journal) (generate.Player, error) {
		p, err := outside(spec, seat, nil)
		if err != nil {
			return nil, err
		}
		return standIn{}, p.Close()
	}
}

func (standIn) Reset(context.Context, gridworld.Observation) error { return notAsked{} }

func (standIn) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	return 0, notAsked{}
}

// Answer returns notAsked.
func (standIn) Answer(context.Context, agents.Question) (option int, err error) {
	return 0, notAsked{}
}

// Close does nothing.
func (standIn) Close() error { return nil }

// notAsked is the error of a trial that a stand-in was to take. It leaves the trial unscored.
type notAsked struct{}

func (notAsked) Error() string { return "not asked" }

// Unscored returns the reason why the trial has no score.
func (notAsked) Unscored() string { return "not asked" }
