package cli

import (
	"context"
	"sync"

	"achilles/agents/external/process"
)

// unconfined returns a function that says why a launcher cannot confine processes, and nil if it can. It tries once.
func unconfined(launcher string) func(context.Context) error {
	var once sync.Once
	var why error
	return func(ctx context.Context) error {
		once.Do(func() { why = (&process.Seat{Launcher: launcher}).Unconfined(ctx) })
		return why
	}
}

// A seating gives a program its seat.
type seating func(command []string) *process.Seat

// seat returns where programs are started, which may read what allow names but nothing of the directory out. The first call of the
// result finds out whether programs can be confined, and says so if not.
func (a *app) seat(ctx context.Context, allow []string, out string) (seating, error) {
	s := &process.Seat{Allow: allow, Never: out}
	if err := s.Check(); err != nil {
		return nil, usagef("--allow: %w", err)
	}
	ready := sync.OnceFunc(func() {
		s.Launcher = a.Launcher
		if why := a.unconfined(ctx); why != nil {
			a.note("warning: programs are not confined, and the results say so: %v", why)
			s.Launcher = ""
		}
	})
	var noted sync.Map // by path
	return func(command []string) *process.Seat {
		ready()
		if path := s.Beyond(command[0]); path != "" {
			if _, again := noted.LoadOrStore(path, true); !again {
				a.note("%s may read the system's folders and the files that its command names; if it needs others, --allow names them", path)
			}
		}
		return s
	}, nil
}
