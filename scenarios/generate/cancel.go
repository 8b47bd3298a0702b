package generate

import (
	"context"
	"io"

	"achilles/scenarios/results"
)

// untilCancelled returns a create whose files refuse to be written once the context is cancelled, so that an interrupt does
// not wait until a large file is complete.
func untilCancelled(ctx context.Context, create results.Create) results.Create {
	return func(part, path string) (io.WriteCloser, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := create(part, path)
		if err != nil {
			return nil, err
		}
		return cancellable{f, ctx}, nil
	}
}

// A cancellable file is written until its context is cancelled.
type cancellable struct {
	io.WriteCloser
	ctx context.Context
}

// Write implements io.Writer. The error may be that of the context.
func (f cancellable) Write(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.WriteCloser.Write(p)
}
