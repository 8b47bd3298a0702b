package battery

import (
	"context"
	"sync"
	"sync/atomic"
)

// wave is the number of things that are kept until they are used.
const wave = 512

// InOrder makes n things in up to jobs goroutines, at least one, and uses them in order in the calling goroutine. Each
// goroutine has a maker of its own, created by newMaker; what it makes for an index must depend on the index alone. The error
// is the first one of use, or that of the context; nothing is used after it.
func InOrder[M, T any](ctx context.Context, jobs, n int, newMaker func() M, produce func(maker M, i int) T, use func(i int, thing T) error) error {
	pool := make([]*M, max(jobs, 1))
	var things [wave]T
	for from := 0; from < n; from += wave {
		some := things[:min(n-from, wave)]
		var group sync.WaitGroup
		var next atomic.Int64
		for k := range min(len(pool), len(some)) {
			group.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(some) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					if pool[k] == nil {
						m := newMaker()
						pool[k] = &m
					}
					some[i] = produce(*pool[k], from+i)
				}
			})
		}
		group.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, thing := range some {
			if err := use(from+i, thing); err != nil {
				return err
			}
		}
	}
	return nil
}
