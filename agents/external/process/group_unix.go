//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills all processes that remain in the group of a command that was started.
func endGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error means that none remains
}
