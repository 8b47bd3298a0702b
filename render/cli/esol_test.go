package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestImportPredictions imports raw predictions by the mapping esol: at the first item the errors are 1 and 3, at the second 0 and 0.
func TestImportPredictions(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "ESOL.csv"), filepath.Join(dir, "esol")
	write(t, file, []byte("id,LR,RF,label\n0,2,-2,1\n1,5,5,5\n"))
	must(t, "import", file, "--mapping", "esol", "--out", out)
	text := must(t, "show", out, "responses", "--format", "csv")
	values := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		for _, cell := range strings.Split(line, ",") {
			values[cell] = true
		}
	}
	if strings.Count(strings.TrimSpace(text), "\n") != 4 || !values["LR"] || !values["0"] || !values["1"] || values["label"] {
		t.Errorf("responses:\n%s", text)
	}
}
