package submit_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"achilles/sim/longtest"
)

// TestSnakemake runs docs/examples/Snakefile. ACHILLES_SNAKEMAKE names the program where it is not on the path.
func TestSnakemake(t *testing.T) {
	runExample(t, "snakemake", "Snakefile", "--cores", "2")
}

// TestNextflow runs docs/examples/shards.nf. ACHILLES_NEXTFLOW names the program where it is not on the path.
func TestNextflow(t *testing.T) {
	t.Setenv("NXF_OFFLINE", "true") // it would look for a newer version of itself
	runExample(t, "nextflow", "shards.nf", "run", "shards.nf")
}

// runExample runs a program for workflows on a file of docs/examples, with three shards of a small run in place of twenty, and
// compares the results with those of a run without shards.
func runExample(t *testing.T, name, example string, args ...string) {
	t.Helper()
	longtest.Only(t, "starts "+name)
	variable := "ACHILLES_" + strings.ToUpper(name)
	program, err := exec.LookPath(cmp.Or(os.Getenv(variable), name))
	if err != nil {
		t.Skipf("no %s: install it, and put it on the path or name it in %s", name, variable)
	}
	file, err := os.ReadFile("../../docs/examples/" + example)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	for old, small := range map[string]string{"N = 20": "N = 3", "run op-burden": "run " + strings.Join(tiny, " ")} {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%s: %q is there %d times", example, old, strings.Count(text, old))
		}
		text = strings.Replace(text, old, small, 1)
	}
	t.Setenv("PATH", filepath.Dir(build(t))+":"+os.Getenv("PATH"))
	dir := t.TempDir()
	t.Setenv("HOME", dir) // Snakemake and Nextflow keep files there
	t.Chdir(dir)
	if err := os.WriteFile(example, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, program, args...)
	must(t, append([]string{"run", "--out", "whole"}, tiny...)...)
	if x, y := tree(t, "whole"), tree(t, "results/many"); !maps.Equal(x, y) {
		t.Errorf("of %d files, %d are there, or some differ", len(x), len(y))
	}
}
