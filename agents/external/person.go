package external

import (
	"context"
	"encoding/json"
	"errors"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/sim"
)

// NotTaken is the reason why an episode has no score if a person did not take it, or left before its end.
const NotTaken = "not taken"

// A Peer answers inside this process, with the lines of JSON that a program would get. It may take any time.
type Peer interface {
	// Tell passes on a line that needs no answer.
	Tell(ctx context.Context, line []byte) error
	// Ask passes on a line and returns the answer. The error is that of the context, or wraps sim.ErrLeft.
	Ask(ctx context.Context, line []byte) ([]byte, error)
}

// A Person is an agent whose actions come from a Peer. The peer gets the same lines as a program would. If it leaves an
// episode before the end, the episode ends with an Absence as its error.
type Person struct {
	peer  Peer
	takes func(number, of int) bool
	left  bool
	conversation
}

var (
	_ gridworld.Agent                  = (*Person)(nil)
	_ sim.Ender[gridworld.Observation] = (*Person)(nil)
)

// NewPerson returns a Person that passes everything on to the peer p. takes reports whether to show the episode or question
// with a number, counted from 0; `of` is how many there are.
func NewPerson(p Peer, takes func(number, of int) bool) *Person {
	return &Person{peer: p, takes: takes}
}

// An Absence is the error for a trial that nobody took. The trial can be offered again.
type Absence struct{}

// Error returns NotTaken.
func (Absence) Error() string { return NotTaken }

// Unscored returns NotTaken.
func (Absence) Unscored() string { return NotTaken }

// Later returns true: the trial can be offered again.
func (Absence) Later() bool { return true }

// Reset shows the person an episode. The error is that of the context, or an Absence.
func (p *Person) Reset(ctx context.Context, first gridworld.Observation) error {
	if p.left || !p.takes(first.Number()) {
		return Absence{}
	}
	return p.notice(p.begin(ctx, lines{p.peer}, first))
}

// Act asks the person for an action. The error is that of the context, an Absence, or a *Failure if the peer violates the
// protocol.
func (p *Person) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	action, err := p.act(ctx, now)
	return action, p.notice(err)
}

// End shows the person how the episode ended. The error is that of the context, or an Absence.
func (p *Person) End(ctx context.Context, last gridworld.Observation) error {
	return p.notice(p.end(ctx, last))
}

// Answer asks the person a question. The error is that of the context, an Absence, or a *Failure.
func (p *Person) Answer(ctx context.Context, q agents.Question) (int, error) {
	if p.left || !p.takes(q.Number, q.Of) {
		return 0, Absence{}
	}
	option, err := p.answer(ctx, lines{p.peer}, q)
	return option, p.notice(err)
}

// notice turns sim.ErrLeft into an Absence, and remembers that the person has left.
func (p *Person) notice(err error) error {
	if errors.Is(err, sim.ErrLeft) {
		p.left = true
		return Absence{}
	}
	return err
}

// Close does nothing: the peer belongs to the caller.
func (p *Person) Close() error { return nil }

// lines is a partner that passes messages on to a Peer, as lines of JSON.
type lines struct{ peer Peer }

func (l lines) tell(ctx context.Context, message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return l.peer.Tell(ctx, line)
}

func (l lines) ask(ctx context.Context, message any) ([]byte, error) {
	line, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	return l.peer.Ask(ctx, line)
}
