// Package process starts programs that exchange data with this one over standard input and output. Each has its own
// process group, so that the processes that it starts end with it.
package process

import (
	"context"
	"os/exec"
	"time"
)

// waitDelay is the time to wait for the end of a program's output after the program has ended: a process that the
// program started may keep the output open.
const waitDelay = time.Second

// Command returns a command with its arguments, in its own process group, which is killed when the context ends. After
// Wait the caller must call End.
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
