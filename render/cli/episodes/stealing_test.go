package episodes_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/agents/external/process"
	"achilles/render/cli"
	"achilles/render/cli/clitest"
)

// TestObserverStealsNothing checks that an observer that is a program cannot read the seal, and that where programs are not confined,
// its result says so.
func TestObserverStealsNothing(t *testing.T) {
	r := filepath.Join(t.TempDir(), "watched")
	must(t, "generate", "bib", "--set", "episodes=2", "--set", `bib.tasks=["efficiency_time"]`, "--out", r)
	watch := []string{"infer", r, "--observers", "duration", "--outside", "mine=" + strings.Join(clitest.Thief(t, r), " ")}
	var out, errs bytes.Buffer
	if code := cli.Run(context.Background(), cli.Host{}, watch, &out, &errs); code == 0 || !strings.Contains(errs.String(), clitest.Stole) {
		t.Errorf("an observer that is not confined steals nothing, so that this test cannot fail: exit %d, %s", code, errs.String())
	}
	honest := []string{"infer", r, "--observers", "duration", "--outside", "mine=" + clitest.Program(t) + " observer.py"}
	if code := cli.Run(context.Background(), cli.Host{}, honest, &out, &errs); code != 0 || !bytes.Contains(read(t, filepath.Join(r, "inferred", "manifest.json")), []byte("not_confined")) {
		t.Errorf("exit %d: the manifest does not say that the observer was not confined: %s", code, errs.String())
	}
	if out := must(t, "score", r); !strings.Contains(out, "NOT CONFINED") || !bytes.Contains(read(t, filepath.Join(r, "ledger.json")), []byte(`"not_confined": true`)) {
		t.Errorf("neither scores nor ledger say so:\n%s", out)
	}
	if err := (&process.Seat{Launcher: os.Args[0]}).Unconfined(t.Context()); err != nil {
		t.Skipf("programs cannot be confined here: %v", err)
	}
	must(t, append(watch, "--force")...)
	if out := must(t, "score", r, "--force"); strings.Contains(out, "NOT CONFINED") || bytes.Contains(read(t, filepath.Join(r, "inferred", "manifest.json")), []byte("not_confined")) {
		t.Errorf("a confined observer is marked:\n%s", out)
	}
}
