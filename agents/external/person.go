package external

import (
	"context"
	"encoding/json"
	"errors"

	"achilles/agents"
	"achilles/gridworld"
)

// NotTaken is the reason of an episode that a person did not take, or left before it was over.
const NotTaken = "not taken"

// ErrLeft is what a Peer returns who does not want to go on.
var ErrLeft = errors.New("left")

// A Peer acts within this program. It is spoken to as a program is, in lines of JSON, and may take its time.
type Peer interface {
	// Tell passes a line on that wants no answer.
	Tell(ctx context.Context, line []byte) error
	// Ask passes a line on and returns the answer. The error is that of the context, or wraps ErrLeft.
	Ask(ctx context.Context, line []byte) ([]byte, error)
}

// A Person plays trials by a Peer: it sees what a program would be shown, and nothing else. It must not be used by two
// goroutines at once.
type Person struct {
	peer  Peer
	takes func(t *agents.Trial) bool
	left  bool
	view  gridworld.View
}

// NewPerson returns a player for whoever is at the peer, to whom those trials are shown that takes says.
func NewPerson(p Peer, takes func(t *agents.Trial) bool) *Person {
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

// Play lets the person act in the world of a trial. The error is that of the context, an Absence, or a *Failure where
// the peer does not keep to the protocol.
func (p *Person) Play(ctx context.Context, t agents.Trial) ([]gridworld.Action, error) {
	if p.left || !p.takes(&t) {
		return nil, Absence{}
	}
	actions, err := converse(ctx, &t, &p.view, lines{p.peer})
	if errors.Is(err, ErrLeft) {
		p.left = true
		return nil, Absence{}
	}
	return actions, err
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
