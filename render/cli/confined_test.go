package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"achilles/agents/external/process"
	"achilles/render/cli"
	"achilles/render/cli/clitest"
)

// confinable skips a test where programs cannot be confined.
func confinable(t *testing.T) {
	t.Helper()
	if err := (&process.Seat{Launcher: os.Args[0]}).Unconfined(t.Context()); err != nil {
		t.Skipf("programs cannot be confined here: %v", err)
	}
}

// freely runs a command line that cannot confine programs.
func freely(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Run(context.Background(), cli.Host{}, args, &o, &e)
	return code, o.String(), e.String()
}

// marks returns which files of a results directory say that programs were not confined.
func marks(t *testing.T, dir string) (files []string) {
	t.Helper()
	for _, f := range []string{"ledger.json", "public/manifest.json", "inferred/manifest.json", "scores/scores.json", "report/index.html"} {
		b, err := os.ReadFile(filepath.Join(dir, f))
		if err == nil && (bytes.Contains(b, []byte("not_confined")) || bytes.Contains(b, []byte("NOT CONFINED"))) {
			files = append(files, f)
		}
	}
	return files
}

// TestSubjectStealsNothing checks that a subject that is a program cannot read the drawn root seed or the seal, and that where
// programs are not confined, what it made says so.
func TestSubjectStealsNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "stolen.toml")
	for _, confined := range []bool{true, false} {
		r := filepath.Join(dir, fmt.Sprint(confined))
		command := clitest.Thief(t, r)
		write(t, file, fmt.Appendf(nil, "name = \"stolen\"\nseed = \"drawn\"\n[battery]\nsuite = \"opiaagets\"\ncoding = \"worlds\"\nitems = 3\n[inference]\nlayout = \"constant\"\n"+
			"[[agent]]\nname = \"good\"\nrule = [{ p = 0.9 }]\n[agent.truth]\nreason = \"x\"\n[[agent]]\nname = \"spy\"\ncommand = [%q, %q]\n", command[0], command[1]))
		run := []string{"run", file, "--out", r, "--draws", "100", "--warmup", "50"}
		if confined {
			confinable(t)
			must(t, run...)
		} else if code, out, errs := freely(t, run...); code != 0 || !strings.Contains(errs, "programs are not confined, and the results say so") || !strings.Contains(out, "NOT CONFINED") {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		stole := false
		for name, b := range tree(t, r) {
			stole = stole || strings.HasPrefix(name, ".played/") && bytes.Contains(b, []byte(clitest.Stole))
		}
		if stole == confined {
			t.Errorf("confined %t: it stole: %t", confined, stole)
		}
		if got := marks(t, r); (len(got) == 0) != confined || !confined && len(got) != 4 {
			t.Errorf("confined %t: marked in %v", confined, got)
		}
	}
}

// TestJournalKeepsConfinement checks that what a program did while it was not confined stays marked after a run that confines.
func TestJournalKeepsConfinement(t *testing.T) {
	confinable(t)
	dir := t.TempDir()
	file, r := filepath.Join(dir, "one.toml"), filepath.Join(dir, "r")
	write(t, file, fmt.Appendf(nil, "name = \"one\"\n[battery]\ncoding = \"worlds\"\nitems = 2\n[[agent]]\nname = \"one\"\ncommand = [%q, \"agent.py\"]\n", clitest.Program(t)))
	if code, _, errs := freely(t, "generate", file, "--out", r); code != 0 {
		t.Fatal(errs)
	}
	first := tree(t, r)
	must(t, "generate", file, "--out", r)
	if again := tree(t, r); !equal(first, again) || len(marks(t, r)) != 2 {
		t.Errorf("marked in %v; changed: %v", marks(t, r), differing(first, again))
	}
}

// TestPrivateParts checks that only their user can read what is sealed, a drawn root seed, and the journal.
func TestPrivateParts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has other permissions")
	}
	r := filepath.Join(t.TempDir(), "r")
	must(t, "run", clitest.Trio(t), "--seed", "drawn", "--out", r)
	n := 0
	err := filepath.Walk(filepath.Join(r, "sealed"), func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has %s", path, info.Mode())
		}
		n++
		return err
	})
	if err != nil || n < 2 {
		t.Errorf("%d files (%v)", n, err)
	}
}

// TestAllow checks that --allow refuses what is not there, and the results directory.
func TestAllow(t *testing.T) {
	dir := t.TempDir()
	for allow, want := range map[string]string{filepath.Join(dir, "nothing"): "no such file", dir: "is not for programs", filepath.Join(dir, "r"): "is not for programs"} {
		if err := os.MkdirAll(filepath.Join(dir, "r"), 0o755); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := achilles(t, "generate", clitest.Trio(t), "--out", filepath.Join(dir, "r"), "--allow", allow); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("--allow %s: exit %d, %s", allow, code, errs)
		}
	}
}
