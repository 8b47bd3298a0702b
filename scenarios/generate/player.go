package generate

import (
	"errors"
	"io"

	"achilles/agents"
	"achilles/gridworld"
)

// A Player is an agent outside this program that acts for one subject, in one trial after another. An error other than
// that of the context is fatal, unless it has a method Unscored() string. This method says why the episode cannot be
// scored; then the next trial can be taken. If the error also has a method Later() bool that returns true, the trial
// can be offered again in a later run: the journal does not store the episode, and the moves in it do not count.
type Player interface {
	gridworld.Agent
	io.Closer
}

var errNoOutside = errors.New("generate: a subject acts by a command, and nothing is there to start it")

// unscorable is the error of a Player whose episode cannot be scored.
type unscorable interface {
	error
	Unscored() string
}

// free reports whether a player is a program that was not confined: it could read what its user can.
func free(p any) bool {
	u, ok := p.(interface{ Unconfined() bool })
	return ok && u.Unconfined()
}

// calls returns what the language model behind a player was asked in the last trial or question; nil if none is.
func calls(p any) *agents.Calls {
	m, ok := p.(interface{ Calls() agents.Calls })
	if !ok {
		return nil
	}
	c := m.Calls()
	return &c
}

// later returns whether the trial can be offered again.
func later(err unscorable) bool {
	l, ok := err.(interface{ Later() bool })
	return ok && l.Later()
}
