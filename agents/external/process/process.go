// Package process starts programs that speak with this one over their standard input and output. Each has a process group
// of its own, so that what it has started ends with it.
package process

import (
	"context"
	"os/exec"
	"time"
)

// waitDelay is how long a program's output is waited for after its end: what it has started may keep it open.
const waitDelay = time.Second

// Command is a command with its arguments, in a group of its own that is killed when the context ends. Whoever has waited
// for it calls End.
func Command(ctx context.Context, command []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	separate(cmd)
	cmd.Cancel = func() error {
		End(cmd)
		return nil
	}
	cmd.WaitDelay = waitDelay
	return cmd
}
