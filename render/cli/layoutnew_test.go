package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewLayout writes a layout for imported tables, infers with it, and checks what is said to those who take one for another measure.
func TestNewLayout(t *testing.T) {
	dir := t.TempDir()
	examples := filepath.Join("..", "..", "docs", "examples")
	mazes, file := filepath.Join(dir, "mazes"), filepath.Join(dir, "mazes.toml")
	if code, _, stderr := achilles(t, "import", "--items", filepath.Join(examples, "maze-items.csv"), "--responses", filepath.Join(examples, "maze-responses.csv"),
		"--mapping", filepath.Join(examples, "maze.toml"), "--out", mazes); code != 0 {
		t.Fatal(stderr)
	}
	code, printed, stderr := achilles(t, "layouts", "new", mazes, "--pool", "geometric")
	if code != 0 || !strings.Contains(printed, `metWall = "logistic(2.5*(abilityWall - wall))"`) || !strings.Contains(printed, "pow(metLength*metWall*metSmallness, 1/3)") {
		t.Errorf("exit %d, %s\n%s", code, stderr, printed)
	}
	code, shown, stderr := achilles(t, "layouts", "new", mazes, "--out", file, "--pool", "geometric")
	if code != 0 || !strings.Contains(shown, "pool geometric: as product") || !strings.Contains(shown, "├─ lapse ~ beta(1, 9)") || !strings.Contains(stderr, "next: achilles infer") {
		t.Errorf("exit %d, %s\n%s", code, stderr, shown)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != printed {
		t.Errorf("%v: the file is not what is printed without --out:\n%s", err, b)
	}
	if code, _, stderr := achilles(t, "layouts", "new", mazes, "--out", file); code != 1 || !strings.Contains(stderr, "exists") {
		t.Errorf("a second time: exit %d, %s", code, stderr)
	}
	if code, _, stderr := achilles(t, "infer", mazes, "--layout", file, "--draws", "100"); code != 0 {
		t.Errorf("infer: exit %d, %s", code, stderr)
	}
	code, _, stderr = achilles(t, "infer", mazes, "--layout", "grm", "--force")
	if code != 1 || !strings.Contains(stderr, "family choice is for choice measures, and success is binary") || !strings.Contains(stderr, "of the shipped ones these fit: 2pl, 2pl-signed, 3pl, constant, rasch") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
