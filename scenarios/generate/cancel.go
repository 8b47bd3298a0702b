package generate

import (
	"context"
	"io"
	"sync"

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

// oneByOne returns a create that several goroutines may call, each for files of its own. It opens and closes one file at a time.
func oneByOne(create results.Create) results.Create {
	mu := new(sync.Mutex)
	return func(part, path string) (io.WriteCloser, error) {
		mu.Lock()
		defer mu.Unlock()
		f, err := create(part, path)
		if err != nil {
			return nil, err
		}
		return closedAlone{f, mu}, nil
	}
}

// A closedAlone file is closed when no other is opened or closed.
type closedAlone struct {
	io.WriteCloser
	mu *sync.Mutex
}

// Close implements io.Closer.
func (f closedAlone) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.WriteCloser.Close()
}
