package process_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"achilles/agents/external/process"
)

// confining returns a seat that confines programs. The test is skipped where that cannot be.
func confining(t *testing.T) *process.Seat {
	t.Helper()
	s := &process.Seat{Launcher: os.Args[0], Pass: []string{"GORACE"}} // where .ci/race.sh says not to sleep at the end
	if err := s.Unconfined(t.Context()); err != nil {
		t.Skipf("programs cannot be confined here: %v", err)
	}
	return s
}

func init() { roles["spy"] = func(args []string) { spy(args[0], args[1], args[2]) } }

// spy tries to reach what no program should, and tells what it got by JSON: result is a results directory with files of a seal and of
// a drawn seed, parent the process that started it, and outside a directory in which anybody can write.
func spy(result, parent, outside string) {
	got := map[string]string{}
	for fd := 3; fd < 256; fd++ {
		if link, err := os.Readlink(fmt.Sprint("/proc/self/fd/", fd)); err == nil && strings.HasPrefix(link, result) { // the runtime has others open
			got["descriptor"] += link + " "
		}
	}
	try := func(name string, f func() (string, error)) {
		if text, err := f(); err == nil {
			got[name] = text
		}
	}
	read := func(path string) func() (string, error) {
		return func() (string, error) {
			b, err := os.ReadFile(path)
			return string(b[:min(len(b), 40)]), err
		}
	}
	do := func(f func() error) func() (string, error) { return func() (string, error) { return "done", f() } }
	seal := filepath.Join(result, "sealed", "truth.json")
	try("drawn seed", read(filepath.Join(result, ".drawn")))
	try("seal", read(seal))
	try("public", read(filepath.Join(result, "public", "manifest.json")))
	try("names", do(func() error { _, err := os.ReadDir(result); return err }))
	try("names above", do(func() error { _, err := os.ReadDir(filepath.Dir(result)); return err }))
	try("hard link", do(func() error { return os.Link(seal, "mine") }))
	try("symbolic link", func() (string, error) {
		_ = os.Symlink(seal, "linked")
		return read("linked")()
	})
	try("move", do(func() error { return os.Rename(seal, "moved") }))
	try("write", do(func() error { return os.WriteFile(filepath.Join(result, "public", "hint"), nil, 0o600) }))
	try("truncate", do(func() error { return os.Truncate(filepath.Join(result, "public", "manifest.json"), 0) }))
	try("remove", do(func() error { return os.Remove(filepath.Join(result, "public", "manifest.json")) }))
	try("write elsewhere", do(func() error { return os.WriteFile(filepath.Join(outside, "note"), nil, 0o600) }))
	try("shared memory", do(func() error { return os.WriteFile("/dev/shm/achilles-test-note", nil, 0o600) }))
	try("shared memory without a file", do(func() error {
		if _, _, errno := syscall.Syscall(syscall.SYS_SHMGET, 4242, 4096, 0o1600); errno != 0 {
			return errno
		}
		return nil
	}))
	for _, pid := range []string{parent, strconv.Itoa(os.Getppid())} {
		for _, f := range []string{"mem", "environ", "cmdline", "maps", "status"} {
			try("/proc/PID/"+f, read(filepath.Join("/proc", pid, f)))
		}
		for _, f := range []string{"cwd", "exe", "root", "fd/0"} {
			try("/proc/PID/"+f, func() (string, error) { return os.Readlink(filepath.Join("/proc", pid, f)) })
		}
		try("through the parent's directory", read(filepath.Join("/proc", pid, "root", seal)))
		n, _ := strconv.Atoi(pid)
		if got["seal"] == "" { // otherwise the test itself would stop at its next signal
			try("trace", do(func() error { return unix.PtraceSeize(n) }))
		}
		try("signal", do(func() error { return syscall.Kill(n, syscall.SIGCONT) })) // harmless
		try("memory", do(func() error {
			b := make([]byte, 8)
			_, err := unix.ProcessVMReadv(n, []unix.Iovec{{Base: &b[0], Len: 8}}, []unix.RemoteIovec{{Base: 0x400000, Len: 8}}, 0)
			return err
		}))
		try("descriptors of the parent", do(func() error {
			fd, err := unix.PidfdOpen(n, 0)
			if err == nil {
				_, err = unix.PidfdGetfd(fd, 0, 0)
			}
			return err
		}))
	}
	try("socket of a file", do(func() error { _, err := net.Listen("unix", "here"); return err }))
	try("abstract socket", do(func() error { _, err := net.Listen("unix", "@achilles-test"); return err }))
	try("network", do(func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }))
	if parent == strconv.Itoa(os.Getppid()) {
		delete(got, "signal") // only a confined program has another parent
	}
	_ = json.NewEncoder(os.Stdout).Encode(got)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// spied returns what the spy gets on a seat.
