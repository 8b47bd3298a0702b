package record_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"achilles/sim/longtest"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
)

// mapFS serves files from memory.
func mapFS(files map[string][]byte) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// sample returns a random data set that uses every part of the format: all kinds, families and reasons, missing values,
// several trials, pairs and repetitions.
func sample(root uint64, subjects, items int) *record.Dataset {
	return sampleOf(root, subjects, items, items)
}

// sampleOf returns a sample in which only the first items have responses, for tests that need many items.
func sampleOf(root uint64, subjects, items, answered int) *record.Dataset {
	r := rng.Stream(root, "record test")
	d := &record.Dataset{Reasons: []string{"", "crashed", "out of time"}}
	d.Manifest.Parents = map[string]string{part.Sealed: strings.Repeat("0f", 32)}
	d.Manifest.Features = []record.Feature{
		{Name: "distance", Kind: record.Number, Role: record.Demand, Unit: "cells", Doc: "length of the legal path", Range: &[2]float64{0, 10}},
		{Name: "colour", Kind: record.Text, Role: record.Nuisance},
		{Name: "always left passes", Kind: record.Number, Role: record.Shortcut},
	}
	d.Manifest.Measures = []record.Measure{
		{Name: "success", Family: record.Binary, Doc: "ate the reward"}, {Name: "choice", Family: record.Choice},
		{Name: "steps", Family: record.Count}, {Name: "surprise", Family: record.Real}, {Name: "confidence", Family: record.Unit},
	}
	distance := record.Column{Feature: d.Manifest.Features[0]}
	colour := record.Column{Feature: d.Manifest.Features[1], Missing: make([]bool, items)}
	left := record.Column{Feature: d.Manifest.Features[2], Missing: make([]bool, items)}
	for i := range items {
		d.Items.ID = append(d.Items.ID, fmt.Sprintf("i-%08x", 1000+i*7))
		d.Items.Suite = append(d.Items.Suite, "op")
		d.Items.Paradigm = append(d.Items.Paradigm, []string{"cup", "grid"}[r.IntN(2)])
		d.Items.Task = append(d.Items.Task, fmt.Sprint("task ", r.IntN(5)))
		distance.Number = append(distance.Number, 10*r.Float64())
		colour.Text = append(colour.Text, []string{"red", "grün", ""}[r.IntN(3)])
		left.Number = append(left.Number, float64(r.IntN(2)))
	}
	colour.Missing[0], colour.Text[0] = true, ""
	left.Missing[items-1], left.Number[items-1] = true, 0
	d.Items.Columns = []record.Column{distance, colour, left}
	var list []record.Response
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s-%08x", s*99))
		for i := range answered {
			list = append(list, answers(&r, int32(s), int32(i))...)
		}
	}
	for i, x := range list { // items were taken backwards; the positions of the first subject are not known
		if x.Subject > 0 {
			list[i].Position = int32(6*items) - 6*x.Item - 2*int32(x.Trial) - int32(x.Repetition)
		}
	}
	list[0].Unscored, list[0].Value = 1, 0
	list[1].Unscored, list[1].Value = 2, 0
	d.Visits = []string{"", "2", "3 1"}
	for i := range list {
		list[i].Chosen = chosen(&list[i])
	}
	d.Responses = record.PackResponses(list)
	return d
}

// chosen returns where a subject went: to all of the format, by trial.
func chosen(x *record.Response) record.Chosen {
	k := int32(x.Trial)*2 + int32(x.Repetition)*3 + x.Item
	switch w := record.Went(k % 7); {
	case x.Unscored > 0 || w == record.Unrecorded:
		return record.Chosen{}
	case w == record.ToNone:
		return record.Chosen{Went: w}
	default:
		return record.Chosen{Went: w, Place: uint8(1 + k%4), Latency: 10 + k, Visited: uint32(k % 3)}
	}
}

// withoutChoices removes what no version before 4 has.
func withoutChoices(d *record.Dataset) {
	d.Visits = nil
	responses(func(list []record.Response) {
		for i := range list {
			list[i].Chosen = record.Chosen{}
		}
	})(d)
}

