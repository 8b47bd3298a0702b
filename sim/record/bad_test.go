package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// itemRow and responseRow are rows of tables that another program writes: with plain encodings, other compression,
// 64-bit integers, and columns in its own order. The tests change these to make what the reader must refuse.
type itemRow struct {
	Item     string   `parquet:"item"`
	Suite    string   `parquet:"suite"`
	Paradigm string   `parquet:"paradigm"`
	Task     string   `parquet:"task"`
	Distance *float64 `parquet:"distance,optional"`
	Colour   *string  `parquet:"colour,optional"`
}

type responseRow struct {
	Repetition int64    `parquet:"repetition"`
	Subject    string   `parquet:"subject"`
	Item       string   `parquet:"item"`
	Trial      int64    `parquet:"trial"`
	Phase      string   `parquet:"phase"`
	Pair       int64    `parquet:"pair"`
	Measure    string   `parquet:"measure"`
	Value      *float64 `parquet:"value,optional,snappy"`
	Split      string   `parquet:"split"`
	Unscored   *string  `parquet:"unscored,optional"`
}

// A foreign has the content of a small valid public directory, as another program would write it.
type foreign struct {
	items     []itemRow
	responses []responseRow
	manifest  record.Manifest
}

func newForeign() *foreign {
	f := new(foreign)
	f.manifest.Schema = record.Schema{
		Features: []record.Feature{{Name: "distance", Kind: record.Number, Role: record.Demand, Range: &[2]float64{0, 5}}, {Name: "colour", Kind: record.Text, Role: record.Nuisance}},
		Measures: []record.Measure{{Name: "success", Family: record.Binary}, {Name: "steps", Family: record.Count}},
	}
	for _, id := range []string{"a", "b", "c"} {
		f.items = append(f.items, itemRow{Item: id, Suite: "op", Paradigm: "cup", Task: "t", Distance: new(3.5), Colour: new("red")})
		for _, s := range []string{"x", "y"} {
			f.responses = append(f.responses,
				responseRow{Subject: s, Item: id, Phase: "test", Measure: "success", Value: new(1.0), Split: "fit"},
				responseRow{Subject: s, Item: id, Phase: "test", Measure: "steps", Value: new(7.0), Split: "fit"})
		}
	}
	slices.SortStableFunc(f.responses, func(a, b responseRow) int { return strings.Compare(a.Subject, b.Subject) })
	return f
}

func encoded[T any](t testing.TB, rows []T) []byte {
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// write returns the files of f, with a manifest that fits them.
func (f *foreign) write(t testing.TB) map[string][]byte {
	files := map[string][]byte{"items.parquet": encoded(t, f.items), "responses.parquet": encoded(t, f.responses)}
	return withManifest(f.manifest, files)
}

// withManifest adds a manifest for the files, without the checks of the package.
func withManifest(m record.Manifest, files map[string][]byte) map[string][]byte {
	out := part.New(part.Public, m.Parents, m.Schema)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch f := part.NewFile(name, files[name]); {
		case path.Ext(name) == ".parquet" && !strings.Contains(name, "/"):
			out.AddRows(f, -1, table.Table{Name: strings.TrimSuffix(name, ".parquet")})
		case name != part.ManifestFile:
			out.Files = append(out.Files, f)
		}
	}
	files[part.ManifestFile] = out.Encode()
	return files
}

func TestForeignTables(t *testing.T) {
	f := newForeign()
	f.items[1].Distance, f.items[1].Colour = nil, nil
	f.responses[3].Value, f.responses[3].Unscored = nil, new("crashed")
	d, err := record.Read(mapFS(f.write(t)))
	if err != nil {
		t.Fatal(err)
	}
	want := []bool{false, true, false}
	distance, _ := d.Items.Column("distance")
	colour, _ := d.Items.Column("colour")
	if !slices.Equal(distance.Missing, want) || !slices.Equal(colour.Missing, want) {
		t.Errorf("missing: %v and %v, want %v", distance.Missing, colour.Missing, want)
	}
	if r := d.Responses.At(3); r.Unscored != 1 || d.Reasons[1] != "crashed" || r.Value != 0 {
		t.Errorf("unscored response reads %+v", r)
	}
	again, err := record.Read(mapFS(encode(t, d)))
	if err != nil {
		t.Fatal(err)
	}
	again.Manifest.Files, d.Manifest.Files = nil, nil
	if diff := cmp.Diff(d, again, unpacked()); diff != "" {
		t.Errorf("our own tables read differently:\n%s", diff)
	}
}