func spied(t *testing.T, s *process.Seat) map[string]string {
	t.Helper()
	dir, outside := filepath.Join(t.TempDir(), "results"), t.TempDir()
	for _, f := range []string{".drawn", "sealed/truth.json", "public/manifest.json"} {
		path := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inherited, err := syscall.Open(filepath.Join(dir, ".drawn"), syscall.O_RDONLY, 0) // without O_CLOEXEC, as a shell hands descriptors on
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	s.Never = dir
	p, err := s.Start(t.Context(), []string{os.Args[0], "spy", dir, strconv.Itoa(os.Getpid()), outside}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.End()
	got := map[string]string{}
	if err := json.NewDecoder(p.Out).Decode(&got); err != nil {
		t.Error(err)
	}
	_ = p.In.Close()
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	_ = os.Remove("/dev/shm/achilles-test-note")
	return got
}

// TestSpy checks that a confined program reaches nothing of the results, of other processes or of the network, and that the same
// program reaches them if it is not confined.
func TestSpy(t *testing.T) {
	seat := confining(t)
	for what, text := range spied(t, seat) {
		t.Errorf("a confined program has %s: %q", what, text)
	}
	got := spied(t, &process.Seat{})
	for _, what := range []string{"drawn seed", "seal", "names", "hard link", "write", "/proc/PID/cmdline", "/proc/PID/cwd", "abstract socket", "network"} {
		if got[what] == "" {
			t.Errorf("a program that is not confined lacks %s: the test cannot fail", what)
		}
	}
	if got["descriptor"] != "" {
		t.Errorf("it inherits %s", got["descriptor"])
	}
}

func init() {
	roles["daemon"] = func([]string) { // leaves a process in a session of its own, whose parent has ended
		child := exec.Command(os.Args[0], "daemon2")
		child.Stderr = os.Stderr
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, _ := child.StdoutPipe()
		if child.Start() == nil {
			_, _ = io.Copy(os.Stdout, out) // until the child has ended
		}
	}
	roles["daemon2"] = func([]string) {
		child := exec.Command(os.Args[0], "sleeper")
		child.Stderr = os.Stderr
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if child.Start() == nil {
			fmt.Println(child.Process.Pid)
		}
	}
	roles["fails"] = func([]string) { os.Exit(7) }
	roles["dies"] = func([]string) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	roles["sleeper"] = func([]string) { select {} }
	roles["parent"] = func(args []string) { // starts a sleeper, says so and does not end
		s := &process.Seat{Launcher: os.Args[0]}
		if _, err := s.Start(context.Background(), []string{os.Args[0], "sleeper"}, os.Stderr); err != nil {
			os.Exit(1)
		}
		fmt.Println("started")
		select {}
	}
}

// TestNothingOutlives checks that a process that has left its group, its session and its parent ends with the program.
func TestNothingOutlives(t *testing.T) {
	p, err := confining(t).Start(t.Context(), []string{os.Args[0], "daemon"}, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(p.Out)
	if err := p.Wait(); err != nil { // exec.ErrWaitDelay, if somebody holds standard error
		t.Errorf("it ended with %v", err)
	}
	p.End()
	pid, err := strconv.Atoi(strings.TrimSpace(string(said)))
	if err != nil {
		t.Fatalf("it said %q", said)
	}
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		t.Errorf("a process lives on: %s", text)
	}
}

// TestEndsWithParent checks that a program ends with the process that started it, even if that is killed.
func TestEndsWithParent(t *testing.T) {
	confining(t)
	held, holder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "parent")
	cmd.Stderr = holder
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	holder.Close()
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if _, err := io.ReadAll(held); err != nil { // for ever, if the program lives on
		t.Error(err)
	}
}

// TestHowItEnds checks that the end of a confined program is told as that of any other, and why it cannot be started.
func TestHowItEnds(t *testing.T) {
	s := confining(t)
	dir := t.TempDir()
	text, torn := filepath.Join(dir, "text"), filepath.Join(dir, "torn")
	for path, content := range map[string]string{text: "", torn: "#!/no/such/interpreter\n"} {
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command     []string
		start, ends string
	}{
		{[]string{os.Args[0], "fails"}, "", "exit status 7"},
		{[]string{os.Args[0], "dies"}, "", "exit status 137"},
		{[]string{"/no/such"}, "cannot start /no/such: no such file or directory", ""},
		{[]string{text}, "exec format error", ""},
		{[]string{torn}, "no such file or directory", ""},
		{[]string{dir}, "cannot start " + dir, ""},
	} {
		p, err := s.Start(t.Context(), c.command, io.Discard)
		if c.start != "" {
			if err == nil || !strings.Contains(err.Error(), c.start) {
				t.Errorf("%v: %v, want %q", c.command, err, c.start)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err == nil || err.Error() != c.ends {
			t.Errorf("%v: %v, want %q", c.command, err, c.ends)
		}
		p.End()
	}
	if err := (&process.Seat{Launcher: torn}).Unconfined(t.Context()); err == nil {
		t.Error("any program is a launcher")
	}
	if err := (&process.Seat{}).Unconfined(t.Context()); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a launcher: %v", err)
	}
}
