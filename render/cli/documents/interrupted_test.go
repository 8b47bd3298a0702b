package documents_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"achilles/render/cli"
)

// interrupted runs a command that serves without a display until it is interrupted, which it is when it has printed the text `said`. That is
// how it ends, so the test fails if it does not exit with 0.
func interrupted(t *testing.T, said string, args ...string) {
	t.Helper()
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &listener{said: said, do: cancel}
	code := cli.Run(ctx, cli.Host{}, args, io.Discard, w)
	if ctx.Err() == nil || code != 0 {
		t.Errorf("achilles %s: exit %d\n%s", strings.Join(args, " "), code, &w.text)
	}
}

// A listener is a writer that calls do whenever something is written and all text so far contains `said`.
type listener struct {
	said string
	do   func()
	text bytes.Buffer
}

func (l *listener) Write(b []byte) (int, error) {
	l.text.Write(b)
	if strings.Contains(l.text.String(), l.said) {
		l.do()
	}
	return len(b), nil
}