func TestBadTables(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(f *foreign)
		want   string
	}{
		{"empty items", func(f *foreign) { f.items = nil }, "items.parquet: the table is empty"},
		{"empty responses", func(f *foreign) { f.responses = nil }, "responses.parquet: the table is empty"},
		{"duplicate item", func(f *foreign) { f.items[1].Item = "a" }, "items.parquet: row 2: item a is listed twice"},
		{"unsorted items", func(f *foreign) { f.items[0], f.items[1] = f.items[1], f.items[0] }, "items.parquet: row 2: item a after b"},
		{"nameless item", func(f *foreign) { f.items[0].Item = "" }, "items.parquet: row 1: item"},
		{"NaN feature", func(f *foreign) { f.items[2].Distance = new(math.NaN()) }, "items.parquet: column distance: row 3: item c: NaN is not a finite number"},
		{"infinite feature", func(f *foreign) { f.items[2].Distance = new(math.Inf(1)) }, "+Inf is not a finite number"},
		{"feature out of range", func(f *foreign) { f.items[0].Distance = new(5.5) }, "5.5 is outside the declared range [0, 5]"},
		{"unprintable text", func(f *foreign) { f.items[0].Colour = new("a\x00b") }, "column colour: row 1: item a: contains a character"},
		{"undeclared column", func(f *foreign) { f.manifest.Features = f.manifest.Features[:1] }, "items.parquet: column \"colour\" is not part of the format"},
		{"missing column", func(f *foreign) {
			f.manifest.Features = append(f.manifest.Features, record.Feature{Name: "size", Kind: record.Number, Role: record.Demand})
		}, "items.parquet: column size is missing"},
		{"text for a number", func(f *foreign) { f.manifest.Features[1].Kind = record.Number }, "items.parquet: column colour is not a optional float"},
		{"number for a text", func(f *foreign) {
			f.manifest.Features[0].Kind = record.Text
			f.manifest.Features[0].Range = nil
		}, "column distance is not a optional string"},
		{"unknown item", func(f *foreign) { f.responses[2].Item = "q" }, `responses.parquet: row 3: unknown item "q"`},
		{"unknown measure", func(f *foreign) { f.responses[2].Measure = "mood" }, `row 3: unknown measure "mood"`},
		{"unknown phase", func(f *foreign) { f.responses[2].Phase = "warm-up" }, `row 3: unknown phase "warm-up"`},
		{"unknown split", func(f *foreign) { f.responses[2].Split = "train" }, `row 3: unknown split "train"`},
		{"nameless subject", func(f *foreign) {
			for i := range 6 {
				f.responses[i].Subject = ""
			}
		}, "subject"},
		{"duplicate response", func(f *foreign) { f.responses[1] = f.responses[0] }, "row 2: subject x, item a, trial 0, repetition 0, success is listed twice"},
		{"unsorted subjects", func(f *foreign) { slices.Reverse(f.responses) }, "rows are not sorted"},
		{"unsorted items of a subject", func(f *foreign) { f.responses[0], f.responses[4] = f.responses[4], f.responses[0] }, "rows are not sorted"},
		{"NaN", func(f *foreign) { f.responses[0].Value = new(math.NaN()) }, "success is NaN: not a finite number"},
		{"infinity", func(f *foreign) { f.responses[1].Value = new(math.Inf(-1)) }, "steps is -Inf: not a finite number"},
		{"half a success", func(f *foreign) { f.responses[0].Value = new(0.5) }, "row 1: subject x, item a: success is 0.5: a binary measure is 0 or 1"},
		{"negative count", func(f *foreign) { f.responses[1].Value = new(-1.0) }, "a count or choice is a whole number"},
		{"half a step", func(f *foreign) { f.responses[1].Value = new(1.5) }, "a count or choice is a whole number"},
		{"neither value nor reason", func(f *foreign) { f.responses[0].Value = nil }, "row 1: a response has either a value or the reason"},
		{"value and reason", func(f *foreign) { f.responses[0].Unscored = new("crashed") }, "row 1: a response has either a value or the reason"},
		{"empty reason", func(f *foreign) { f.responses[0].Value, f.responses[0].Unscored = nil, new("") }, `reason ""`},
		{"negative trial", func(f *foreign) { f.responses[0].Trial = -1 }, "row 1: trial -1"},
		{"huge repetition", func(f *foreign) { f.responses[1].Repetition = 40_000 }, "row 2: trial 0, repetition 40000"},
		{"trial beyond 32 bits", func(f *foreign) { f.responses[0].Trial = 1 << 40 }, "does not fit 32 bits"},
		{"negative pair", func(f *foreign) { f.responses[0].Pair = -1 }, "negative trial, repetition or pair"},
		{"phase differs between subjects", func(f *foreign) { f.responses[0].Phase, f.responses[1].Phase = "familiarisation", "familiarisation" }, "its phase or pair differs"},
		{"half held out", func(f *foreign) { f.responses[1].Split = "held-out" }, "all fitted or all held out"},
		{"pair of three", func(f *foreign) {
			for i := range 6 {
				f.responses[i] = responseRow{Subject: "x", Item: "a", Phase: "test", Pair: 1, Trial: int64(i), Measure: "steps", Value: new(1.0), Split: "fit"}
			}
		}, "item a: pair 1 has more than two trials"},
	} {
		f := newForeign()
		c.change(f)
		files := f.write(t)
		if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is longer than a line: %v", c.why, err)
		}
	}
	if _, err := record.Read(mapFS(newForeign().write(t))); err != nil {
		t.Errorf("the unchanged tables are refused: %v", err)
	}
}

