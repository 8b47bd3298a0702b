package external

import (
	"context"

	"achilles/agents"
	"achilles/gridworld"
)

// A partner is at the other end of a conversation.
type partner interface {
	tell(ctx context.Context, message any) error
	ask(ctx context.Context, message any) (answer []byte, err error)
}

// converse lets a partner act in the world of a trial: a reset, an observation for every tick with the action that
// answers it, and a done. The actions are those until the error; an answer that is no action is a *Failure.
func converse(ctx context.Context, t *agents.Trial, view *gridworld.View, p partner) (actions []gridworld.Action, err error) {
	if err := p.tell(ctx, resetOf(t)); err != nil {
		return nil, err
	}
	watch := gridworld.BoardOf(t.Places...)
	for t.World.Outcome() == gridworld.Running {
		t.World.View(gridworld.Viewer{Watch: &watch}, view)
		answer, err := p.ask(ctx, observationOf(view, t.Places))
		if err != nil {
			return actions, err
		}
		action, err := readAction(answer, t.World.Rules().Move)
		if err != nil {
			return actions, &Failure{Nonsense, err.Error()}
		}
		t.World.Step(action)
		actions = append(actions, action)
	}
	return actions, p.tell(ctx, done{"done", t.World.Outcome().String(), t.World.Tick()})
}
