package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// watch starts the program of an order, confined, and returns how it ended, as shells do. Processes that lose their parent become
// its children. When the program has ended, or the descriptor stillWanted has, it kills all of them.
func watch(text string) (code int) {
	failed := os.NewFile(startFailed, "")
	fail := func(err error) int {
		_, _ = failed.WriteString(err.Error())
		return 1
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fail(fmt.Errorf("it cannot be kept: %w", err))
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fail(fmt.Errorf("it cannot be kept: %w", err))
	}
	unix.CloseOnExec(stillWanted)
	signal.Notify(make(chan os.Signal, 1), unix.SIGINT, unix.SIGTERM) // one to all processes of a job is for the one that started this
	cmd := exec.Command("/proc/self/exe", confineArgument, text)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, os.Stderr, []*os.File{failed}
	separate(cmd)
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	for _, f := range []*os.File{failed, os.Stdin, os.Stdout, os.Stderr} { // the program alone has them, so that their end is its end
		_ = f.Close()
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.NewFile(stillWanted, ""))
		_ = cmd.Process.Kill()
	}()
	_ = cmd.Wait() // the state says more than the error
	killChildren()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// killChildren kills all children of this process, and those that become its children because their parent has ended, until
// there are none.
func killChildren() {
	for {
		for _, pid := range children() {
			_ = unix.Kill(pid, unix.SIGKILL) // an error means that it has ended
		}
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
			return // ECHILD: there are none
		}
	}
}

// children returns the children of this process that have not ended.
func children() (pids []int) {
	tasks, _ := os.ReadDir("/proc/self/task") // no error: this process is there
	for _, t := range tasks {
		list, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		for _, word := range strings.Fields(string(list)) {
			if pid, err := strconv.Atoi(word); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
