package generate

import (
	"context"

	"achilles/battery"
)

// ordered does what battery.InOrder does, for things that may fail to be made and of which few should be in memory: up to four
// per goroutine. It returns the first error, or that of the context.
func ordered[M, T any](ctx context.Context, n, jobs int, newMaker func() M, create func(maker M, i int) (T, error), use func(T) error) error {
	type result struct {
		thing T
		err   error
	}
	return battery.InOrder(ctx, jobs, 4*max(jobs, 1), n, newMaker,
		func(maker M, i int) result {
			thing, err := create(maker, i)
			return result{thing, err}
		},
		func(_ int, r result) error {
			if r.err != nil {
				return r.err
			}
			return use(r.thing)
		})
}
