package cli_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestOverDraws computes expressions over draws and compares them with the tables of the inference and of compare.
func TestOverDraws(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", dir)
	must(t, "infer", dir, "--layout", "rasch", "--engine", "nuts", "--warmup", "300", "--draws", "300")
	cell := func(args ...string) float64 {
		t.Helper()
		lines := strings.Split(strings.TrimSpace(must(t, append(args, "--format", "csv")...)), "\n")
		if len(lines) != 2 {
			t.Fatalf("%v prints\n%s", args, strings.Join(lines, "\n"))
		}
		for k, name := range strings.Split(lines[0], ",") {
			if name == "probability" || name == "mean" {
				x, err := strconv.ParseFloat(strings.Split(lines[1], ",")[k], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
		}
		t.Fatalf("%v has no number: %s", args, lines[0])
		return 0
	}
	over := func(text string) float64 { return cell("compare", dir, "--draws", text) }
	is := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	is("A above B", over("ability[model-12] > ability[model-1]"), cell("compare", dir, "model-12", "model-1", "--table", "capabilities"))
	mean := func(unit string) float64 {
		return cell("show", dir, "inferred/parameters", "--where", fmt.Sprintf("parameter == \"difficulty\" && unit == %q", unit))
	}
	is("two items", over("difficulty[q1] - difficulty[q10]"), mean("q1")-mean("q10"))
	if got := must(t, "compare", dir, "--draws", "sigma > 0.5"); !strings.Contains(got, "MCSE") {
		t.Errorf("no Monte Carlo standard error in\n%s", got)
	}
	rows := strings.Split(strings.TrimSpace(must(t, "compare", dir, "--draws", "difficulty - mu", "--format", "csv")), "\n")
	if len(rows) != 11 || !strings.HasPrefix(rows[0], "item,mean,") {
		t.Fatalf("all items:\n%s", strings.Join(rows, "\n"))
	}
	first := strings.Split(rows[1], ",")
	x, err := strconv.ParseFloat(first[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	is("an item among all", x, over("difficulty["+first[0]+"] - mu"))
	if got := must(t, "compare", dir, "--draws", "ability > difficulty[q1]", "--where", "probability > 0.5", "--format", "csv"); !strings.HasPrefix(got, "subject,probability") || strings.Count(got, "\n") < 3 || strings.Count(got, "\n") > 10 {
		t.Errorf("subjects:\n%s", got)
	}
	is("either", over("sigma > 0.5")+over("!(sigma > 0.5)"), 1)
	for text, want := range map[string]string{
		"ability > difficulty": "name one subject or item in brackets",
		"ability[modl-1] > 0":  "did you mean ability[model-1]?",
		"ability[Zoë] > 0":     "there are those of model-1, model-10",
		"1 > 0":                "names no parameter",
		"sigma >":              "--draws:",
	} {
		if code, _, stderr := achilles(t, "compare", dir, "--draws", text); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, %s", text, code, stderr)
		}
	}
}

// TestNamesOverDraws asks for subjects and items whose names have brackets, quotes, spaces and letters of other alphabets; and for draws where rows are filtered.
func TestNamesOverDraws(t *testing.T) {
	odd := t.TempDir()
	write(t, filepath.Join(odd, "odd.csv"), []byte("who,item one,q[2],it's,\"q\"\"5\",x]\nmodel[4.1],1,0,0,0,1\no'clock,0,1,1,0,1\n\"Bob \"\"B\"\" X\",1,1,1,1,0\nZoë,0,0,0,1,0\n6,1,1,0,0,1\n"))
	must(t, "import", filepath.Join(odd, "odd.csv"), "--out", filepath.Join(odd, "r"))
	must(t, "infer", filepath.Join(odd, "r"), "--layout", "rasch", "--engine", "laplace", "--no-predict")
	for _, of := range []string{`ability[model[4.1]]`, `ability["model[4.1]"]`, `ability[o'clock]`, `ability[Bob "B" X]`, `ability["Bob \"B\" X"]`, `ability[Zoë]`, `ability[6]`, `difficulty[item one]`, `difficulty[q[2]]`, `difficulty[it's]`, `difficulty[q"5]`, `difficulty["x]"]`} {
		if got := must(t, "compare", filepath.Join(odd, "r"), "--draws", "abs("+of+" - ability[6]) >= 0 && "+of+" > -9", "--format", "csv"); !strings.Contains(got, ",1,") {
			t.Errorf("%s: %s", of, got)
		}
	}
	dir := filepath.Join(t.TempDir(), "r")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", dir)
	for where, want := range map[string]string{"ability[model-1] > 0": "--draws 'ability[model-1] > 0'", "slope > 0": "--draws 'slope > 0'"} {
		if code, _, stderr := achilles(t, "compare", dir, "--where", where); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("--where %s: code %d, %s", where, code, stderr)
		}
	}
	if code, _, stderr := achilles(t, "compare", dir, "rasch", "2pl"); code != 1 || !strings.Contains(stderr, "achilles layouts compare "+dir+" rasch 2pl") {
		t.Errorf("layouts: code %d, %s", code, stderr)
	}
}
