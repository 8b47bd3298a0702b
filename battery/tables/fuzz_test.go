package tables_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/sim/record"
)

// FuzzBuild checks that import, whatever the mapping and the tables, returns an error of one line or a dataset that can
// be written.
func FuzzBuild(f *testing.F) {
	example := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("../../docs/examples", name))
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	f.Add(string(example("maze.toml")), example("maze-items.csv"), example("maze-responses.csv"))
	f.Add(form("wide"), []byte(items), []byte("who,a,b,c\nzoe,1,0,1\nann,True,,0\n"))
	f.Add(form("long"), []byte(items), []byte("item,ok,who\nb,0,zoe\na,yes,ann\n"))
	var table bytes.Buffer
	type row struct {
		Item   string  `parquet:"item"`
		Keep   int32   `parquet:"keep"`
		Demand float64 `parquet:"demand"`
		Where  string  `parquet:"where"`
	}
	if err := parquet.Write(&table, []row{{"b", 1, 2.5, "left"}, {"a", 1, 1, "right"}}); err != nil {
		f.Fatal(err)
	}
	f.Add(form("wide"), table.Bytes(), []byte("who,a,b\nzoe,1,0\n"))
	f.Fuzz(func(t *testing.T, mapping string, items, responses []byte) {
		m, err := tables.ParseMapping("m.toml", mapping)
		if err != nil {
			return
		}
		it, err := read("items.csv", items)
		if err != nil {
			oneLine(t, err)
			return
		}
		rs, err := tables.Rectangle().Read([]*tables.File{tables.InMemory("responses.csv", responses)}, tables.Reading{})
		if err != nil {
			oneLine(t, err)
			return
		}
		d, _, err := tables.Build(tables.Input{Items: it, Responses: rs}, m)
		if err != nil {
			oneLine(t, err)
			return
		}
		_, _ = record.Encode(d) // an error is no failure: Encode refuses labels and words that must not be printed
	})
}

func oneLine(t *testing.T, err error) {
	t.Helper()
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("an error of several lines: %q", err)
	}
}
