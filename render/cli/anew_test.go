package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestForceAsksProgramsAgain checks that --force asks a program again, which may have changed since; without it a run goes on with what was done, as it does
// where one that began anew was stopped.
func TestForceAsksProgramsAgain(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "mine.toml"), filepath.Join(t.TempDir(), "out")
	write(t, file, []byte("name = \"mine\"\n[battery]\ncoding = \"worlds\"\nitems = 2\n[[agent]]\nname = \"mine\"\ncommand = [\"sh\", \""+filepath.Join(dir, "agent.sh")+"\"]\n"))
	generate := func(agent string, flags ...string) string {
		t.Helper()
		write(t, filepath.Join(dir, "agent.sh"), []byte(agent))
		code, _, stderr := clitest.Achilles(t, append([]string{"generate", file, "--out", out, "--allow", dir}, flags...)...)
		if code != 0 {
			t.Fatalf("%v: %d %s", flags, code, stderr)
		}
		return stderr
	}
	const three, four = "exit 3", "exit 4"
	if said := generate(three); !strings.Contains(said, "exit status 3") {
		t.Fatalf("the first run says %s", said)
	}
	if said := generate(four); !strings.Contains(said, "exit status 3") {
		t.Errorf("without --force it says %s", said)
	}
	if said := generate(four, "--force"); !strings.Contains(said, "exit status 4") {
		t.Errorf("with --force it says %s", said)
	}
	if _, err := os.Stat(filepath.Join(out, ".anew")); err == nil {
		t.Error("the mark of a run that has not ended is left")
	}
	write(t, filepath.Join(out, ".anew"), nil) // as a run that was stopped leaves it
	if said := generate(three, "--force"); !strings.Contains(said, "exit status 4") {
		t.Errorf("after a stop it says %s", said)
	}
}
