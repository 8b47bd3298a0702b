//go:build unix

package process_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"achilles/agents/external/process"
)

// roles are the programs that the test program can be: the first argument names one, the rest are its arguments.
var roles = map[string]func(args []string){}

func TestMain(m *testing.M) {
	process.Launch(os.Args[1:])
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		roles[os.Args[1]](os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

func init() {
	roles["none"] = func([]string) {}
	roles["holder"] = func(args []string) { // holds a pipe open until the end of its input
		f, err := os.OpenFile(args[0], os.O_WRONLY, 0)
		if err == nil {
			_, _ = io.Copy(io.Discard, os.Stdin)
			f.Close()
		}
	}
	roles["starter"] = func(args []string) { // starts a holder that outlives it, or waits for it
		child := exec.Command(os.Args[0], "holder", args[0])
		in, _ := child.StdinPipe()
		if child.Start() != nil {
			os.Exit(1)
		}
		if args[1] == "waits" {
			os.Stdout.WriteString("started\n")
			_ = child.Wait()
		}
		_ = in
	}
}

// TestWholeGroup checks that the processes that a program has started end with it, if the program is not confined: both if
// the program is cancelled and if it ends by itself.
func TestWholeGroup(t *testing.T) {
	for _, how := range []string{"waits", "ends"} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		p, err := new(process.Seat).Start(ctx, []string{os.Args[0], "starter", pipe, how}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		alive, err := os.Open(pipe) // waits for the holder
		if err != nil {
			t.Fatal(err)
		}
		if how == "waits" {
			cancel()
		}
		_ = p.Wait() // the error of a program that was killed is expected
		p.End()
		if _, err := io.ReadAll(alive); err != nil { // for ever, if a process lives on
			t.Error(err)
		}
		alive.Close()
	}
}

// TestKeepsAway checks that no program starts that would be allowed to read the results directory, by any name of it.
func TestKeepsAway(t *testing.T) {
	dir := t.TempDir()
	results := filepath.Join(dir, "results", "mine")
	if err := os.MkdirAll(filepath.Join(results, "sealed"), 0o700); err != nil {
		t.Fatal(err)
	}
	truth := filepath.Join(results, "sealed", "truth.json")
	if err := os.WriteFile(truth, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(other, "link")
	if err := os.Symlink(results, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		seat process.Seat
		args []string
		want string
	}{
		{"the directory", process.Seat{Allow: []string{results}}, nil, "is not for programs"},
		{"one that has it", process.Seat{Allow: []string{dir}}, nil, "is not for programs"},
		{"one in it", process.Seat{Allow: []string{filepath.Join(results, "sealed")}}, nil, "is not for programs"},
		{"the root", process.Seat{Allow: []string{"/"}}, nil, "is not for programs"},
		{"a link", process.Seat{Allow: []string{link}}, nil, "is not for programs"},
		{"an argument", process.Seat{}, []string{truth}, "is not for programs"},
		{"a linked argument", process.Seat{}, []string{filepath.Join(link, "sealed", "truth.json")}, "is not for programs"},
		{"another", process.Seat{Allow: []string{other}}, nil, ""},
	} {
		c.seat.Never = results
		p, err := c.seat.Start(t.Context(), append([]string{os.Args[0], "none"}, c.args...), io.Discard)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
		if len(c.args) == 0 && (c.seat.Check() == nil) != (c.want == "") {
			t.Errorf("%s: Check: %v", c.what, c.seat.Check())
		}
		if err == nil {
			_ = p.In.Close()
			_ = p.Wait()
			p.End()
		}
	}
	if err := (&process.Seat{Allow: []string{filepath.Join(dir, "nothing")}}).Check(); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestOwnDirectory checks that a program, confined or not, is in an empty directory of its own that is gone when it has ended, has
// few variables, and finds the files that its arguments name.
func TestOwnDirectory(t *testing.T) {
	t.Setenv("ACHILLES_TEST_SECRET", "x")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("agent.txt", []byte("read me"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, launcher := range []string{"", os.Args[0]} {
		seat := &process.Seat{Launcher: launcher}
		p, err := seat.Start(t.Context(), []string{os.Args[0], "tells", "agent.txt"}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(p.Out)
		if err != nil {
			t.Error(err)
		}
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		if len(lines) < 4 || lines[1] != "0 files" || lines[2] != "read me" {
			t.Fatalf("it tells %q", said)
		}
		for _, v := range lines[3:] {
			name, _, _ := strings.Cut(v, "=")
			if !slices.Contains([]string{"HOME", "TMPDIR", "TEMP", "TMP", "PWD", "PATH", "LANG", "LC_ALL", "TZ"}, name) {
				t.Errorf("it has the variable %s", name)
			}
		}
		p.End()
		if _, err := os.Stat(lines[0]); !os.IsNotExist(err) {
			t.Errorf("its directory remains (%v)", err)
		}
	}
}

func init() {
	roles["tells"] = func(args []string) {
		dir, _ := os.Getwd()
		files, _ := os.ReadDir(".")
		text, _ := os.ReadFile(args[0])
		lines := append([]string{dir, string('0'+rune(len(files))) + " files", string(text)}, os.Environ()...)
		os.Stdout.WriteString(strings.Join(lines, "\n"))
	}
}
