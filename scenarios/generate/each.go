package generate

import (
	"context"
	"sync"
	"sync/atomic"
)

// each calls work with 0 … n−1, in up to c.Jobs goroutines, until the context is cancelled.
func each(ctx context.Context, n int, c Config, work func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	if c.Progress != nil {
		c.Progress(0, n)
	}
	for range min(max(c.Jobs, 1), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				work(i)
				mu.Lock()
				if done++; c.Progress != nil {
					c.Progress(done, n)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
}