// TestMissingColumns checks that a table is refused if a column is missing, or if a column is not part of the format.
func TestMissingColumns(t *testing.T) {
	type narrow struct {
		Subject string `parquet:"subject"`
		Item    string `parquet:"item"`
	}
	f := newForeign()
	files := f.write(t)
	files["responses.parquet"] = encoded(t, []narrow{{"x", "a"}})
	withManifest(f.manifest, files)
	if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), "responses.parquet: column trial is missing") {
		t.Errorf("error %v", err)
	}
	files["responses.parquet"] = encoded(t, []struct {
		responseRow
		Name string `parquet:"agent_name"`
	}{{f.responses[0], "fraudster"}})
	withManifest(f.manifest, files)
	if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), `column "agent_name" is not part of the format`) {
		t.Errorf("error %v", err)
	}
}

func TestBadManifest(t *testing.T) {
	for _, c := range []struct {
		why      string
		old, new string
		want     string
	}{
		{"not JSON", `{`, `[`, "manifest.json: "},
		{"another format", `"achilles-public"`, `"other"`, `another format: "other"`},
		{"a later version", `"version": 4`, `"version": 5`, `another format: "achilles-public" version 5, where this program reads "achilles-public" version 4`},
		{"no version", `"version": 4`, `"version": 0`, "version 0"},
		{"unknown key", `"version": 4`, `"version": 4, "seed": 4`, "seed"},
		{"unknown setting", `"measures"`, `"seed": 4, "measures"`, "seed"},
		{"another parent", `"parents": {`, `"parents": {"inferred": "` + strings.Repeat("a", 64) + `"`, "has no parent but sealed"},
		{"another number of rows", `"rows": -1`, `"rows": 4`, "items.parquet: 3 rows, where manifest.json states 4"},
		{"trailing text", `"files": []`, `"files": []} {"a": 1`, ""},
		{"path that escapes", `"items.parquet"`, `"../sealed/truth.json"`, "not a path"},
		{"absolute path", `"items.parquet"`, `"/etc/passwd"`, "not a path"},
		{"escape through a folder", `"items.parquet"`, `"worlds/../../sealed/truth.json"`, "not a path"},
		{"escape by backslash", `"items.parquet"`, `"worlds\\..\\truth.json"`, "not a path"},
		{"escape by backslash below a folder", `"items.parquet"`, `"worlds/..\\..\\truth.json"`, "not a path"},
		{"another drive", `"items.parquet"`, `"worlds/c:truth.json"`, "not a path"},
		{"unknown file", `"items.parquet"`, `"notes.txt"`, "not a path of this format"},
		{"file twice", `"items.parquet"`, `"responses.parquet"`, "listed twice"},
		{"digest of another length", `"sha256": "`, `"sha256": "00`, "not a digest"},
		{"negative size", `"bytes": `, `"bytes": -`, "negative size"},
		{"unknown kind", `"number"`, `"complex"`, `kind "complex" is not one of`},
		{"unknown role", `"demand"`, `"help"`, `role "help" is not one of`},
		{"empty range", "0,\n          5", "5,\n          0", "not an interval"},
		{"range of a text", `"kind": "text"`, `"kind": "text", "range": [0,1]`, "only numbers have a range"},
		{"reserved name", `"name": "colour"`, `"name": "task"`, "the name is taken"},
		{"feature twice", `"name": "colour"`, `"name": "distance"`, "the name is taken"},
		{"nameless feature", `"name": "colour"`, `"name": ""`, "empty"},
		{"unknown family", `"family": "count"`, `"family": "ordinal"`, `family "ordinal" is not one of`},
		{"measure twice", `"name": "steps"`, `"name": "success"`, "declared twice"},
		{"bad commitment", `"parents": {`, `"parents": {"sealed": "12"`, "is a digest in lower-case hex"},
	} {
		files := newForeign().write(t)
		text := string(files["manifest.json"])
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("%s: nothing to change in\n%s", c.why, text)
		}
		files["manifest.json"] = []byte(changed)
		_, err := record.Read(mapFS(files))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "manifest.json") {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
	files := newForeign().write(t)
	delete(files, "manifest.json")
	if _, err := record.Read(mapFS(files)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "not a public directory") {
		t.Errorf("no manifest: %v", err)
	}
	for _, name := range []string{"items.parquet", "responses.parquet"} {
		f := newForeign()
		files := f.write(t)
		delete(files, name)
		if _, err := record.Read(mapFS(files)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s missing: %v", name, err)
		}
		withManifest(f.manifest, files)
		if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), name+" is not listed") {
			t.Errorf("%s not listed: %v", name, err)
		}
	}
}

