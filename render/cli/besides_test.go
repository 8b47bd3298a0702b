package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSubjectsBeside compares groups of a results directory by a table of its subjects that came later, also in irt, where flags that say how to
// read a table are refused.
func TestSubjectsBeside(t *testing.T) {
	dir := t.TempDir()
	r, people := filepath.Join(dir, "r"), filepath.Join(dir, "people.csv")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", r)
	var b strings.Builder
	b.WriteString("nr,who,kind,size\n")
	for i := range 11 { // of model-12 nothing is known
		name := "model-" + []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}[i]
		b.WriteString(name[6:] + "," + name + "," + []string{"big", "small"}[i%2] + ",7\n")
	}
	write(t, people, []byte(b.String()))
	if got := must(t, "compare", r, "--subjects", people, "--by", "kind", "--table", "pairs", "--format", "csv"); !strings.Contains(got, "big,small,10,11,") {
		t.Errorf("groups:\n%s", got)
	}
	must(t, "irt", r, "--subjects", people, "--by", "kind", "--out", filepath.Join(dir, "irt"))
	if got := must(t, "show", filepath.Join(dir, "irt"), "groups", "--format", "csv"); !strings.Contains(got, "\nbig,") || !strings.Contains(got, "\nsmall,") {
		t.Errorf("groups of irt:\n%s", got)
	}
	write(t, filepath.Join(dir, "others.csv"), []byte("who,kind\nx,a\ny,b\n"))
	for want, args := range map[string][]string{
		"no column has the names of subjects, such as model-1": {"compare", r, "--subjects", filepath.Join(dir, "others.csv"), "--by", "kind"},
		"give one with --subjects FILE":                        {"compare", r, "--by", "kind"},
		"--leave-out says how a table is read":                 {"irt", r, "--leave-out", "model-1", "--out", filepath.Join(dir, "x")},
	} {
		if code, _, stderr := achilles(t, args...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: code %d, %s", args, code, stderr)
		}
	}
}
