package analysis_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/sim/record"
	"achilles/sim/table"
)

// files has the files of an analysis by their names.
type files map[string][]byte

// asCSV returns the values of a table, one line for each row.
func asCSV(t *table.Table) []byte {
	rows := [][]string{nil}
	for _, c := range t.Columns {
		rows[0] = append(rows[0], c.Name)
	}
	for _, values := range t.Rows {
		var row []string
		for _, v := range values {
			row = append(row, v.Text())
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		panic("a buffer fails")
	}
	return b.Bytes()
}

// encoded returns the files of a document. Every table must be consistent, and no two may have one name.
func encoded(t testing.TB, d *analysis.Document) files {
	t.Helper()
	b, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	out := files{analysis.DocumentFile: b}
	for _, x := range d.Files() {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		if out[x.Name+".csv"] != nil {
			t.Errorf("two tables %s", x.Name)
		}
		out[x.Name+".csv"] = asCSV(x)
	}
	return out
}

func written(t testing.TB, a *analysis.Analysis) files {
	t.Helper()
	return encoded(t, a.Document())
}

// reread returns a function for analysis.Read, with the tables of d after a way through CSV.
func reread(t testing.TB, d *analysis.Document) func(string) (*table.Table, error) {
	tables := map[string]*table.Table{}
	for _, x := range d.Files() {
		lines, err := csv.NewReader(bytes.NewReader(asCSV(x))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		said := *x
		said.Rows = nil
		for _, line := range lines[1:] {
			row := make([]table.Value, len(line))
			for k, text := range line {
				if row[k], err = table.Parse(x.Columns[k].Kind, text); err != nil {
					t.Fatal(err)
				}
			}
			said.Rows = append(said.Rows, row)
		}
		tables[x.Name] = &said
	}
	return func(name string) (*table.Table, error) { return tables[name], nil }
}

// TestRead checks that a document that was written and read has the same sets, models, shifts and grids, and is written
// as the same bytes again.
func TestRead(t *testing.T) {
	for name, d := range map[string]*record.Dataset{"with features": simulated(12, 40), "without": bare()} {
		want := run(t, d, quick()).Document()
		f := encoded(t, want)
		got, err := analysis.Read(f[analysis.DocumentFile], reread(t, want))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Sets(), want.Sets()) || !slices.Equal(got.Models(), want.Models()) || !slices.Equal(got.Shifts(), want.Shifts()) || !slices.Equal(got.Tables.Spaces, want.Tables.Spaces) {
			t.Errorf("%s: sets %q, models %q, shifts %q, grids %q", name, got.Sets(), got.Models(), got.Shifts(), got.Tables.Spaces)
		}
		again := encoded(t, got)
		for file, data := range f {
			if !bytes.Equal(again[file], data) {
				t.Errorf("%s: %s is\n%s\nand read and written again\n%s", name, file, data, again[file])
			}
		}
	}
}

// TestReadRefuses checks that the error for wrong content names the file or the table and, of a value, the row and the
// column.
func TestReadRefuses(t *testing.T) {
	d := run(t, simulated(12, 40), quick()).Document()
	content := encoded(t, d)[analysis.DocumentFile]
	for _, c := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 9`, `analysis.json: format "achilles-analysis" version 9`},
		{"{", "", "analysis.json: invalid character"},
	} {
		if _, err := analysis.Read(bytes.Replace(content, []byte(c.old), []byte(c.new), 1), reread(t, d)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	lost := errors.New("the disk is gone")
	for _, c := range []struct {
		name string
		edit func(x *table.Table) (*table.Table, error)
		want string // of the error; empty: none
	}{
		{"matrix", func(x *table.Table) (*table.Table, error) { x.Columns[2].Name = "speerman"; return x, nil }, `table matrix: there is no column "spearman" of kind number`},
		{"matrix", func(x *table.Table) (*table.Table, error) { x.Columns[2].Kind = table.Text; return x, nil }, `table matrix: there is no column "spearman" of kind number`},
		{"cells", func(x *table.Table) (*table.Table, error) { x.Rows[0][2] = table.None; return x, nil }, `table cells: row 1, column "cell": no value`},
		{"curves", func(*table.Table) (*table.Table, error) { return nil, nil }, "there is no table curves"},
		{"curves", func(*table.Table) (*table.Table, error) { return nil, lost }, lost.Error()},
		{"scores", func(*table.Table) (*table.Table, error) { return nil, nil }, ""}, // there only if there are scores
	} {
		of := reread(t, d)
		_, err := analysis.Read(content, func(name string) (*table.Table, error) {
			x, err := of(name)
			if name == c.name {
				x.Columns = slices.Clone(x.Columns)
				return c.edit(x)
			}
			return x, err
		})
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestMoreColumns checks that a table may have more columns than are read, in any order.
func TestMoreColumns(t *testing.T) {
	d := run(t, simulated(12, 40), quick()).Document()
	of := reread(t, d)
	got, err := analysis.Read(encoded(t, d)[analysis.DocumentFile], func(name string) (*table.Table, error) {
		x, err := of(name)
		if name != "matrix" {
			return x, err
		}
		x.Columns = append([]table.Column{{Name: "later", Kind: table.Text}}, x.Columns...)
		for i := range x.Rows {
			x.Rows[i] = append([]table.Value{table.String("x")}, x.Rows[i]...)
		}
		return x, err
	})
	if err != nil || !slices.Equal(got.Tables.Matrix, d.Tables.Matrix) {
		t.Errorf("%v, %v", got.Tables.Matrix, err)
	}
}