// answers returns random responses of a subject to an item: a familiarisation trial and a pair of test trials, two
// repetitions, five measures.
func answers(r *rng.Rand, subject, item int32) []record.Response {
	var all []record.Response
	split := record.Split(r.IntN(2))
	for trial := range int16(3) {
		for repetition := range int16(2) {
			for m, v := range []float64{float64(r.IntN(2)), float64(r.IntN(4)), float64(r.IntN(100)), r.Norm(), r.Float64()} {
				x := record.Response{Subject: subject, Item: item, Trial: trial, Repetition: repetition, Measure: uint8(m), Split: split, Value: v, Pair: 1}
				if trial == 0 {
					x.Phase, x.Pair = record.Familiarisation, 0
				}
				if r.Bernoulli(0.01) {
					x.Unscored, x.Value = uint8(1+r.IntN(2)), 0
				}
				all = append(all, x)
			}
		}
	}
	return all
}

// responses returns a function that changes the responses of a data set.
func responses(change func(list []record.Response)) func(d *record.Dataset) {
	return func(d *record.Dataset) {
		list := d.Responses.List()
		change(list)
		d.Responses = record.PackResponses(list)
	}
}

// unpacked lets cmp compare data sets.
func unpacked() cmp.Option {
	type table struct {
		ID, Suite, Paradigm, Task []string
		Columns                   []record.Column
	}
	return cmp.Options{
		cmp.Transformer("List", func(r record.Responses) []record.Response { return r.List() }),
		cmp.Transformer("Values", func(it record.Items) table {
			all := it.Part(0, it.Len())
			return table{all.ID, all.Suite, all.Paradigm, all.Task, all.Columns}
		}),
	}
}

func encode(t testing.TB, d *record.Dataset, others ...part.File) map[string][]byte {
	t.Helper()
	files, err := record.Encode(d, others...)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRoundTrip(t *testing.T) {
	for root := range uint64(12) {
		d := sample(root, 1+int(root)%5, 1+int(root*3)%40)
		files := encode(t, d)
		got, err := record.Read(mapFS(files))
		if err != nil {
			t.Fatalf("root %d: %v", root, err)
		}
		if diff := cmp.Diff(d, got, unpacked()); diff != "" {
			t.Fatalf("root %d: what was read differs from what was written (-written +read):\n%s", root, diff)
		}
		if again := encode(t, got); !maps.EqualFunc(files, again, bytes.Equal) {
			t.Errorf("root %d: written again, the bytes differ", root)
		}
	}
}

// TestTables checks that Tables reads the same tables as Read, and opens nothing else.
func TestTables(t *testing.T) {
	fsys := os.DirFS("testdata/v4")
	whole, err := record.Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	few := fstest.MapFS{}
	for _, name := range []string{"manifest.json", "items.parquet", "responses.parquet"} {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		few[name] = &fstest.MapFile{Data: data}
	}
	tables, err := record.Tables(few)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, tables, unpacked()); diff != "" {
		t.Errorf("-all +tables alone\n%s", diff)
	}
}

func TestManyDistinctValues(t *testing.T) {
	d := sample(1, 2, 1)
	d.Manifest.Measures = []record.Measure{{Name: "surprise", Family: record.Real}}
	d.Reasons = []string{""}
	var list []record.Response
	d.Subjects = d.Subjects[:1]
	r := rng.Stream(2, "values")
	for trial := range 7 { // more values than are listed once of a feature
		for repetition := range 10_000 {
			list = append(list, record.Response{Trial: int16(trial), Repetition: int16(repetition), Value: r.Norm()})
		}
	}
	d.Responses = record.PackResponses(list)
	got, err := record.Read(mapFS(encode(t, d)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Responses.List(), got.Responses.List()) {
		t.Error("responses differ")
	}
}

// TestManyRowGroups checks that tables of several row groups, the last of which may be full, are read as they were written.
func TestManyRowGroups(t *testing.T) {
	for _, c := range []struct {
		table    string
		rowGroup int
		d        *record.Dataset
		groups   int
	}{
		{"items.parquet", 1 << 13, sampleOf(3, 1, 20_000, 1), 3},
		{"items.parquet", 1 << 13, sampleOf(3, 1, 1<<14, 1), 2},
		{"responses.parquet", 1 << 16, sample(3, 5, 1000), 3},
		{"subjects.parquet", 2, known(), 2},
	} {
		manyRowGroups(t, c.table, c.rowGroup, c.d, c.groups)
	}
}

// TestGroupsOfMillionRows checks that responses are read as they were written if a row group is as large as users have it.
func TestGroupsOfMillionRows(t *testing.T) {
	longtest.Only(t, "writes 1.5 million rows")
	manyRowGroups(t, "responses.parquet", 1<<20, sample(3, 50, 1000), 2)
}

// manyRowGroups checks that d is read as it was written in row groups of a size, and that a table has a number of groups.
func manyRowGroups(t *testing.T, table string, rowGroup int, d *record.Dataset, groups int) {
	t.Helper()
	defer record.SetRowGroup(rowGroup)()
	files := encode(t, d)
	f, err := parquet.OpenFile(bytes.NewReader(files[table]), int64(len(files[table])))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.RowGroups()); n != groups {
		t.Errorf("%s has %d row groups, want %d", table, n, groups)
	}
	got, err := record.Read(mapFS(files))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Responses.List(), got.Responses.List()) || !slices.Equal(d.Subjects, got.Subjects) {
		t.Errorf("%s in row groups of %d: responses differ", table, rowGroup)
	}
	if !reflect.DeepEqual(d.Items.Part(0, d.Items.Len()), got.Items.Part(0, got.Items.Len())) || !reflect.DeepEqual(d.Covariates, got.Covariates) {
		t.Errorf("%s in row groups of %d: items or subjects differ", table, rowGroup)
	}
}

