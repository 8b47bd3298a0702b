package cli_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios"
)

// TestBank checks that a bank gives a verdict on every subject, that the bytes do not depend on the number of workers,
// and that a result with another bank does not count as the same. The bank is a user's file, with copies of the files
// of three shipped rivals in the same folder.
func TestBank(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a bank to three subjects twice")
	}
	dir := t.TempDir()
	bank := "name = \"three\"\n"
	for _, name := range []string{"constant.toml", "lava.toml", "last-seen.toml"} {
		b, err := scenarios.FS.ReadFile("candidates/op/" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), b)
		bank += "[[candidate]]\nfile = \"" + name + "\"\n"
	}
	three := filepath.Join(dir, "three.toml")
	write(t, three, []byte(bank))
	r, again := filepath.Join(dir, "r"), filepath.Join(dir, "again")
	out := smallRun(t, r, "--candidates", three, "--jobs", "1", "--tables")
	if !strings.Contains(out, "Agent type correct") || !strings.Contains(out, "Subjects by true type (rows) and classification (columns)") {
		t.Errorf("no verdicts in\n%s", out)
	}
	smallRun(t, again, "--candidates", three, "--jobs", "4")
	for _, name := range []string{compare.VerdictsFile, compare.WordsFile, "predictions.parquet", "averaged.parquet"} {
		a, b := read(t, filepath.Join(r, "inferred", name)), read(t, filepath.Join(again, "inferred", name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s depends on the number of workers", name)
		}
	}
	v, err := compare.Decode(read(t, filepath.Join(r, "inferred", compare.VerdictsFile)))
	if err != nil || len(v.Subjects) != 3 {
		t.Fatalf("%d verdicts, %v; want one on each of three subjects", len(v.Subjects), err)
	}
	said := must(t, "compare", r, "--table", "capabilities")
	if !strings.Contains(said, "model-averaged over the candidate set") || !strings.Contains(said, "burnt  coin") {
		t.Errorf("capabilities are compared by another layout's draws, or of nobody who has a name:\n%s", said)
	}
	if said := must(t, "compare", r, "--draws", "rate[burnt] - rate[coin]"); !strings.Contains(said, "model-averaged") {
		t.Errorf("an expression is of other draws:\n%s", said)
	}
	for _, c := range []struct{ name, bank, want string }{
		{"unknown", "nosuch", `no candidate set is called "nosuch"`},
		{"missing file", filepath.Join(dir, "none.toml"), "candidate set: "},
		{"other bank", "none", "has a result from other data, another layout or other settings"},
	} {
		code, _, msg := achilles(t, "infer", r, "--layout", "constant", "--draws", "100", "--warmup", "50", "--seed", "1", "--candidates", c.bank)
		if code != 1 || !strings.Contains(msg, c.want) {
			t.Errorf("%s: exit %d, %s; want %s", c.name, code, msg, c.want)
		}
	}
}
