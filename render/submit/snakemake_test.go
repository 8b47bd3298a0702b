package submit_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSnakemake runs docs/examples/Snakefile with three shards of a small run, and compares the results with those of a run without
// shards. ACHILLES_SNAKEMAKE names the program where it is not on the path.
func TestSnakemake(t *testing.T) {
	program, err := exec.LookPath(cmp.Or(os.Getenv("ACHILLES_SNAKEMAKE"), "snakemake"))
	if err != nil {
		t.Skip("no snakemake: pip install snakemake, and name it in ACHILLES_SNAKEMAKE")
	}
	file, err := os.ReadFile("../../docs/examples/Snakefile")
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	for old, small := range map[string]string{"N = 20": "N = 3", "run op-burden": "run " + strings.Join(tiny, " ")} {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is there %d times", old, strings.Count(text, old))
		}
		text = strings.Replace(text, old, small, 1)
	}
	t.Setenv("PATH", filepath.Dir(build(t))+":"+os.Getenv("PATH"))
	dir := t.TempDir()
	t.Setenv("HOME", dir) // Snakemake keeps a cache there
	t.Chdir(dir)
	if err := os.WriteFile("Snakefile", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, program, "--cores", "2")
	must(t, append([]string{"run", "--out", "whole"}, tiny...)...)
	if x, y := tree(t, "whole"), tree(t, "results/many"); !maps.Equal(x, y) {
		t.Errorf("of %d files, %d are there, or some differ", len(x), len(y))
	}
}
