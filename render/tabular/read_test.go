package tabular_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/render/tabular"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// TestReadParquet checks that the rows of two Parquet files are read as one table: in the order of the table's columns, with
// missing values and lists, and that a file with other columns than the manifest says is refused.
func TestReadParquet(t *testing.T) {
	type row struct {
		Name  string    `parquet:"name,plain"`
		N     int32     `parquet:"n"`
		X     *float64  `parquet:"x,optional"`
		Goals []float64 `parquet:"goals"`
	}
	x := 0.25
	var m part.Manifest
	dir := fstest.MapFS{}
	for i, rows := range [][]row{{{"a", 1, &x, []float64{0.5, 0.25}}, {"b", 2, nil, nil}}, {{"c", 3, &x, []float64{1}}}} {
		b, err := record.EncodeRows(rows)
		if err != nil {
			t.Fatal(err)
		}
		path := string(rune('0'+i)) + ".parquet"
		dir[path] = &fstest.MapFile{Data: b}
		m.AddRows(part.NewFile(path, b), len(rows), table.Table{Name: "t", Columns: []table.Column{{Name: "x"}, {Name: "name", Kind: table.Text}, {Name: "goals", Kind: table.Text}, {Name: "n", Kind: table.Count}}})
	}
	got, err := tabular.Read(dir, m.Find("t"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "x,name,goals,n\n0.25,a,0.5 0.25,1\n,b,,2\n0.25,c,1,3\n"; string(tabular.CSV(got)) != want || !json.Valid(tabular.JSON(got)) {
		t.Errorf("read as\n%s", tabular.CSV(got))
	}
	for want, columns := range map[string][]table.Column{
		`column "x" is not in the manifest`:   {{Name: "name", Kind: table.Text}, {Name: "n", Kind: table.Count}, {Name: "goals", Kind: table.Text}},
		"4 columns, where the manifest has 5": append([]table.Column{{Name: "y"}}, m.Tables[0].Columns...),
		"a text in a column of kind number":   {{Name: "x"}, {Name: "name"}, {Name: "goals", Kind: table.Text}, {Name: "n", Kind: table.Count}},
	} {
		other := *m.Find("t")
		other.Columns = columns
		if _, err := tabular.Read(dir, &other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	dir["0.parquet"] = &fstest.MapFile{Data: []byte("PAR1 nonsense PAR1")}
	if _, err := tabular.Read(dir, m.Find("t")); err == nil || !strings.Contains(err.Error(), "0.parquet: ") {
		t.Errorf("nonsense: %v", err)
	}
}

// TestParquet checks that what Parquet writes is read as the same rows, and that the same table gives the same bytes.
func TestParquet(t *testing.T) {
	for _, x := range tables() {
		b := tabular.Parquet(x)
		if !bytes.Equal(b, tabular.Parquet(x)) {
			t.Errorf("%s: written twice, other bytes", x.Name)
		}
		var m part.Manifest
		m.AddRows(part.NewFile("x.parquet", b), len(x.Rows), *x)
		got, err := tabular.Read(fstest.MapFS{"x.parquet": {Data: b}}, m.Find(x.Name))
		if err != nil {
			t.Fatal(err)
		}
		if string(tabular.CSV(got)) != string(tabular.CSV(x)) {
			t.Errorf("%s is read as\n%s", x.Name, tabular.CSV(got))
		}
	}
}