// TestReasonsAreSorted checks that reasons are sorted after reading, whatever their order in the table.
func TestReasonsAreSorted(t *testing.T) {
	f := newForeign()
	for i, why := range []string{"z", "m", "a", "m"} {
		f.responses[i].Value, f.responses[i].Unscored = nil, new(why)
	}
	d, err := record.Read(mapFS(f.write(t)))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range d.Responses.List()[:5] {
		got += d.Reasons[r.Unscored] + "."
	}
	if got != "z.m.a.m.." || !slices.Equal(d.Reasons, []string{"", "a", "m", "z"}) {
		t.Errorf("reasons %q, by row %s", d.Reasons, got)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(d *record.Dataset)
		want   string
	}{
		{"no measures", func(d *record.Dataset) { d.Manifest.Measures = nil }, "0 measures"},
		{"NaN range", func(d *record.Dataset) { d.Manifest.Features[0].Range[1] = math.NaN() }, "not an interval"},
		{"a column too few", func(d *record.Dataset) { d.Items.Columns = d.Items.Columns[:1] }, "1 feature columns for 3"},
		{"columns in another order", func(d *record.Dataset) {
			c := d.Items.Columns
			c[0], c[1] = c[1], c[0]
		}, "differs from feature"},
		{"a label too few", func(d *record.Dataset) { d.Items.Task = d.Items.Task[1:] }, "differ in length"},
		{"a value too few", func(d *record.Dataset) { d.Items.Columns[0].Number = nil }, "0 values for"},
		{"subject without response", func(d *record.Dataset) { d.Subjects = append(d.Subjects, "zz") }, "subject zz has no response"},
		{"unsorted subjects", func(d *record.Dataset) { slices.Reverse(d.Subjects) }, "not sorted"},
		{"unused reason", func(d *record.Dataset) { d.Reasons = append(d.Reasons, "zz") }, `reason "zz" is never used`},
		{"no empty reason", func(d *record.Dataset) { d.Reasons = d.Reasons[1:] }, "reasons must be"},
		{"item outside the table", responses(func(list []record.Response) { list[0].Item = 99 }), "row 1: item outside"},
		{"subject outside the list", responses(func(list []record.Response) { list[0].Subject = -1 }), "row 1: subject outside"},
		{"measure outside the list", responses(func(list []record.Response) { list[0].Measure = 9 }), "row 1: measure outside"},
		{"unknown phase", responses(func(list []record.Response) { list[0].Phase = 9 }), "row 1: unknown phase"},
		{"unscored with a value", responses(func(list []record.Response) { list[0].Value = 1 }), "an unscored response has a value"},
		{"negative position", responses(func(list []record.Response) { list[0].Position = -1 }), "row 1: position -1: not in 0"},
		{"huge position", responses(func(list []record.Response) { list[0].Position = 1 << 30 }), "row 1: position 1073741824"},
		{"two positions of a trial", responses(func(list []record.Response) { list[1].Position = 7 }), "item i-000003e8, trial 0, repetition 0: two positions"},
		{"a position twice", responses(func(list []record.Response) {
			for i := range 10 {
				list[i].Position = 7
			}
		}), "item i-000003e8, trial 0, repetition 1: another trial of the subject has position 7"},
		{"trials of a measure that is no count", responses(func(list []record.Response) { list[10].Trials = 5 }), "has a number of trials: only a count has one"},
		{"more successes than trials", responses(func(list []record.Response) { list[12].Value, list[12].Trials = 6, 5 }), "is 6, more than its 5 trials"},
		{"negative trials", responses(func(list []record.Response) { list[12].Trials = -1 }), "counts the successes of -1 trials"},
		{"unit measure above 1", responses(func(list []record.Response) { list[14].Value, list[14].Unscored = 1.01, 0 }), "between 0 and 1"},
	} {
		d := sample(8, 2, 4)
		c.change(d)
		if _, err := record.Encode(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
	if _, err := record.Encode(sample(8, 2, 4), part.NewFile("../sealed/truth.json", nil)); err == nil {
		t.Error("a file outside the directory is listed")
	}
}

func ExampleRead() {
	f := newForeign()
	files := f.write(&testing.T{})
	files["manifest.json"] = bytes.Replace(files["manifest.json"], []byte(`"version": 4`), []byte(`"version": 7`), 1)
	_, err := record.Read(mapFS(files))
	fmt.Println(err)
	// Output: manifest.json: another format: "achilles-public" version 7, where this program reads "achilles-public" version 4
}
