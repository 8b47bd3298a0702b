//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"achilles/agents/external/process"
)

// gone waits until a process has ended and reports whether it has.
func gone(pid int) bool {
	for range 500 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestWholeGroup checks that the processes that a program has started end with it, both if the program is cancelled and if
// it ends by itself.
func TestWholeGroup(t *testing.T) {
	for _, c := range []struct {
		why, script string
		cancel      bool
	}{
		{"cancelled", "sleep 600 & echo $!; wait", true},
		{"ended by itself", "sleep 600 >/dev/null & echo $!", false},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		cmd := process.Command(ctx, []string{"sh", "-c", c.script})
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		child, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		if c.cancel {
			cancel()
		}
		_ = cmd.Wait() // the error of a program that was killed is expected
		process.End(cmd)
		if !gone(child) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Errorf("%s: what it has started lives on", c.why)
		}
	}
}
