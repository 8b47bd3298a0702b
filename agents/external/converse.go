package external

import (
	"context"

	"achilles/agents"
	"achilles/gridworld"
)

// A partner is the other side of a conversation.
type partner interface {
	tell(ctx context.Context, message any) error
	ask(ctx context.Context, message any) (answer []byte, err error)
}

// A conversation is an episode in the lines of the protocol: a reset, an observation for every action, and a done.
type conversation struct {
	partner partner
	watch   gridworld.Board // the cells in which a reward could lie
	view    gridworld.View
}

// begin sends the partner the reset of an episode.
func (c *conversation) begin(ctx context.Context, p partner, first gridworld.Observation) error {
	c.partner, c.watch = p, gridworld.BoardOf(first.Places()...)
	return p.tell(ctx, resetOf(first))
}

// act asks the partner for an action. An answer that is not a legal action is a *Failure.
func (c *conversation) act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	now.View(gridworld.Viewer{Watch: &c.watch}, &c.view)
	answer, err := c.partner.ask(ctx, observationOf(&c.view, now.Places()))
	if err != nil {
		return gridworld.Stay, err
	}
	action, err := readAction(answer, now.Rules().Move)
	if err != nil {
		return gridworld.Stay, &Failure{Nonsense, err.Error()}
	}
	return action, nil
}

// end sends the partner the outcome of the episode.
func (c *conversation) end(ctx context.Context, last gridworld.Observation) error {
	return c.partner.tell(ctx, done{"done", last.Outcome().String(), last.Tick()})
}

// answer asks the partner a question and returns the index of the chosen option. An answer that is not an option is a
// *Failure.
func (c *conversation) answer(ctx context.Context, p partner, q agents.Question) (int, error) {
	line, err := p.ask(ctx, question{
		Type: "question", Version: Version, Brief: q.Brief, Question: q.Text, Options: q.Options, Seed: q.Seed,
	})
	if err != nil {
		return 0, err
	}
	option, err := readAnswer(line, q.Options)
	if err != nil {
		return 0, &Failure{Nonsense, err.Error()}
	}
	return option, nil
}
