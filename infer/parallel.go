package infer

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// parallel calls do for every i from 0 to n−1, with at most jobs calls at a time. After each it calls progress, which
// may be nil, from one goroutine at a time. At the first error it cancels the context of the running calls, begins no
// more, and returns that error.
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
