package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestIRTOfParts checks a table of 12 and 28 subjects who have no item in common: the larger part alone is analysed, so that nothing is compared with
// what it says nothing of, and the command for the other one works.
func TestIRTOfParts(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "parts.csv"), filepath.Join(dir, "out")
	write(t, file, []byte(planted(571, 40, 20, func(s, i int, v byte) byte {
		if (s < 12) != (i < 10) {
			return ' '
		}
		return v
	})))
	said := strings.Join(strings.Fields(must(t, "irt", file, "--out", out)), " ")
	if !strings.Contains(said, "part 2 alone, which has most responses, is analysed; for another --part 1.") {
		t.Error(said)
	}
	write(t, filepath.Join(dir, "equal.csv"), []byte(planted(571, 40, 20, func(s, i int, v byte) byte {
		if (s < 20) != (i < 10) {
			return ' '
		}
		return v
	})))
	if said := strings.Join(strings.Fields(must(t, "irt", filepath.Join(dir, "equal.csv"), "--out", filepath.Join(dir, "equal"))), " "); !strings.Contains(said, "part 1 alone, the first of those with most responses, is analysed; for another --part 2.") {
		t.Error(said)
	}
	for table, rows := range map[string]int{"items": 10, "subjects": 28} {
		if n := strings.Count(string(read(t, filepath.Join(out, table+".csv"))), "\n") - 1; n != rows {
			t.Errorf("%s: %d rows, want %d", table, n, rows)
		}
	}
	must(t, "irt", file, "--part", "1", "--out", out, "--force")
	if n := strings.Count(string(read(t, filepath.Join(out, "subjects.csv"))), "\n") - 1; n != 12 {
		t.Errorf("part 1 has %d subjects, want 12", n)
	}
}
