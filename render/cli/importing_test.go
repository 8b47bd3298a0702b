package cli_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/render/cli/clitest"
)

// TestImportAlone checks that a matrix alone is imported in one command, from a folder too, that its mapping imports the same again, and
// that a layout of item response theory runs on it, which has no feature.
func TestImportAlone(t *testing.T) {
	dir := t.TempDir()
	matrix := filepath.Join(clitest.Repository(t), "docs", "examples", "matrix.csv")
	out := clitest.Must(t, "import", matrix, "--out", filepath.Join(dir, "a"))
	for _, want := range []string{"subject      model\n", "item         10 columns: q1, q2,", "score        responses: 0, 1 (binary)\n", "12 subjects × 10 items: 120 responses,", "mapping.toml"} {
		if !strings.Contains(out, want) {
			t.Errorf("import prints\n%s\nwithout %q", out, want)
		}
	}
	text := clitest.Read(t, filepath.Join(dir, "a", "mapping.toml"))
	clitest.Write(t, filepath.Join(dir, "m.toml"), text)
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(folder, "matrix.csv"), clitest.Read(t, matrix))
	clitest.Write(t, filepath.Join(folder, ".hidden.csv"), []byte("x\n"))
	clitest.Must(t, "import", matrix, "--mapping", filepath.Join(dir, "m.toml"), "--out", filepath.Join(dir, "b"))
	clitest.Must(t, "import", folder, "--out", filepath.Join(dir, "c"))
	want := clitest.Tree(t, filepath.Join(dir, "a", "public"))
	for _, other := range []string{"b", "c"} {
		if names := clitest.Differing(want, clitest.Tree(t, filepath.Join(dir, other, "public"))); names != nil {
			t.Errorf("%s: %v differ", other, names)
		}
	}
	clitest.Must(t, "infer", filepath.Join(dir, "a"), "--layout", "rasch", "--engine", "laplace")
}

// TestImportRefusals checks what the command line says where it cannot know.
func TestImportRefusals(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		clitest.Write(t, path, []byte(text))
		return path
	}
	filters := file("filters.csv", "model,doc_id,filter,exact_match\nm,0,strict-match,1\nm,0,flexible-extract,0\nn,0,strict-match,0\nn,0,flexible-extract,0\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{filters}, 1, "choose one with --filter: strict-match, flexible-extract"},
		{[]string{filters, "--filter", "strict"}, 1, "there are strict-match, flexible-extract"},
		{[]string{filters, "--filter", "strict-match"}, 0, ""},
		{[]string{filters, "--rows", "columns"}, 2, "--rows columns: want subjects or items"},
		{[]string{filters, "--encoding", "utf-7"}, 2, "--encoding utf-7: want utf-8 or utf-16 or"},
		{[]string{filepath.Join(dir, "nothing.csv")}, 1, "nothing.csv"},
		{[]string{file("empty.csv", "")}, 1, "empty.csv: the file is empty"},
		{[]string{filepath.Join(dir, "out")}, 1, "out is a directory of results"},
		{[]string{file("huge.csv", "who,a,b\nx,1e308,1\ny,3,2.5\nz,2,4\n"), "--family", "real"}, 1, `use --missing "1e308"`},
		{[]string{file("huge.csv", "who,a,b\nx,1e308,1\ny,3,2.5\nz,2,4\n"), "--missing", "1e308", "--force"}, 0, ""},
	} {
		code, _, stderr := clitest.Achilles(t, append(append([]string{"import"}, c.args...), "--out", filepath.Join(dir, "out"))...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d and %q, want %d and %q", c.args, code, stderr, c.code, c.want)
		}
	}
}

// TestWarehouse checks that a table of the Item Response Warehouse comes back from export as the standard 1.0 asks (its clauses C1 to
// C7, written down here), and says the same when it is imported again.
func TestWarehouse(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "author_2026_maze.csv")
	var b strings.Builder
	b.WriteString("id,item,resp,trial,rt,cov_age,itemcov_length\n")
	for s := range 4 {
		for i := range 3 {
			for k := range 2 {
				resp := strconv.Itoa((s + i*k) % 2)
				if s == 1 && i == 1 {
					resp = "NA"
				}
				b.WriteString("s" + strconv.Itoa(s) + ",m" + strconv.Itoa(i) + "," + resp + "," + strconv.Itoa(k+1) + ",0.5" + strconv.Itoa(s) + "," + strconv.Itoa(3+s) + "," + strconv.Itoa(2+i) + "\n")
			}
		}
	}
	clitest.Write(t, in, []byte(b.String()))
	first := filepath.Join(dir, "first")
	clitest.Must(t, "import", in, "--out", first)
	out := filepath.Join(dir, "author_2026_again.csv")
	if got := clitest.Must(t, "export", "irw", first, "--out", out); got != "22 responses in "+out+"\n" {
		t.Errorf("export prints %q", got)
	}
	rows, err := csv.NewReader(bytes.NewReader(clitest.Read(t, out))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"id", "item", "resp", "trial_number", "cov_age", "itemcov_length"}; !slices.Equal(rows[0], want) { // C1, C6, C7
		t.Errorf("columns %v, want %v", rows[0], want)
	}
	seen := map[string]bool{}
	for _, r := range rows[1:] {
		if _, err := strconv.ParseFloat(r[2], 64); err != nil || r[0] == "" || r[0] == "NA" || r[1] == "" || r[1] == "NA" { // C2, C3, C4
			t.Errorf("row %v", r)
		}
		if key := r[0] + "|" + r[1] + "|" + r[3]; seen[key] { // C5
			t.Errorf("%s twice", key)
		} else {
			seen[key] = true
		}
		if r[0] == "s2" && r[1] == "m1" && r[3] == "2" && (r[2] != "1" || r[4] != "5" || r[5] != "3") {
			t.Errorf("row %v", r)
		}
	}
	second := filepath.Join(dir, "second")
	clitest.Must(t, "import", out, "--out", second)
	for _, name := range []string{"responses.parquet", "subjects.parquet"} {
		if !bytes.Equal(clitest.Read(t, filepath.Join(first, "public", name)), clitest.Read(t, filepath.Join(second, "public", name))) {
			t.Errorf("%s differs after export and import", name)
		}
	}
	if code, _, stderr := clitest.Achilles(t, "export", "irw", first, "--out", filepath.Join(dir, "x.csv"), "--measure", "speed"); code != 2 || !strings.Contains(stderr, "want one of success") {
		t.Errorf("an unknown measure: %d, %q", code, stderr)
	}
}

// TestManualsMapping checks that the mapping in the manual can be read.
func TestManualsMapping(t *testing.T) {
	text := string(clitest.Read(t, filepath.Join(clitest.Repository(t), "docs", "guide", "your-data.md")))
	_, rest, _ := strings.Cut(text, "```toml\n")
	block, _, _ := strings.Cut(rest, "```")
	if _, err := tables.ParseMapping("your-data.md", block); err != nil {
		t.Error(err)
	}
}
