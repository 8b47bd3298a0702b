package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// contrastTable writes responses of three subjects to forty items of ten passages, and what is known of the subjects: a and b differ in 12 items, all
// for a; c took other items. It returns the directory of the import.
func contrastTable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("subject,item,passage,success\n")
	for i := range 40 {
		right := 1
		if i%10 < 3 {
			right = 0
		}
		fmt.Fprintf(&b, "a,q%02d,p%d,1\nb,q%02d,p%d,%d\nc,r%02d,p%d,%d\nd,q%02d,p%d,%d\n", i, i%10, i, i%10, right, i, i%10, i%2, i, i%10, right)
	}
	file, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "r")
	who := filepath.Join(dir, "who.csv")
	for path, text := range map[string]string{file: b.String(), who: "subject,kind\na,old\nb,new\nc,old\nd,new\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "import", file, "--subjects", who, "--out", out)
	return out
}

// TestCompare compares subjects by hand-counted numbers: 12 to 0 items are 2/2^12 and, of three pairs, three times that; 3 to 0 passages are 2/2^3; b and d are the same; nothing compares with
// c.
func TestCompare(t *testing.T) {
	dir := contrastTable(t)
	got := must(t, "compare", dir, "--format", "csv")
	for _, want := range []string{"a,b,40,40,0.3,", ",0.00048828125,0.00146484375,true,", "b,d,40,40,0,"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "c") && strings.Contains(got, "a,c,") {
		t.Errorf("a and c have no item in common:\n%s", got)
	}
	got = must(t, "compare", dir, "a", "b", "--cluster", "passage", "--format", "csv")
	if !strings.Contains(got, "a,b,40,10,0.3,") || !strings.Contains(got, ",0.25,0.25,true,") {
		t.Errorf("by passage:\n%s", got)
	}
	t.Setenv("COLUMNS", "100")
	got = must(t, "compare", dir)
	for _, want := range []string{"tie: every item the same", "3 further pairs without an item in common", "Rerun with --cluster passage", "Ranks are within parts"} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got = must(t, "compare", dir, "--by", "kind", "--table", "pairs"); !strings.Contains(got, "new  old") {
		t.Errorf("groups:\n%s", got)
	}
	picture := filepath.Join(t.TempDir(), "pairs.svg")
	must(t, "compare", dir, "--out", picture)
	if svg := string(read(t, picture)); !strings.Contains(svg, "a &gt; b") {
		t.Error("the figure has no pair a > b")
	}
	if again := must(t, "compare", dir); again != must(t, "compare", dir) {
		t.Error("it says another thing the second time")
	}
}

// TestCompareDirectories compares subjects of two directories, of which the second has another passage for an item in one case.
func TestCompareDirectories(t *testing.T) {
	dir := contrastTable(t)
	other := filepath.Join(filepath.Dir(dir), "s")
	text := strings.ReplaceAll(string(read(t, filepath.Join(filepath.Dir(dir), "t.csv"))), "\nb,", "\ne,")
	file, classes := filepath.Join(filepath.Dir(dir), "u.csv"), filepath.Join(filepath.Dir(dir), "classes.csv")
	if err := os.WriteFile(classes, []byte("subject,class\na,1\nb,1\nc,1\nd,1\ne,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, "import", file, "--out", other, "--force")
	}
	write(text)
	got := must(t, "compare", dir, other, "r:a", "s:e", "--table", "pairs")
	if got = strings.Join(strings.Fields(got), " "); !strings.Contains(got, "A r:a B s:e") {
		t.Errorf("two directories:\n%s", got)
	}
	for by, want := range map[string]string{"directory": "A r B s", "class": "higher 1 2 40 6"} {
		if got := strings.Join(strings.Fields(must(t, "compare", dir, other, "--by", by, "--subjects", classes, "--table", "pairs")), " "); !strings.Contains(got, want) {
			t.Errorf("--by %s:\n%s", by, got)
		}
	}
	if code, _, stderr := achilles(t, "compare", dir, other, "--by", "class"); code != 1 || !strings.Contains(stderr, "--by directory compares those of one directory with those of the other") {
		t.Errorf("a column that neither directory has: code %d, %s", code, stderr)
	}
	write(strings.ReplaceAll(text, "q07,p7", "q07,p8"))
	if code, _, stderr := achilles(t, "compare", dir, other); code != 1 || !strings.Contains(stderr, "item q07 is another in s: its passage is") {
		t.Errorf("another passage: code %d, %s", code, stderr)
	}
}

// TestCompareMany compares more subjects than can be listed: ranks from both ends, a count of pairs, a grid, and all of them in a file.
func TestCompareMany(t *testing.T) {
	dir := t.TempDir()
	const n = 70
	var b strings.Builder
	b.WriteString("subject,item,success\n")
	for s := range n {
		for i := range 30 {
			right := 0
			if (i*7+s*3)%n < s {
				right = 1
			}
			fmt.Fprintf(&b, "s%02d,q%02d,%d\n", s, i, right)
		}
	}
	file, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "r")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "import", file, "--out", out)
	said := must(t, "compare", out)
	for _, want := range []string{"The first and the last 10; 50 are between them.", "Of 2,415 pairs ", "cannot be distinguished.", "--table pairs has them all"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if strings.Contains(said, "Differences of success") || strings.Count(said, "\n") > 60 {
		t.Errorf("too long:\n%s", said)
	}
	if got := must(t, "compare", out, "--table", "pairs", "--format", "csv"); strings.Count(got, "\n") != 2416 {
		t.Errorf("%d lines of pairs", strings.Count(got, "\n"))
	}
	picture := filepath.Join(dir, "grid.svg")
	must(t, "compare", out, "--out", picture)
	if svg := string(read(t, picture)); !strings.Contains(svg, "the largest difference") {
		t.Error("no grid is drawn")
	}
}

