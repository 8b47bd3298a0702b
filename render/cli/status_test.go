package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

// every runs a command line that prints lines of progress at intervals of d.
func every(d time.Duration, args ...string) (code int, stderr string) {
	var out, errs bytes.Buffer
	code = cli.RunEvery(context.Background(), cli.Host{}, args, &out, &errs, d)
	return code, errs.String()
}

// TestStatusLines checks that, if there is no terminal, lines say how far the work is and whom it waits for.
func TestStatusLines(t *testing.T) {
	longtest.Only(t, "waits for real delays")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to run programs with")
	}
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	must(t, "generate", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--out", r)
	code, said := every(50*time.Millisecond, "infer", r, "--observers", "duration", "--outside", "mine="+sleeper(t, sh), "--timeout", "400ms")
	if code != 1 || !strings.Contains(said, "achilles: observer mine: 0 of 2\n") || !strings.Contains(said, "observer mine: observer: it took more than 400ms over answer 1 of 2") {
		t.Errorf("exit %d\n%s", code, said)
	}
	file := filepath.Join(dir, "waits.toml")
	write(t, file, []byte("name = \"waits\"\n[battery]\nsuite = \"opiaagets\"\ncoding = \"worlds\"\nitems = 4\n[[agent]]\nname = \"slow\"\ncommand = [\""+sh+"\", \"-c\", \"sleep 1\"]\n"))
	code, said = every(50*time.Millisecond, "generate", file, "--out", filepath.Join(dir, "w"))
	if code != 0 || !regexp.MustCompile(`achilles: generate: 0 of 1, waiting for slow, trial 1 of \d+\n`).MatchString(said) {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// TestQuickWorkIsSilent checks that no line says how far the work is if it takes less than an interval.
func TestQuickWorkIsSilent(t *testing.T) {
	if code, said := every(time.Hour, "generate", "bib", "--set", "episodes=1", "--out", filepath.Join(t.TempDir(), "fast")); code != 0 || strings.Contains(said, " of ") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// sleeper writes a program that never answers, and returns its path.
func sleeper(t *testing.T, sh string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sleeper")
	if err := os.WriteFile(path, []byte("#!"+sh+"\nsleep 600 &\nwait\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTimeouts checks that time limits outside their bounds are refused.
func TestTimeouts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	must(t, "generate", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--out", dir)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"infer", dir, "--timeout", "2h"}, 2, `invalid argument "2h" for "--timeout" flag: want a duration such as 90s or 5m, above 0s, at most 1h0m0s`},
		{[]string{"infer", dir, "--timeout", "-1s"}, 2, "above 0s, at most 1h0m0s"},
		{[]string{"run", "bib", "--set", "inference.timeout=0", "--out", filepath.Join(dir, "r")}, 1, "key inference.timeout: want seconds above 0, at most 3600, not 0"},
	} {
		if code, _, stderr := achilles(t, c.args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// TestLostOutput checks that it is an error if the output cannot be written.
func TestLostOutput(t *testing.T) {
	full := clitest.Writer(func([]byte) (int, error) { return 0, errors.New("no space left") })
	for _, args := range [][]string{{"scenarios", "list"}, {"--help"}, {"--version"}} {
		var errs bytes.Buffer
		if code := cli.Run(context.Background(), cli.Host{}, args, full, &errs); code != 1 || !strings.Contains(errs.String(), "achilles: the output could not be written: ") || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}

func TestVersion(t *testing.T) {
	if out := must(t, "--version"); !regexp.MustCompile(`^achilles version \S+, built with go1\.\d+\S*\n$`).MatchString(out) {
		t.Errorf("it says %q", out)
	}
}
