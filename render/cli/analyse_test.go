package cli_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"achilles/sim/part"
)

// TestAnalysisTables checks that show lists and prints the tables of an analysis, that the manifest says what every column of
// every file is, and that an analysis whose file was changed, or that has no manifest, is refused with the command that makes
// it anew.
func TestAnalysisTables(t *testing.T) {
	t.Chdir(t.TempDir())
	graded(t, "small")
	printed := must(t, "analyse", "small", "--out", "an", "--config", fewFile(t))
	for _, want := range []string{"Correlations of success with item features\n", "goalDistance  ", "mean losses over the splits\n", "all tables in an"} {
		if !strings.Contains(printed, want) {
			t.Errorf("analyse does not print %q:\n%s", want, printed)
		}
	}
	var m part.Manifest
	if err := json.Unmarshal(read(t, "an/manifest.json"), &m); err != nil || m.Format != "achilles-analysis" || m.Version != 2 || m.Parents["public"] == "" || len(m.Tables) < 12 {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, want := range []string{`"level":`, `"what": "config"`, `"sha256": "`} {
		if !strings.Contains(string(m.Settings), want) {
			t.Errorf("settings without %s: %s", want, m.Settings)
		}
	}
	listed := must(t, "show", "an")
	for _, x := range m.Tables {
		rows, err := csv.NewReader(bytes.NewReader(read(t, "an/"+x.Files[0].Path))).ReadAll()
		if err != nil || len(rows)-1 != x.Rows || len(rows[0]) != len(x.Columns) || x.Title == "" || !strings.Contains(listed, "\n"+x.Name+" ") {
			t.Errorf("table %s: %v, %d rows, listed in\n%s", x.Name, err, len(rows), listed)
		}
		if got := must(t, "show", "an", x.Name, "--format", "csv"); got != string(read(t, "an/"+x.Files[0].Path)) {
			t.Errorf("table %s is shown as\n%s", x.Name, got)
		}
		must(t, "show", "an", x.Name)
	}
	if got := must(t, "show", "an", "losses", "--where", `shift == "far" && model == "majority"`, "--format", "csv"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "\nmajority,far,false,1,") {
		t.Errorf("one row of losses: %s", got)
	}
	for _, c := range []struct {
		change     func()
		want, hint string
	}{
		{func() { write(t, "an/matrix.csv", append(read(t, "an/matrix.csv"), "x,y,1,1\n"...)) }, "matrix.csv", "rerun achilles analyse DIR --out an --force"},
		{func() { os.Remove("an/matrix.csv") }, "matrix.csv", "rerun achilles analyse"},
		{func() { os.Remove("an/manifest.json") }, "older version", "rerun achilles analyse"},
	} {
		c.change()
		for _, args := range [][]string{{"show", "an"}, {"report", "an", "--force"}, {"export", "figures", "an", "--out", "f"}} {
			if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, c.hint) {
				t.Errorf("%s after a change: exit %d, %s", args, code, stderr)
			}
		}
	}
}
