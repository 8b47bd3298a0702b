package cli

import (
	"context"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/gridworld"
	"achilles/scenarios/generate"
)

// A standIn takes no trial, in the place of a program: a check starts every program once, and does not wait for its answers.
type standIn struct{}

// startable starts the program of an agent, ends it, and returns a stand-in.
func startable(spec *agents.Spec) (generate.Player, error) {
	p, err := external.Start(spec)
	if err != nil {
		return nil, err
	}
	return standIn{}, p.Close()
}

func (standIn) Reset(context.Context, gridworld.Observation) error { return notAsked{} }

func (standIn) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	return 0, notAsked{}
}

// Answer answers no question.
func (standIn) Answer(context.Context, agents.Question) (option int, err error) {
	return 0, notAsked{}
}

// Close has nothing to end.
func (standIn) Close() error { return nil }

// notAsked is why a trial that a stand-in takes has no score.
type notAsked struct{}

func (notAsked) Error() string { return "not asked" }

// Unscored is the reason.
func (notAsked) Unscored() string { return "not asked" }
