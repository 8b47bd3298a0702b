package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestComparedWithinParts imports two benchmarks of which no subject took both. Whatever sets subjects or items beside each other says
// that it compares them within a part.
func TestComparedWithinParts(t *testing.T) {
	dir := t.TempDir()
	file, r := filepath.Join(dir, "two.csv"), filepath.Join(dir, "r")
	var b strings.Builder
	b.WriteString("model,a1,a2,a3,a4,b1,b2,b3,b4\n")
	for s := range 8 {
		cells := make([]string, 8)
		for i := range 4 {
			cells[s/4*4+i] = fmt.Sprint((s*7 + i*5 + s*i) % 3 % 2)
		}
		fmt.Fprintf(&b, "m%d,%s\n", s, strings.Join(cells, ","))
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	const within = "2 parts that nothing connects: compare within a part only."
	must(t, "import", file, "--out", r)
	if out := must(t, "infer", r, "--layout", "rasch", "--draws", "100", "--warmup", "100"); !strings.Contains(out, within) {
		t.Errorf("infer prints ranges of items without %q:\n%s", within, out)
	}
	must(t, "score", r)
	must(t, "report", r)
	if out := must(t, "show", r, "profiles"); !strings.Contains(out, within) {
		t.Errorf("the profiles are without %q:\n%s", within, out)
	}
	page := string(read(t, filepath.Join(r, "report", "index.html")))
	if n := strings.Count(page, within); n < 3 { // profiles, posteriors, items by difficulty
		t.Errorf("the report says %q %d times", within, n)
	}
	const named = "part 1: 4 subjects, 4 items"
	if code, _, stderr := achilles(t, "layouts", "compare", r, "rasch"); code != 0 || !strings.Contains(stderr, named) {
		t.Errorf("layouts compare: exit %d, %s", code, stderr)
	}
	if code, _, stderr := achilles(t, "analyse", r, "--out", filepath.Join(dir, "a")); code != 0 || !strings.Contains(stderr, named) {
		t.Errorf("analyse: exit %d, %s", code, stderr)
	}
}
