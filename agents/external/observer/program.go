package observer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"achilles/sim/record"
)

// Ask starts an observer, a program with its arguments, lets it watch the videos of the items and returns its answers.
// What it writes to standard error goes to complaints. It is killed when the context ends and when its answers make no
// sense.
func Ask(ctx context.Context, program []string, items []record.Watched, complaints io.Writer) ([]Answer, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stderr = complaints
	cmd.WaitDelay = time.Second // for children of its own that keep its output open
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("outside: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("outside: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("outside: cannot start %s: %w", program[0], err)
	}
	answers, err := Converse(items, in, out)
	if err != nil {
		stop() // it may go on for ever
	}
	return answers, errors.Join(err, cmd.Wait())
}
