package infer

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// parallel calls do for every i below n, jobs at a time, and progress after each, one call at a time; progress may be
// nil. At the first error it cancels the context of the calls that run, begins no further one, and returns that error.
func parallel(ctx context.Context, n, jobs int, progress func(done, total int), do func(ctx context.Context, i int) error) error {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(jobs, 1))
	var mu sync.Mutex
	done := 0
	for i := range n {
		workers.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := do(ctx, i); err != nil || progress == nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, n)
			return nil
		})
	}
	return workers.Wait()
}