// golden returns the files of a public directory with tables, worlds and trajectories: testdata/v3 must have the same.
func golden(t testing.TB) map[string][]byte {
	files, err := record.EncodeWorlds(someWorlds(3))
	if err != nil {
		t.Fatal(err)
	}
	others := []part.File{part.NewFile("worlds/000000.txt", files["worlds/000000.txt"])}
	shards, list := writeTrajectories(t, someTrajectories(5, 4))
	maps.Copy(files, shards)
	maps.Copy(files, encode(t, sample(5, 3, 4), append(others, list...)...))
	return files
}

// TestGolden checks the golden directory of version 4: this reader, like that of any later version, must read it, and a
// writer of version 4 must write these bytes.
func TestGolden(t *testing.T) {
	dir := filepath.Join("testdata", "v4")
	files := golden(t)
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		for name, data := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, data := range files {
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatalf("%v (-update writes the golden files)", err)
		}
		if !bytes.Equal(data, want) {
			t.Errorf("%s: bytes differ from the golden file", name)
		}
	}
	got, err := record.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := sample(5, 3, 4)
	want.Manifest = got.Manifest
	if diff := cmp.Diff(want, got, unpacked()); diff != "" {
		t.Errorf("the golden directory reads differently (-want +got):\n%s", diff)
	}
}

// TestOldVersions checks that directories of versions 1, which has no positions, 2, whose manifest has another form, and 3, which has no
// choices, can still be read, and that they are written again as new ones.
func TestOldVersions(t *testing.T) {
	for version := 1; version <= 3; version++ {
		got, err := record.Read(os.DirFS(filepath.Join("testdata", fmt.Sprint("v", version))))
		if err != nil {
			t.Fatal(err)
		}
		want := sample(5, 3, 4)
		withoutChoices(want)
		if m := got.Manifest; m.Version != version || m.Parents[part.Sealed] != want.Manifest.Parents[part.Sealed] || !cmp.Equal(m.Schema, want.Manifest.Schema) || !m.Watchable() {
			t.Fatalf("version %d reads as %+v", version, m)
		}
		want.Manifest = got.Manifest
		if version == 1 {
			responses(func(list []record.Response) {
				for i := range list {
					list[i].Position = 0
				}
			})(want)
		}
		if diff := cmp.Diff(want, got, unpacked()); diff != "" {
			t.Errorf("version %d reads differently (-want +got):\n%s", version, diff)
		}
		if again := encode(t, got); !strings.Contains(string(again["manifest.json"]), `"version": 4`) {
			t.Errorf("version %d, written again, is not version 4", version)
		}
	}
}

func TestSameBytesOnAnyProcessorCount(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first map[string][]byte
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		d := sample(9, 5, 200)
		shards, list := writeTrajectories(t, someTrajectories(9, 1500))
		files := encode(t, d, list...)
		maps.Copy(files, shards)
		if first == nil {
			first = files
		}
		for name := range first {
			if !bytes.Equal(files[name], first[name]) {
				t.Errorf("GOMAXPROCS %d: %s differs", n, name)
			}
		}
	}
}

func TestNoClockSeedOrNameInTheManifest(t *testing.T) {
	text := string(encode(t, sample(1, 1, 1))["manifest.json"])
	for _, word := range []string{"seed", "root", "date", "time", "agent", "scenario", "host"} {
		if strings.Contains(strings.ToLower(text), `"`+word+`"`) {
			t.Errorf("the manifest has a key %q", word)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	files := mapFS(encode(b, sample(1, 100, 300))) // 900,000 rows
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		d, err := record.Read(files)
		if err != nil {
			b.Fatal(err)
		}
		rows += d.Responses.Len()
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrow/s")
}
