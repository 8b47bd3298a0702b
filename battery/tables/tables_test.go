package tables_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

const mapping = `
name = "t"
[items]
id = "item"
where = "keep == 1"
[[feature]]
name = "demand"
[[feature]]
name = "side"
column = "where"
levels = { left = -1, right = 1 }
role = "nuisance"
[responses]
form = "%FORM%"
subject = "who"
item = "item"
value = "ok"
`

const items = "item,keep,demand,where\nb,1,2.5,left\na,1,1,right\nc,0,9,left\n"

func build(t *testing.T, m, items, responses string) (*record.Dataset, error) {
	t.Helper()
	mp, err := tables.ParseMapping("m.toml", m)
	if err != nil {
		return nil, err
	}
	in := tables.Input{}
	if in.Items, err = read("items.csv", []byte(items)); err != nil {
		return nil, err
	}
	if in.Responses, err = tables.Rectangle().Read([]*tables.File{tablestest.File("responses.csv", []byte(responses))}, tables.Reading{}); err != nil {
		return nil, err
	}
	d, _, err := tables.Build(in, mp)
	return d, err
}

func read(name string, b []byte) (*tables.Table, error) {
	return tables.ReadTable([]*tables.File{tablestest.File(name, b)}, tables.Reading{})
}

func form(f string) string { return strings.Replace(mapping, "%FORM%", f, 1) }

// TestWideAndLongAgree checks that the same responses in a wide and in a long table give the same dataset, sorted, without
// the item that the mapping leaves out.
func TestWideAndLongAgree(t *testing.T) {
	wide, err := build(t, form("wide"), items, "who,a,b,c\nzoe,1,0,1\nann,True,,0\n")
	if err != nil {
		t.Fatal(err)
	}
	long, err := build(t, form("long"), items, "item,ok,who\nb,0,zoe\na,yes,ann\nc,1,zoe\na,1,zoe\n")
	if err != nil {
		t.Fatal(err)
	}
	turned, err := build(t, strings.Replace(form("transposed"), `"who"`, `"[za]*"`, 1), items, "item,zoe,ann,note\na,1,yes,9\nb,0,,9\nc,1,0,9\n")
	if err != nil {
		t.Fatal(err)
	}
	for i := range wide.Responses.Len() {
		if turned.Responses.Len() != wide.Responses.Len() || wide.Responses.At(i) != turned.Responses.At(i) {
			t.Fatalf("transposed: %+v, wide: %+v", turned.Responses.List(), wide.Responses.List())
		}
	}
	if got, want := strings.Join(wide.Subjects, " "), "ann zoe"; got != want {
		t.Errorf("subjects %s, want %s", got, want)
	}
	if got, want := strings.Join(wide.Items.ID, " "), "a b"; got != want {
		t.Errorf("items %s, want %s", got, want)
	}
	if c, _ := wide.Items.Column("side"); c.Number[0] != 1 || c.Number[1] != -1 || c.Role != record.Nuisance {
		t.Errorf("side = %+v", c)
	}
	if wide.Responses.Len() != 3 || long.Responses.Len() != 3 {
		t.Fatalf("%d and %d responses, want 3", wide.Responses.Len(), long.Responses.Len())
	}
	for i := range wide.Responses.Len() {
		if wide.Responses.At(i) != long.Responses.At(i) {
			t.Errorf("response %d: %+v and %+v", i, wide.Responses.At(i), long.Responses.At(i))
		}
	}
	if r := wide.Responses.At(0); r.Subject != 0 || r.Item != 0 || r.Value != 1 {
		t.Errorf("first response %+v: ann passed a", r)
	}
}

// TestUnitMeasure checks that a unit measure may have the values 0 and 1 too.
func TestUnitMeasure(t *testing.T) {
	unit := form("wide") + "family = \"unit\"\n"
	d, err := build(t, unit, items, "who,a,b\nann,0.0,1.0\nzoe,0.25,\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, 0.25} {
		if got := d.Responses.At(i).Value; got != want {
			t.Errorf("response %d: %g, want %g", i, got, want)
		}
	}
	if _, err := record.Encode(d); err != nil {
		t.Error(err)
	}
	if _, err := build(t, unit, items, "who,a\nann,1.01\n"); err == nil || !strings.Contains(err.Error(), `value "1.01"; a unit measure lies between 0 and 1`) {
		t.Errorf("above 1: %v", err)
	}
}