// TestCompareMistakes names what is wrong.
func TestCompareMistakes(t *testing.T) {
	dir := contrastTable(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"there is no subject aa: did you mean a?", []string{"a", "aa"}},
		{"name another, too", []string{"a"}},
		{"there is no subject nobody", []string{"nobody"}},
		{"no two of these have an item in common", []string{"a", "c"}},
		{"subject a is named twice", []string{"a", "b", "a"}},
		{"--cluster pasage: items have no such column: did you mean passage?", []string{"--cluster", "pasage"}},
		{"--by kin: subjects have no such column: did you mean kind?", []string{"--by", "kin"}},
		{"omit the names of subjects", []string{"--by", "kind", "a"}},
		{"omit --cluster passage", []string{"--by", "kind", "--cluster", "passage"}},
		{"no inference yet", []string{"--table", "capabilities"}},
	} {
		if code, _, stderr := achilles(t, append([]string{"compare", dir}, c.args...)...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: code %d, %s, want %q", c.args, code, stderr, c.want)
		}
	}
}

// TestNamedInference infers beside an inference, which stays, and compares both, and one that is refitted, by the same responses.
func TestNamedInference(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", dir)
	quick := []string{"infer", dir, "--engine", "laplace", "--draws", "100"}
	must(t, append(quick, "--layout", "rasch")...)
	before := tree(t, filepath.Join(dir, "inferred"))
	must(t, append(quick, "--layout", "constant", "--as", "rate")...)
	if names := differing(before, tree(t, filepath.Join(dir, "inferred"))); names != nil {
		t.Errorf("%v of the first inference changed", names)
	}
	t.Setenv("COLUMNS", "200")
	got := must(t, "layouts", "compare", dir, "rate", "inferred", "rasch")
	loss := func(name string) float64 {
		for _, l := range strings.Split(got, "\n") {
			if f := strings.Fields(l); len(f) > 2 && strings.HasPrefix(f[0], name) {
				x, err := strconv.ParseFloat(f[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
		}
		t.Fatalf("no row %s in\n%s", name, got)
		return 0
	}
	// the one has a hundred draws, the other a thousand: by chance they differ by a few ten-thousandths
	if math.Abs(loss("inferred")-loss("rasch")) > 0.003 || math.Abs(loss("inferred")-loss("rate")) < 0.01 {
		t.Errorf("what was stored is not what is fitted:\n%s", got)
	}
	if got := must(t, "compare", dir, "--as", "rate", "--table", "capabilities", "--format", "csv"); !strings.Contains(got, "\nrate,model-") {
		t.Errorf("compare --as rate compares\n%s", got)
	}
	tables := filepath.Join(t.TempDir(), "tables")
	must(t, "export", dir, "--as", "rate", "--out", tables)
	if got := string(read(t, filepath.Join(tables, "profiles.csv"))); strings.Contains(got, ",ability,") || !strings.Contains(got, "model-1,") {
		t.Errorf("export --as rate has\n%.300s", got)
	}
	if code, _, stderr := achilles(t, "compare", dir, "--as", "rat", "--draws", "x > 0"); code == 0 || !strings.Contains(stderr, "did you mean rate?") {
		t.Errorf("--as rat: code %d, %s", code, stderr)
	}
	if got := must(t, "show", dir); !strings.Contains(got, "inferred-rate/profiles") {
		t.Errorf("show lists\n%s", got)
	}
	if got := must(t, "verify", dir); !strings.Contains(got, "inferred-rate") || strings.Contains(got, "rate: belongs to no part") {
		t.Errorf("verify says\n%s", got)
	}
	if code, _, stderr := achilles(t, append(quick, "--layout", "rasch", "--as", "rate")...); code != 1 || !strings.Contains(stderr, "exists already") {
		t.Errorf("another layout of the same name: code %d, %s", code, stderr)
	}
	if code, _, _ := achilles(t, append(quick, "--layout", "rasch", "--as", "../x")...); code != 2 {
		t.Errorf("--as ../x: code %d", code)
	}
	profiles := filepath.Join(dir, "inferred-rate", "profiles.csv")
	if err := os.WriteFile(profiles, []byte("forged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := achilles(t, "layouts", "compare", dir, "rate"); code != 1 {
		t.Errorf("a changed file is not noticed: code %d", code)
	}
}

// TestCompareCategories: a questionnaire's categories have no mean unless they are said to be ordered; then 4, 2, 3, 1 against 1, 2, 1, 1 differ by 1.25 on
// average, and of the 2² ways to swap the two items that differ half are as far from 0.
func TestCompareCategories(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "r")
	if err := os.WriteFile(file, []byte("who,q1,q2,q3,q4\na,4,2,3,1\nb,1,2,1,1\nc,2,4,3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "import", file, "--out", out)
	code, _, stderr := achilles(t, "compare", out, "a", "b")
	if code != 1 || !strings.Contains(stderr, "have no mean: with --ordered they count as 0, 1, 2") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if got := must(t, "compare", out, "a", "b", "--ordered", "--format", "csv"); !strings.Contains(got, "a,b,4,4,1.25,") || !strings.Contains(got, ",0.5,0.5,true,") {
		t.Errorf("ordered:\n%s", got)
	}
	if got := must(t, "compare", out, "a", "b", "--ordered"); strings.Contains(got, "McNemar") {
		t.Errorf("categories are no single successes:\n%s", got)
	}
}
