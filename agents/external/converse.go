package external

import (
	"context"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/gridworld/eye"
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
	seen    eye.Picture     // of size 0: the partner gets no pictures
	room    gridworld.World // what it can see of the world, to draw it
}

// begin sends the partner the reset of an episode.
func (c *conversation) begin(ctx context.Context, p partner, first gridworld.Observation) error {
	c.partner, c.watch = p, gridworld.BoardOf(first.Places()...)
	return p.tell(ctx, resetOf(first))
}

// act asks the partner for an action. An answer that is not a legal action is a *Failure.
func (c *conversation) act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	now.View(gridworld.Viewer{Watch: &c.watch}, &c.view)
	o := observationOf(&c.view, now.Places())
	o.Picture = c.picture(now)
	answer, err := c.partner.ask(ctx, o)
	if err != nil {
		return gridworld.Stay, err
	}
	action, err := readAction(answer, now.Rules().Move)
	if err != nil {
		return gridworld.Stay, &Failure{Nonsense, err.Error()}
	}
	return action, nil
}

// picture returns what the actor sees in first person, drawn from nothing but the ground and the things in view; nil if no pictures are wanted.
func (c *conversation) picture(now gridworld.Observation) []byte {
	if c.seen.Size == 0 {
		return nil
	}
	now.Layout(&c.room)
	if !c.view.Dark { // in the dark nobody is there to see: the picture is black
		c.room.SetActor(c.view.Self.Pos, c.view.Self.Heading)
		for _, s := range c.view.Things {
			c.room.Add(s.Thing)
		}
	}
	c.seen.Draw(&c.room, eye.Eyes{})
	return c.seen.Pix
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
