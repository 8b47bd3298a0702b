package sim

import (
	"context"
	"sync"
	"sync/atomic"

	"achilles/agents"
	"achilles/sim/scenario"
)

// A Config says how to run a scenario. No result depends on Jobs or Progress.
type Config struct {
	Seed     uint64                // root seed
	Jobs     int                   // subjects simulated at a time; 0: one
	Progress func(done, total int) // called after every subject, by one goroutine at a time; may be nil
}

// Run builds the battery and the subjects of a scenario and lets every subject take every item. Responses are sorted
// by subject, item and repetition. The error is a *scenario.Problem where the scenario is at fault, and that of the
// context where it was cancelled.
func Run(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	b, err := s.MakeBattery(c.Seed)
	if err != nil {
		return nil, err
	}
	subjects, err := s.Subjects(c.Seed)
	if err != nil {
		return nil, err
	}
	out := &Session{
		Battery: b, Subjects: subjects, Root: c.Seed, Scenario: s.Text, Scale: s.Scale, Published: s.Published,
		HoldOut: s.HeldOut,
	}
	if s.HeldOut == 0 {
		out.HoldOut = -1 // a Session's zero means the default
	}
	block := len(b.Items) * s.Repetitions
	out.Responses = make([]Response, len(subjects)*block)
	items := scenario.ItemsOf(&b)
	errs := make([]error, len(subjects))
	each(ctx, len(subjects), c, func(i int) {
		var a *agents.Agent
		if a, errs[i] = agents.Compile(&subjects[i], items); errs[i] == nil {
			respond(a, c.Seed, i, s.Repetitions, out.Responses[i*block:(i+1)*block])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, s.Place(err)
		}
	}
	return out, nil
}

// respond fills in the responses of one subject.
func respond(a *agents.Agent, root uint64, subject, repetitions int, out []Response) {
	for k := range out {
		item, rep := k/repetitions, k%repetitions
		out[k] = Response{Subject: subject, Item: item, Repetition: rep}
		if a.Succeeds(root, item, rep) {
			out[k].Value = 1
		}
	}
}

// each calls work for 0 … n−1 in Jobs goroutines until the context is cancelled.
func each(ctx context.Context, n int, c Config, work func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(max(c.Jobs, 1), n) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
				if c.Progress != nil {
					mu.Lock()
					done++
					c.Progress(done, n)
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
}
