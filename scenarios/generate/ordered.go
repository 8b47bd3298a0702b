package generate

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// ahead is the number of things per goroutine that may be finished before they are used.
const ahead = 4

// ordered creates n things in up to jobs goroutines, and uses them in order in the calling goroutine. It returns the
// first error, or that of the context if it is cancelled.
func ordered[T any](ctx context.Context, n, jobs int, create func(i int) (T, error), use func(T) error) error {
	type result struct {
		thing T
		err   error
	}
	results := make([]chan result, n)
	for i := range results {
		results[i] = make(chan result, 1)
	}
	jobs = max(jobs, 1)
	room := make(chan struct{}, ahead*jobs) // one element for each thing that is begun and not yet used
	ctx, cancel := context.WithCancel(ctx)
	var group errgroup.Group
	group.SetLimit(jobs + 1)
	defer group.Wait()
	defer cancel()
	group.Go(func() error {
		for i := range n {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return nil
			}
			group.Go(func() error {
				thing, err := create(i)
				results[i] <- result{thing, err}
				return nil
			})
		}
		return nil
	})
	for i := range n {
		select {
		case r := <-results[i]:
			<-room
			if r.err == nil {
				r.err = use(r.thing)
			}
			if r.err != nil {
				return r.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
