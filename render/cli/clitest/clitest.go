// Package clitest helps tests of the command line: it runs command lines in this process, makes small results
// directories once for all tests of a package, reads and compares directories, and lets the test itself stand for the
// programs that act and observe.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/render/cli"
)

// saveMemory does what main does before its command: less memory is collected then.
var saveMemory = sync.OnceFunc(cli.SaveMemory)

// Achilles runs one command line in this process, as main does.
func Achilles(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	saveMemory()
	var out, err bytes.Buffer
	code = cli.Run(context.Background(), cli.Host{Launcher: os.Args[0], InProcess: true}, args, &out, &err)
	return code, out.String(), err.String()
}

// Must runs a command line and returns its output. The test fails if the command does.
func Must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, err := Achilles(t, args...)
	if code != 0 {
		t.Fatalf("achilles %s: exit %d\n%s", strings.Join(args, " "), code, err)
	}
	return out
}

// A made is what a command line made: the directory, its files and the output.
type made struct {
	dir   string
	files map[string][]byte
	out   string
}

// kept has what Once has made, by command line.
var kept = map[string]made{}

// Once makes the directory dir by a command line, to which it adds --out, and returns the output. If a test of the
// package has made a directory by the same command line before, Once runs nothing and writes a copy.
func Once(t *testing.T, dir string, args ...string) string {
	t.Helper()
	line := strings.Join(args, "\n")
	m, ok := kept[line]
	if !ok {
		m = made{dir: dir, out: Must(t, append(slices.Clip(args), "--out", dir)...)}
		m.files = Tree(t, dir)
		kept[line] = m
		return m.out
	}
	for name, b := range m.files {
		Write(t, filepath.Join(dir, name), b)
	}
	return strings.ReplaceAll(m.out, m.dir, dir)
}

// Few is a configuration of analyse with one model and few resamplings.
const Few = "replicates = 10\npermutations = 10\n[prediction]\nmodels = [\"majority\"]\n"

// Trio returns the file of a scenario whose run takes a fraction of a second: three subjects of the quick start, few
// items, few draws, a layout with one parameter.
func Trio(t *testing.T) string {
	t.Helper()
	return filepath.Join(Repository(t), "render", "cli", "clitest", "testdata", "trio.toml")
}

// SmallRun has the results of a run of Trio in dir, and returns what the run prints.
func SmallRun(t *testing.T, dir string, more ...string) string {
	t.Helper()
	return Once(t, dir, append([]string{"run", Trio(t)}, more...)...)
}

// Graded has the results of a run of Trio in dir with the layout op, which has capabilities to recover.
func Graded(t *testing.T, dir string) string {
	t.Helper()
	return SmallRun(t, dir, "--layout", "op")
}

// Unblinded reports whether the result in a directory is marked as inferred after the seal was opened.
func Unblinded(t *testing.T, dir string) bool {
	t.Helper()
	var s struct{ Unblinded bool }
	if err := json.Unmarshal(Read(t, filepath.Join(dir, "scores", "scores.json")), &s); err != nil {
		t.Fatal(err)
	}
	return s.Unblinded
}

// A Writer is a function that is called with all that is written.
type Writer func([]byte) (int, error)

// Write implements io.Writer.
func (w Writer) Write(p []byte) (int, error) { return w(p) }
