package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"achilles/sim/part"
)

// TestInferredTables checks that show lists and prints the inferred tables beside those of the scores, all of their rows and
// columns, and before anything is scored, that a changed file is refused, and that it says what to do before any inference and of a
// file.
func TestInferredTables(t *testing.T) {
	t.Chdir(t.TempDir())
	smallRun(t, "r")
	var m part.Manifest
	if err := json.Unmarshal(read(t, "r/inferred/manifest.json"), &m); err != nil || m.Version != 3 || len(m.Parents["public"]) != 64 || len(m.Tables) != 4 {
		t.Fatalf("%+v, %v", m, err)
	}
	listed := must(t, "show", "r")
	if !strings.Contains(listed, "\nprediction ") {
		t.Errorf("no table of the scores is listed:\n%s", listed)
	}
	for _, x := range m.Tables {
		if x.Rows == 0 || !strings.Contains(listed, "\ninferred/"+x.Name+" ") {
			t.Errorf("table %s: %d rows, listed in\n%s", x.Name, x.Rows, listed)
		}
		got := must(t, "show", "r", "inferred/"+x.Name, "--format", "csv")
		if head, _, _ := strings.Cut(got, "\n"); strings.Count(got, "\n") != x.Rows+1 || strings.Count(head, ",") != len(x.Columns)-1 {
			t.Errorf("table %s of %d rows is shown as\n%s", x.Name, x.Rows, got)
		}
	}
	if got := must(t, "show", "r", "draws", "--where", "chain == 1 && draw == 2", "--format", "csv"); !strings.Contains(got, "subject,chain,draw,") || strings.Count(got, ",1,2,") != strings.Count(got, "\n")-1 {
		t.Errorf("some draws: %s", got)
	}
	if err := os.RemoveAll("r/scores"); err != nil {
		t.Fatal(err)
	}
	if got := must(t, "show", "r"); !strings.Contains(got, "inferred/draws") || strings.Contains(got, "prediction ") {
		t.Errorf("before anything is scored: %s", got)
	}
	if code, _, stderr := achilles(t, "show", "r", "prediction"); code != 1 || !strings.Contains(stderr, "no table \"prediction\"; there are inferred/profiles, inferred/predictions,") || !strings.Contains(stderr, "achilles score r makes the tables of grades") {
		t.Errorf("a grade before anything is scored: exit %d, %s", code, stderr)
	}
	b := read(t, "r/inferred/draws.parquet")
	write(t, "r/inferred/draws.parquet", b[:len(b)-1])
	if code, _, stderr := achilles(t, "show", "r"); code != 1 || !strings.Contains(stderr, fmt.Sprintf("inferred/draws.parquet: truncated: %d bytes", len(b)-1)) {
		t.Errorf("a cut file: exit %d, %s", code, stderr)
	}
	if err := os.RemoveAll("r/inferred"); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := achilles(t, "show", "r", "profiles"); code != 1 || !strings.Contains(stderr, "r has no inference yet") || !strings.Contains(stderr, "achilles infer r") {
		t.Errorf("what is inferred before any inference: exit %d, %s", code, stderr)
	}
	if got := must(t, "show", "r"); !strings.Contains(got, "public/responses") {
		t.Errorf("before any inference: %s", got)
	}
	if got := must(t, "show", "r", "responses", "--where", "split == \"held-out\""); !strings.Contains(got, "success") {
		t.Errorf("responses before any inference: %s", got)
	}
	write(t, "table.csv", []byte("subject,item\na,1\n"))
	if code, _, stderr := achilles(t, "show", "table.csv"); code != 1 || !strings.Contains(stderr, "table.csv is a file") || !strings.Contains(stderr, "achilles import table.csv") {
		t.Errorf("a file: exit %d, %s", code, stderr)
	}
}
