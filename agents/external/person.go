package external

import (
	"context"
	"encoding/json"
	"errors"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/sim"
)

// NotTaken is the reason of an episode that a person did not take, or left before it was over.
const NotTaken = "not taken"

// A Peer acts within this program. It is spoken to as a program is, in lines of JSON, and may take its time.
type Peer interface {
	// Tell passes a line on that wants no answer.
	Tell(ctx context.Context, line []byte) error
	// Ask passes a line on and returns the answer. The error is that of the context, or wraps sim.ErrLeft.
	Ask(ctx context.Context, line []byte) ([]byte, error)
}

// A Person acts by a Peer: it sees what a program would be shown, and nothing else. An episode that it does not take to
// its end is an Absence.
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

// NewPerson returns whoever is at the peer. Takes says whether the episode or question of that number, from 0, is shown.
func NewPerson(p Peer, takes func(number, of int) bool) *Person {
	return &Person{peer: p, takes: takes}
}

// An Absence says that nobody took a trial. It can be offered again.
type Absence struct{}

// Error says so.
func (Absence) Error() string { return NotTaken }

// Unscored is the reason.
func (Absence) Unscored() string { return NotTaken }

// Later says that the trial can be offered again.
func (Absence) Later() bool { return true }

// Reset shows the person an episode. The error is that of the context, or an Absence.
func (p *Person) Reset(ctx context.Context, first gridworld.Observation) error {
	if p.left || !p.takes(first.Number()) {
		return Absence{}
	}
	return p.notice(p.begin(ctx, lines{p.peer}, first))
}

// Act asks the person. The error is that of the context, an Absence, or a *Failure where the peer does not keep to the
// protocol.
func (p *Person) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	action, err := p.act(ctx, now)
	return action, p.notice(err)
}

// End shows how the episode ended.
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

// notice sees from an error that the person has left.
func (p *Person) notice(err error) error {
	if errors.Is(err, sim.ErrLeft) {
		p.left = true
		return Absence{}
	}
	return err
}

// Close does nothing: the peer is its owner's.
func (p *Person) Close() error { return nil }

// lines speaks to a peer.
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
