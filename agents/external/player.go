// Package external lets a program act for a subject: it starts the program and exchanges lines of JSON with it over
// standard input and output. docs/reference/protocol.md specifies every line; docs/examples/agent.py is an agent in
// thirty lines of Python.
//
// The program may be late, crash or give a senseless answer. Then the episode cannot be scored, and the program is started
// again for the next episode. Results depend on the clock in this package only, because a late answer counts as a failure.
package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"achilles/agents"
	"achilles/agents/external/process"
	"achilles/gridworld"
	"achilles/sim"
)

// DefaultTimeout is the time that a program may take for an answer if its Spec has no timeout.
const DefaultTimeout = 10 * time.Second

// startTimeout is added to the timeout for the first answer after a start, because interpreters start slowly.
const startTimeout = 20 * time.Second

// maxFailures is the number of failed episodes in a row after which the program is not started again.
const maxFailures = 3

// A Player is an agent whose actions come from a program. It is for one goroutine at a time.
type Player struct {
	seat     *process.Seat
	command  []string
	timeout  time.Duration
	program  *program // nil: not running
	failures int      // number of failures in a row
	last     *Failure
	within   within // context.WithTimeout; tests say themselves when a time is over
	conversation
}

var (
	_ gridworld.Agent                  = (*Player)(nil)
	_ sim.Ender[gridworld.Observation] = (*Player)(nil)
)

// A Failure says why an episode cannot be scored.
type Failure struct {
	Reason string // crashed, timed out, nonsense, or given up
	Detail string
}

// Error returns the reason and the detail, on one line.
func (f *Failure) Error() string { return f.Reason + ": " + f.Detail }

// Unscored returns the reason.
func (f *Failure) Unscored() string { return f.Reason }

// The reasons of a Failure.
const (
	Crashed  = "crashed"
	TimedOut = "timed out"
	Nonsense = "nonsense"
	GivenUp  = "given up"
)

// Start starts the program of an agent on a seat. The error says why it cannot be started.
func Start(spec *agents.Spec, seat *process.Seat) (*Player, error) {
	p := &Player{seat: seat, command: spec.Command, timeout: DefaultTimeout, within: context.WithTimeout}
	if spec.Timeout > 0 {
		p.timeout = time.Duration(spec.Timeout * float64(time.Second))
	}
	p.seen.Size = spec.Pixels
	var err error
	p.program, err = start(p.seat, p.command, p.within)
	return p, err
}

// Unconfined reports whether the program could read what its user can.
func (p *Player) Unconfined() bool { return p.seat.Launcher == "" }

// Reset sends the program the reset of an episode; it starts the program if necessary. The error is that of the
// context, or a *Failure.
func (p *Player) Reset(ctx context.Context, first gridworld.Observation) error {
	return p.with(ctx, func(program *patient) error { return p.begin(ctx, program, first) })
}

// Answer asks the program a question; it starts the program if necessary. The error is that of the context, or a
// *Failure.
func (p *Player) Answer(ctx context.Context, q agents.Question) (option int, err error) {
	err = p.with(ctx, func(program *patient) (err error) {
		option, err = p.answer(ctx, program, q)
		return err
	})
	if err == nil {
		p.failures = 0
	}
	return option, err
}

// with calls begin with the program, which it starts if necessary. The error is that of the context, or a *Failure.
func (p *Player) with(ctx context.Context, begin func(*patient) error) (err error) {
	if p.failures == maxFailures {
		return &Failure{GivenUp, fmt.Sprintf("%d episodes in a row failed; the last: %v", maxFailures, p.last)}
	}
	if p.program == nil {
		if p.program, err = start(p.seat, p.command, p.within); err != nil {
			return p.notice(ctx, &Failure{Crashed, err.Error()})
		}
	}
	patience := p.timeout
	if p.program.fresh {
		patience += startTimeout
	}
	return p.notice(ctx, begin(&patient{p.program, patience, p.timeout}))
}

// Act asks the program for an action. The error is that of the context, or a *Failure.
func (p *Player) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	action, err := p.act(ctx, now)
	return action, p.notice(ctx, err)
}

// End tells the program how the episode ended. The error is that of the context, or a *Failure.
func (p *Player) End(ctx context.Context, last gridworld.Observation) error {
	err := p.notice(ctx, p.end(ctx, last))
	if err == nil {
		p.failures = 0
	}
	return err
}

// notice counts a failure, and kills the program after a failure or if the context has ended. It returns the error of the
// context if that has ended, and err otherwise.
func (p *Player) notice(ctx context.Context, err error) error {
	var f *Failure
	switch {
	case err == nil:
	case ctx.Err() != nil:
		p.stop()
		return ctx.Err()
	case errors.As(err, &f):
		p.failures, p.last = p.failures+1, f
		p.stop()
	}
	return err
}

// patient is a partner that passes messages on to a program. It has a time limit, which is longer until the program's
// first answer.
type patient struct {
	program  *program
	patience time.Duration // the present limit
	timeout  time.Duration // the limit after the first answer
}

func (p *patient) tell(ctx context.Context, message any) error {
	return p.program.tell(ctx, p.patience, message)
}

func (p *patient) ask(ctx context.Context, message any) ([]byte, error) {
	answer, err := p.program.ask(ctx, p.patience, message)
	p.patience = p.timeout
	return answer, err
}

// stop ends the program at once.
func (p *Player) stop() {
	if p.program != nil {
		p.program.kill()
		p.program = nil
	}
}

// Close ends the program: it closes its standard input, and kills it if it does not end within the timeout. The error
// is always nil.
func (p *Player) Close() error {
	if p.program != nil {
		p.program.end(p.timeout)
		p.program = nil
	}
	return nil
}