func TestParquetEqualsCSV(t *testing.T) {
	type row struct {
		Item   string  `parquet:"item"`
		Keep   int32   `parquet:"keep"`
		Demand float64 `parquet:"demand"`
		Where  string  `parquet:"where"`
	}
	var buf bytes.Buffer
	if err := parquet.Write(&buf, []row{{"b", 1, 2.5, "left"}, {"a", 1, 1, "right"}, {"c", 0, 9, "left"}}); err != nil {
		t.Fatal(err)
	}
	const answers = "who,a,b\nzoe,1,0\n"
	one, err := build(t, form("wide"), items, answers)
	if err != nil {
		t.Fatal(err)
	}
	two, err := build(t, form("wide"), buf.String(), answers)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range one.Items.Columns {
		for k := range c.Number {
			if c.Number[k] != two.Items.Columns[i].Number[k] {
				t.Errorf("column %s differs", c.Name)
			}
		}
	}
	if _, err := build(t, form("wide"), buf.String()[:buf.Len()/2], answers); err == nil || !strings.Contains(err.Error(), "Parquet") {
		t.Errorf("half a Parquet file: %v", err)
	}
}

func TestBadInput(t *testing.T) {
	const good = "who,a,b\nzoe,1,0\n"
	ranged := strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nrange = [0, 20]", 1)
	for _, c := range []struct{ name, mapping, items, responses, want string }{
		{"unknown key", form("wide") + "colour = 1\n", items, good, "m.toml:18: key responses.colour: unknown key: there are absent, blanks, choice, count, except, family, form"},
		{"old spelling", form("wide") + "otherItems = \"ignore\"\n", items, good, "m.toml:18: key responses.otherItems: unknown key: write other_items"},
		{"no form", strings.Replace(form("wide"), "form = \"wide\"\n", "", 1), items, good, "m.toml:13: key responses.form: is missing: wide (one column per item), transposed"},
		{"taken", strings.Replace(form("wide"), `name = "demand"`, `name = "id"`, 1), items, good, `m.toml:7: key feature[0].name: "id" is taken`},
		{"reserved", strings.Replace(form("wide"), `name = "demand"`, `name = "item"`, 1), items, good, `m.toml:7: key feature[0].name: "item" is taken`},
		{"a name that does not print", strings.Replace(form("wide"), `name = "demand"`, "name = \"a\\tb\"", 1), items, good, "m.toml:7: key feature[0].name: \"a\\tb\": contains a character that does not print"},
		{"broken TOML", "name = \n", items, good, "m.toml:1"},
		{"wrong form", form("square"), items, good, `m.toml:14: key responses.form: "square" is not one of "wide", "transposed", "long"`},
		{"no column", strings.Replace(form("wide"), `"who"`, `"whom"`, 1), items, good, `m.toml:15: key responses.subject: responses.csv has no column "whom": did you mean who?`},
		{"no subject column", form("transposed"), items, "item,zoe\na,1\n", `m.toml:15: key responses.subject: responses.csv: no column matches the subjects' pattern "who"`},
		{"no items", form("wide"), "item,keep,demand,where\n", good, "items.csv: the table has no rows"},
		{"empty file", form("wide"), "", good, "the file is empty"},
		{"duplicate item", form("wide"), items + "a,1,1,left\n", good, "items.csv:5: item a is listed already, in line 3"},
		{"ragged", form("wide"), items + "d,1\n", good, "items.csv:5: 2 cells; the header has 4"},
		{"unknown item", form("wide"), items, "who,a,z\nzoe,1,1\n", `responses.csv: column 3: unknown item "z"`},
		{"not binary", form("wide"), items, "who,a\nzoe,2\n", `responses.csv:2: subject zoe, item a: value "2"`},
		{"not a number", form("long"), items, "who,item,ok\nzoe,a,maybe\n", `responses.csv:2: value "maybe"`},
		{"duplicate response", form("wide"), items, "who,a\nzoe,1\nzoe,0\n", "responses.csv:3: two responses of subject zoe to item a, the other in line 2"},
		{"unknown level", strings.Replace(form("wide"), "left = -1", "top = -1", 1), items, good, `m.toml:8: key feature[1]: feature side: items.csv:2: item b has "left", which is not among the levels: there are right, top`},
		{"out of range", strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nrange = [0, 2]", 1), items, good, "m.toml:6: key feature[0]: feature demand: items.csv:2: item b has 2.5, outside"},
		{"constant", strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nvalue = \"keep\"\nstandardise = true", 1), items, good, "cannot be standardised"},
		{"bad expression", strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nvalue = \"demnd*2\"", 1), items, good, "m.toml:8: key feature[0].value: column 1: unknown name demnd: did you mean demand?"},
		{"NaN", strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nvalue = \"log(0-demand)\"", 1), items, good, "items.csv:3: item a: value \"log(0-demand)\" is NaN"},
		{"held out", form("wide") + "[split]\nheld_out = 1.5\n", items, good, "m.toml:19: key split.held_out: want a fraction from 0 to below 1, not 1.5"},
		{"a word in a range", ranged, strings.Replace(items, "2.5", "many", 1), good, `m.toml:6: key feature[0]: feature demand: items.csv:2: item b has "many", which is not a finite number; if it means that there is none, set missing = ["many"]`},
		{"infinity in a range", ranged, strings.Replace(items, "2.5", "inf", 1), good, `items.csv:2: item b has "inf", which is not a finite number`},
		{"a word in a range after an empty cell", ranged, strings.Replace(strings.Replace(items, "2.5", "many", 1), "a,1,1", "a,1,", 1), good, `items.csv:2: item b has "many"`},
		{"a word among the numbers of a demand", form("wide"), strings.Replace(items, "2.5", "-Infinity", 1), good, `items.csv:2: item b has "-Infinity"`},
		{"blank subject", form("wide"), items, "who,a\n,1\n", `responses.csv:2: subject "": empty`},
		{"spaces for a subject", form("long"), items, "who,item,ok\nzoe,a,1\n  ,b,1\n", `responses.csv:3: subject "": empty`},
		{"a subject with NUL", form("wide"), items, "who,a\nz\x00e,1\n", `responses.csv:2: subject "z\x00e": contains a character that does not print`},
		{"a subject that is no UTF-8", form("wide"), items, "who,a\nz\xff,1\n", `responses.csv:2: "z\xff" is not UTF-8; if it means "zÿ", use --encoding windows-1252`},
		{"blank item", form("wide"), items + ",1,1,left\n", good, `items.csv:5: item "": empty`},
		{"misspelt item", form("long"), strings.Replace(items, "\nb,", "\nbridge,", 1), "who,item,ok\nzoe,brigde,1\n", `responses.csv:2: unknown item "brigde": did you mean bridge?`},
		{"a quote that does not end", form("wide"), items + "\"d,1,1,left\n", good, `items.csv:5: column 13: extraneous or missing "`},
		{"two columns of a name", form("wide"), "item,keep,keep\na,1,1\n", good, `items.csv: two columns are called "keep"`},
		{"millions of columns", form("wide"), strings.Repeat(",", 1<<24) + "\n", good, "items.csv: more than 1048576 columns"},
		{"millions of cells", form("wide"), numbered(1<<12) + ",b\n" + strings.Repeat("x"+strings.Repeat(",", 1<<12)+"\n", 1<<12), good, "more than 16777216 cells"},
		{"broken Parquet", form("wide"), "PAR1" + strings.Repeat("\x15\xff", 40) + "\x40\x00\x00\x00PAR1", good, "items.csv: "},
		{"a huge footer", form("wide"), "PAR1\x00\x00\x00\x00\xff\xff\xff\xffPAR1", good, "items.csv: corrupt Parquet file: its footer is longer than the file"},
		{"nothing left", strings.Replace(form("wide"), "keep == 1", "keep == 7", 1), items, good, "m.toml:5: key items.where: no item of items.csv satisfies"},
	} {
		_, err := build(t, c.mapping, c.items, c.responses)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// TestAnimalAI checks that the two shipped mappings compute the meta-features of the reference table from the published
// tables. aaio.toml gives every item its own meta-features; aaio-as-published.toml repeats the published table, in
// which some stand beside the wrong items.
func TestAnimalAI(t *testing.T) {
	data := os.Getenv("ACHILLES_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	if _, err := os.Stat(data); err != nil {
		t.Skipf("no data folder at %s: set ACHILLES_DATA", data)
	}
	bytesOf := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	rows, err := csv.NewReader(bytes.NewReader(bytesOf(filepath.Join(data, "aaio", "metafeatures.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, suffix string }{{"aaio.toml", "_own"}, {"aaio-as-published.toml", ""}} {
		d, err := build(t, string(bytesOf(filepath.Join("../../scenarios/mappings", c.file))), string(bytesOf(filepath.Join(data, "aaio", "task_codes.csv"))), string(bytesOf(filepath.Join(data, "aaio", "scores_all.csv"))))
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Subjects) != 68 || d.Items.Len() != 69 || d.Responses.Len() != 68*69 {
			t.Errorf("%s: %d subjects, %d items, %d responses; want 68, 69, 4692", c.file, len(d.Subjects), d.Items.Len(), d.Responses.Len())
		}
		place := map[string]int{}
		for i, id := range d.Items.ID {
			place[id] = i
		}
		for _, name := range []string{"rewardSize", "rewardDistance", "rewardBehind", "XPos"} {
			k := -1
			for i, h := range rows[0] {
				if h == name+c.suffix {
					k = i
				}
			}
			col, _ := d.Items.Column(name)
			for _, r := range rows[1:] {
				want, _ := strconv.ParseFloat(r[k], 64)
				if got := col.Number[place[r[0]]]; math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s: %s of %s = %.12g, want %.12g", c.file, name, r[0], got, want)
				}
			}
		}
	}
}

// TestPrefixesAndMissingWords checks columns with prefixes of names, and words that mean a missing number.
func TestPrefixesAndMissingWords(t *testing.T) {
	const m = `
[items]
id = "item"
paradigm = "level"
task = "arena"
[items.prefixes]
column = "item"
separator = "-"
names = ["level", "arena"]
[[feature]]
name = "distance"
column = "far"
missing = ["random"]
[responses]
form = "wide"
subject = "who"
`
	const table = "item,far\n1-12-3,2.5\n2-1-1,random\n"
	d, err := build(t, m, table, "who,1-12-3,2-1-1\nann,1,0\n")
	if err != nil {
		t.Fatal(err)
	}
	if d.Items.Paradigm[0] != "1" || d.Items.Task[0] != "1-12" || d.Items.Task[1] != "2-1" {
		t.Errorf("labels %v %v", d.Items.Paradigm, d.Items.Task)
	}
	c, _ := d.Items.Column("distance")
	if c.Number[0] != 2.5 || c.Missing[0] || !c.Missing[1] {
		t.Errorf("distance %+v", c)
	}
	if _, err := build(t, m, strings.Replace(table, "2.5", "far", 1), "who,1-12-3\nann,1\n"); err == nil || !strings.Contains(err.Error(), `"far"`) {
		t.Errorf("a word that is not declared: %v", err)
	}
	if _, err := build(t, m, "item,far\nplain,1\n", "who,plain\nann,1\n"); err == nil || !strings.Contains(err.Error(), "items.prefixes") {
		t.Errorf("a name without parts: %v", err)
	}
}

// TestTrials checks that numbers of trials stand beside counts, and what is no such number.
func TestTrials(t *testing.T) {
	counts := form("long") + "family = \"count\"\ntrials = \"of\"\n"
	d, err := build(t, counts, items, "who,item,ok,of\nann,a,3,4\nann,b,0,1\n")
	if err != nil {
		t.Fatal(err)
	}
	if d.Responses.At(0).Trials != 4 || d.Responses.At(1).Trials != 1 {
		t.Errorf("responses %+v", d.Responses.List())
	}
	if _, err := record.Encode(d); err != nil {
		t.Error(err)
	}
	if d, err = build(t, counts, items, "who,item,ok,of\nann,a,0.7143,70\nann,b,1,68\n"); err != nil || d.Responses.At(0).Value != 50 || d.Responses.At(1).Value != 68 {
		t.Errorf("proportions: %+v, %v", d, err)
	}
	if _, err = build(t, counts+"rate = false\n", items, "who,item,ok,of\nann,a,0.7143,70\n"); err == nil || !strings.Contains(err.Error(), "if it is a proportion of the trials, set rate = true") {
		t.Errorf("proportions that are none: %v", err)
	}
	for _, c := range []struct{ mapping, cell, want string }{
		{counts, "2", `responses.csv:2: 3 successes of 2 trials: want a whole number of trials from 1`},
		{counts, "", `3 successes of "" trials`},
		{counts, "4.5", `3 successes of "4.5" trials`},
		{counts, "99999999999", "successes of"},
		{strings.Replace(counts, `"of"`, `"off"`, 1), "4", `key responses.trials: responses.csv has no column "off": did you mean of?`},
		{form("long") + "trials = \"of\"\n", "4", "key responses.trials: a number of trials is given for each response that counts successes"},
		{form("wide") + "family = \"count\"\ntrials = \"of\"\n", "4", "key responses.trials: a number of trials is given for each response that counts successes"},
	} {
		if _, err := build(t, c.mapping, items, "who,item,ok,of\nann,a,3,"+c.cell+"\n"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.cell, err, c.want)
		}
	}
}

// numbered returns n names of columns.
func numbered(n int) string {
	var names []string
	for i := range n {
		names = append(names, "c"+strconv.Itoa(i))
	}
	return strings.Join(names, ",")
}
