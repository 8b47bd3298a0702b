package foreign_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/foreign"
	"achilles/battery/tables/tablestest"
)

// The samples hold one small table each, written by pyreadstat, pandas, openpyxl, XlsxWriter and R 4.5: what must be read is what these
// programs were given.
var (
	long = strings.Repeat("x", 300)
	spss = []string{"child|reach|score|code|told", "Zoë|1|0.1||a b", `Ben|0|2.5|1| é, "q"`, "Cem||-3|0|", "Dua|1|1e-09||" + long}
	// Stata: 9 is no missing value there
	stata    = []string{"child|reach|score|code|told", "Zoë|1|0.1||a b", `Ben|0|2.5|1| é, "q"`, "Cem||-3|0|", "Dua|1|1e-09||" + long}
	sizes    = []string{"child|reach|score|code|told|age|weeks|days|mass", "Zoe|1|0.1||a b|7|70|70|0.1", `Ben|0|2.5|1| e, "q"|8|800|800|0.2`, "Cem||-3|0||9|900|90000|0.3", "Dua|1|1e-09||" + long[:200] + "|10|1000|1000|"}
	frame    = []string{"child|reach|score|group|ok", "Zoë|1|0.1|b|1", "Ben|0|2.5|a|0", "Cem||-3||", "Dua|1|1e-09|b|1"}
	matrix   = []string{"row|q1|q2", "x|1|1", "y|0|1", "z||0"}
	reversed = []string{"child|reach|score|group|ok", "Dua|1|1e-09|b|1", "Ben|0|2.5|a|0"} // numbers of rows are left out
)

func TestAppend(t *testing.T) {
	for _, x := range []struct {
		file, only string
		want       [][]string
		name, note string
	}{
		{file: "plain.sav", want: [][]string{spss}, note: "reach"},
		{file: "rows.sav", want: [][]string{spss}, note: "reach"},
		{file: "blocks.zsav", want: [][]string{spss}, note: "reach"},
		{file: "r114.dta", want: [][]string{sizes}},
		{file: "r117.dta", want: [][]string{sizes}},
		{file: "r117be.dta", want: [][]string{sizes}},
		{file: "r118.dta", want: [][]string{stata}},
		{file: "r119.dta", want: [][]string{stata}},
		{file: "frame.rds", want: [][]string{frame}}, {file: "xz.rds", want: [][]string{frame}},
		{file: "old.rds", want: [][]string{frame}},
		{file: "bare.rds", want: [][]string{frame}},
		{file: "compact.rds", want: [][]string{{"id|x|y", "1|2|1", "2|4|2", "3|6|3", "4|8|4", "5|10|5"}}},
		{file: "latin.rds", want: [][]string{{"w|v", "Zoë|1"}}},
		{file: "several.rda", want: [][]string{frame, matrix, reversed}, name: "several.rda/d"},
		{file: "several.rda", only: "m", want: [][]string{matrix}, name: "several.rda/m"},
		{file: "inline.xlsx", want: [][]string{{"who|q1|q2", "a|1|0", "b|0|", "c|0.3|1"}}, name: "inline.xlsx"},
		// a hidden sheet, an empty one, a formula without a value, and a table that does not begin in the first cell
		{file: "book.xlsx", name: "book.xlsx/Answers", want: [][]string{
			{"child|reach|score|code|told|age|weeks|days|mass", "Zoë|1|0.1||a b|7|70|70|0.1000000014901161", `Ben|0||1|é, "q"|8|800|800|0.2000000029802322`, "Cem||-3|0||9|900|90000|0.300000011920929", "Dua|1|1e-09||" + long + "|10|1000|1000|"},
			{"item|steps", "reach|1"}}},
	} {
		list, err := foreign.Append(nil, sample(t, x.file), x.only)
		if err != nil {
			t.Errorf("%s: %v", x.file, err)
			continue
		}
		if len(list) != len(x.want) {
			t.Errorf("%s: %d tables, want %d", x.file, len(list), len(x.want))
			continue
		}
		if x.name != "" && list[0].Name != x.name {
			t.Errorf("%s: the first table is called %s, want %s", x.file, list[0].Name, x.name)
		}
		for i, f := range list {
			if got := lines(f.Grid); !slices.Equal(got, x.want[i]) {
				t.Errorf("%s, table %d:\n%s\nwant\n%s", x.file, i, strings.Join(got, "\n"), strings.Join(x.want[i], "\n"))
			}
			if notes := strings.Join(f.Grid.Notes, "; "); x.note != "" && !strings.HasSuffix(notes, ": "+x.note) {
				t.Errorf("%s: note %q", x.file, notes)
			}
		}
	}
}

// lines returns a table as text.
func lines(g *tables.Grid) (out []string) {
	if g.Header != nil {
		out = append(out, strings.Join(g.Header, "|"))
	}
	for _, r := range g.Rows {
		out = append(out, strings.Join(r, "|"))
	}
	return out
}

func sample(t testing.TB, name string) *tables.File {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return tablestest.File(name, b)
}

func TestErrors(t *testing.T) {
	for _, x := range []struct{ file, only, want string }{
		{"ascii.rds", "", "binary form"},
		{"none.rds", "", "no table"},
		{"several.rda", "k", "there are d, m, e"},
		{"foreign_test.go", "k", "leave out /k"},
	} {
		f := tablestest.File(x.file, []byte("package foreign_test"))
		if x.file != "foreign_test.go" {
			f = sample(t, x.file)
		}
		if _, err := foreign.Append(nil, f, x.only); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.file, err, x.want)
		}
	}
}

// A file that is none of another program is left as it is.
func TestOther(t *testing.T) {
	f := tablestest.File("a.csv", []byte("a,b\n1,0\n"))
	list, err := foreign.Append(nil, f, "")
	if err != nil || len(list) != 1 || list[0] != f {
		t.Errorf("%v, %v", list, err)
	}
}

// A file that is cut off anywhere, or has a wrong byte, gives an error or other values, and never a panic.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"rows.sav", "r114.dta", "r118.dta", "bare.rds", "blocks.zsav", "inline.xlsx"} {
		f := sample(t, name)
		for i := range f.Head {
			try(name, f.Head[:i])
			b := slices.Clone(f.Head)
			b[i] ^= 0xff
			try(name, b)
		}
		if list, err := foreign.Append(nil, tablestest.File(name, f.Head[:len(f.Head)-len(f.Head)/4]), ""); err == nil && name != "rows.sav" {
			t.Errorf("%s without its last quarter: %d tables and no error", name, len(list))
		}
	}
}

func try(name string, b []byte) {
	list, err := foreign.Append(nil, tablestest.File(name, b), "")
	if err != nil {
		return
	}
	for _, f := range list {
		if f.Grid == nil {
			continue
		}
		for i, r := range f.Grid.Rows {
			if f.Grid.Header != nil && len(r) != len(f.Grid.Header) {
				panic(fmt.Sprintf("%s: row %d has %d cells of %d", name, i, len(r), len(f.Grid.Header)))
			}
		}
	}
}

func FuzzAppend(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(n), b)
	}
	f.Fuzz(func(_ *testing.T, name string, b []byte) { try(name, b) })
}
