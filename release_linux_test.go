package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"achilles/sim/longtest"
)

// TestRelease makes the program of a release twice. It is static, starts in an empty root, and shows results to a browser where
// there is neither the go command nor the source.
func TestRelease(t *testing.T) {
	longtest.Only(t, "builds the program twice")
	for _, tool := range []string{"bash", "zstd", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s", tool)
		}
	}
	dir := t.TempDir()
	var sums [2][]byte
	for i, name := range []string{"one", "two"} {
		c := exec.Command("bash", ".ci/release.sh", filepath.Join(dir, name))
		c.Env = append(os.Environ(), "PLATFORMS=linux/amd64")
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		var err error
		if sums[i], err = os.ReadFile(filepath.Join(dir, name, "SHA256SUMS")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(sums[0], sums[1]) || bytes.Count(sums[0], []byte("\n")) != 5 {
		t.Errorf("the same commit gives other bytes:\n%s\n%s", sums[0], sums[1])
	}
	program := filepath.Join(dir, "one", "achilles-linux-amd64")
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 || f.Section(".interp") != nil {
		t.Errorf("it is not static: it wants %v (%v)", libraries, err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can change the root of a program")
	}
	root := t.TempDir()
	text, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "achilles"), text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) *exec.Cmd {
		c := exec.Command("/achilles", args...)
		c.Dir, c.Env = "/", []string{}
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		return c
	}
	if said, err := inside("version").CombinedOutput(); err != nil || !strings.HasPrefix(string(said), "achilles version ") {
		t.Fatalf("version: %v: %s", err, said)
	}
	if said, err := inside("generate", "embodied", "--set", "battery.items=12", "--set", "population[0].count=3", "--out", "/r").CombinedOutput(); err != nil {
		t.Fatalf("generate: %v: %s", err, said)
	}
	view := inside("view", "/r")
	errs, err := view.StderrPipe()
	if err == nil {
		err = view.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = view.Process.Signal(os.Interrupt) // an error means that it has ended
		_ = view.Wait()
	}()
	lines, said := bufio.NewScanner(errs), ""
	for lines.Scan() {
		said += lines.Text() + "\n"
		if _, rest, ok := strings.Cut(lines.Text(), "http://"); ok {
			address, _, _ := strings.Cut(rest, " ")
			answer, err := http.Post("http://"+address+"open", "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusOK || !bytes.HasPrefix(text, []byte(`{"page":`)) {
				t.Errorf("it answers %d %s (%v)", answer.StatusCode, text, err)
			}
			return
		}
	}
	t.Errorf("no address was printed: %s", said)
}
