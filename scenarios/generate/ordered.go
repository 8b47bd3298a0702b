package generate

import (
	"context"

	"achilles/battery"
)

// ordered does what battery.InOrder does, for things that may fail to be made. It returns the first error, or that of the context.
func ordered[M, T any](ctx context.Context, jobs, ahead, n int, newMaker func() M, create func(maker M, i int) (T, error), use func(T) error) error {
	type result struct {
		thing T
		err   error
	}
	return battery.InOrder(ctx, jobs, ahead, n, newMaker,
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

// fewAhead is a number of large things that may wait to be used.
func fewAhead(jobs int) int { return 4 * max(jobs, 1) }
