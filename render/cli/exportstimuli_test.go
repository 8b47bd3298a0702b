package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestExportStimuli checks that every trial is a film, that neither names nor the list tell what is expected, that the seal stays shut
// without --key, and that the key is refused inside of what is handed out.
func TestExportStimuli(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "bib"), filepath.Join(t.TempDir(), "stimuli")
	must(t, "generate", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference","efficiency_irrational"]`, "--out", dir)
	if said := must(t, "export", "stimuli", dir, "--out", out); !strings.HasPrefix(said, "28 films of 2 episodes") {
		t.Errorf("it says %s", said)
	}
	ledger := string(clitest.Read(t, filepath.Join(dir, "ledger.json")))
	if strings.Contains(ledger, "export") {
		t.Error("the seal was opened")
	}
	list := string(clitest.Read(t, filepath.Join(out, "stimuli.csv")))
	for name := range clitest.Tree(t, out) {
		if strings.HasSuffix(name, ".gif") && !strings.Contains(list, "\n"+filepath.ToSlash(name)+",") {
			t.Errorf("%s is not in the list", name)
		}
	}
	if strings.Count(list, "\n") != 29 || strings.Count(list, ",test,9,") != 4 || strings.Contains(list, "expected") || strings.Contains(list, "preference") {
		t.Errorf("the list is\n%s", list)
	}
	key := filepath.Join(t.TempDir(), "key.csv")
	if code, _, errs := achilles(t, "export", "stimuli", dir, "--out", out, "--key", filepath.Join(out, "key.csv"), "--force"); code != 2 || !strings.Contains(errs, "is inside of") {
		t.Errorf("a key among the stimuli: exit %d, %s", code, errs)
	}
	must(t, "export", "stimuli", dir, "--out", out, "--episodes", "1", "--key", key, "--force")
	text := string(clitest.Read(t, key))
	if strings.Count(text, ",expected\n") != 1 || strings.Count(text, ",unexpected\n") != 1 || !strings.HasPrefix(text, "file,item,video,task,outcome\n") {
		t.Errorf("the key is\n%s", text)
	}
	if now := string(clitest.Read(t, filepath.Join(dir, "ledger.json"))); now == ledger || !strings.Contains(now, "export") {
		t.Error("the ledger does not say that the seal was opened")
	}
	if _, err := os.Stat(filepath.Join(out, "key.csv")); err == nil {
		t.Error("a key is among the stimuli")
	}
	for _, args := range [][]string{{"export", "stimuli", dir}, {"export", "stimuli", dir, "--out", out, "--episodes", "-1"}} {
		if code, _, _ := achilles(t, args...); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}
