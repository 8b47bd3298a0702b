package observer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"achilles/agents/external/process"
	"achilles/sim/record"
)

// DefaultTimeout is the default of Program.Timeout. An observer that watches everything before its first answer needs
// most of it for that answer.
const DefaultTimeout = 10 * time.Minute

// A Program is an observer that is a program.
type Program struct {
	Command    []string                          // the program with its arguments
	Seat       *process.Seat                     // where it is started
	Form       Form                              // how it gets the trials; empty: Pixels
	Timeout    time.Duration                     // time limit for each answer; 0: DefaultTimeout
	Complaints io.Writer                         // gets the program's standard error; nil: it is discarded
	Progress   func(answered, total int)         // called at the start and after every answer; may be nil
	alarm      func(time.Duration, func()) alarm // nil: time.AfterFunc; tests ring themselves
}

// An alarm is a timer that calls a function when its time is over.
type alarm interface {
	Reset(time.Duration) bool
	Stop() bool
}

func afterTime(d time.Duration, f func()) alarm { return time.AfterFunc(d, f) }

// Ask starts the program, lets it watch the videos of the items and returns its answers. It kills the program, and all
// processes that the program started, when the context ends, an answer takes too long, or an answer makes no sense.
func (p *Program) Ask(ctx context.Context, items []record.Watched) ([]Answer, error) {
	limit := cmp.Or(p.Timeout, DefaultTimeout)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	answered := 0
	set := p.alarm
	if set == nil {
		set = afterTime
	}
	late := set(limit, func() { stop(errLate) })
	defer late.Stop()
	program, err := p.Seat.Start(ctx, p.Command, p.Complaints)
	if err != nil {
		return nil, fmt.Errorf("observer: %w", err)
	}
	defer program.End()
	context.AfterFunc(ctx, func() { _ = program.Out.Close() }) // otherwise a process that has left the group could keep the pipe open for ever
	answers, err := converse(items, cmp.Or(p.Form, Pixels), program.In, program.Out, func(n, total int) {
		answered = n
		late.Reset(limit)
		if p.Progress != nil {
			p.Progress(n, total)
		}
	})
	if err != nil {
		stop(nil) // the program may go on for ever
	}
	ended := program.Wait()
	if errors.Is(context.Cause(ctx), errLate) {
		return nil, fmt.Errorf("observer: it took more than %v over answer %d of %d", limit, answered+1, videosOf(items))
	}
	return answers, errors.Join(err, ended)
}

var errLate = errors.New("too late")

func videosOf(items []record.Watched) (n int) {
	for i := range items {
		n += len(items[i].Videos)
	}
	return n
}
