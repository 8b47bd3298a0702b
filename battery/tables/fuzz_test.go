package tables_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
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
		rs, err := tables.Rectangle().Read([]*tables.File{tablestest.File("responses.csv", responses)}, tables.Reading{})
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

// FuzzImport checks that a file of any bytes is refused in one line, or makes a mapping that can be read and a dataset that can
// be built by it again.
func FuzzImport(f *testing.F) {
	f.Add([]byte("model,q1,q2\na,1,NA\nb,0,1\n"))
	f.Add([]byte("sep=;\nKind;Alter;A1;A2\nk1;4,5;1;krank\nk2;6;0;1\n"))
	f.Add([]byte("item\tmemory\tgpt\tclaude\ni1\t3\t1\t0\ni2\t5\t0\t0\n"))
	f.Add([]byte("id,item,resp,trial,rt,cov_age,itemcov_length\ns0,m0,0,1,2.33,3,2\ns0,m0,1,2,2.85,3,2\n"))
	f.Add([]byte("benchmark,instance_id,model,scaffold,success,n_trials,source\nalpha,1,small,none,0.7143,70,x\n"))
	f.Add([]byte(wideChars("model,q1\na,1\n", false)))
	f.Add([]byte(zipped("model,q1,q2\na,1,0\n")))
	f.Add([]byte("<table><tr><th>model<th>q1<tr><td rowspan=2>a<td>1<tr><td>0</table>"))
	f.Add([]byte("\\begin{tabular}{lc}model & q1\\\\a & 1\\\\b & 0\\\\\\end{tabular}"))
	f.Add([]byte("model  q1 q2\na a     1  0\nb          1\n"))
	f.Add([]byte("model,q1,q2\ra,1,0\rb,0,1\r,1,1\r"))
	f.Add([]byte(`{"model": "a", "item": {"id": "x"}, "score": true, "tags": [1, {}]}`))
	f.Add([]byte(`[{"model": "a", "item": "x", "score": "C"}]`))
	var table bytes.Buffer
	type inner struct {
		Acc float64 `parquet:"acc"`
	}
	type row struct {
		Item   string `parquet:"item"`
		Metric inner  `parquet:"metric"`
	}
	if err := parquet.Write(&table, []row{{"b", inner{1}}, {"a", inner{0}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(table.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		open := func(r tables.Reading) (tables.Input, error) {
			in, _, err := tables.Open([]tables.Format{tables.Rectangle()}, []*tables.File{tablestest.File("m.csv", b)}, nil, nil, r)
			return in, err
		}
		in, err := open(tables.Reading{})
		if err != nil {
			oneLine(t, err)
			return
		}
		p, err := tables.Propose(in, tables.Wishes{})
		if err != nil {
			oneLine(t, err)
			if strings.HasPrefix(err.Error(), "tables:") {
				t.Error(err)
			}
			return
		}
		one, _, err := tables.Build(in, p.Mapping)
		if err != nil {
			oneLine(t, err)
			return
		}
		if in, err = open(p.Mapping.Read); err != nil {
			t.Fatalf("by the mapping: %v", err)
		}
		two, _, err := tables.Build(in, p.Mapping)
		if err != nil || !slices.Equal(one.Responses.List(), two.Responses.List()) {
			t.Fatalf("by the mapping: other responses, %v", err)
		}
	})
}
