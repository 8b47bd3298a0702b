//go:build !unix

package process

import "os/exec"

func separate(*exec.Cmd) {}

// End kills a command that was started. There are no process groups here: what it has started goes on.
func End(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // an error says that it has ended
