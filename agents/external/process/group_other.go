//go:build !unix

package process

import "os/exec"

func separate(*exec.Cmd) {}

// endGroup kills a command that was started. This system has no process groups, so processes that the command started go on.
func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // an error means that it has ended already
