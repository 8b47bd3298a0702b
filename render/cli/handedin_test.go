package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestSubmission hands in the posteriors that this program itself has inferred: they are graded alike, the result says that it was
// submitted, and it is unblinded only where the seal was opened before.
func TestSubmission(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Graded(t, "r")
	rmse := func(dir string) (x struct {
		Unblinded bool
		Notes     []string
		Recovery  map[string]map[string]struct{ RMSE float64 }
	}) {
		if err := json.Unmarshal(read(t, dir+"/scores/scores.json"), &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	first := rmse("r")
	var mine strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(read(t, "r/inferred/profiles.csv"))), "\n") {
		cells := strings.Split(line, ",")
		if i == 0 && strings.Join(cells[:4], " ") != "subject parameter mean sd" {
			t.Fatalf("columns %q", cells)
		}
		mine.WriteString(strings.Join(cells[:4], ",") + "\n")
	}
	write(t, "mine.csv", []byte(mine.String()))
	must(t, "generate", clitest.Trio(t), "--out", "blind")
	must(t, "infer", "blind", "--submission", "mine.csv", "--submitted-by", "rival")
	must(t, "score", "blind")
	second := rmse("blind")
	if second.Unblinded || !strings.Contains(strings.Join(second.Notes, "\n"), "submitted by rival: not inferred by this program") {
		t.Errorf("%+v", second)
	}
	for c, g := range first.Recovery["overall"] {
		if h := second.Recovery["overall"][c]; g.RMSE != h.RMSE {
			t.Errorf("RMSE of %s is %v of ours and %v submitted", c, g.RMSE, h.RMSE)
		}
	}
	must(t, "report", "blind")
	must(t, "infer", "blind", "--submission", "mine.csv", "--force")
	must(t, "score", "blind")
	if third := rmse("blind"); !third.Unblinded {
		t.Error("a submission after the seal was opened is not marked")
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--submission", "mine.csv"}, 1, "--force overwrites it"},
		{[]string{"--submission", "mine.csv", "--layout", "op"}, 2, "nothing is fitted with --submission: omit --layout"},
		{[]string{"--submission", "none.csv"}, 1, "none.csv"},
	} {
		if code, _, said := achilles(t, append([]string{"infer", "blind"}, c.args...)...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, code, said)
		}
	}
}
