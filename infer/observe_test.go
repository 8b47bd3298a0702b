package infer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
)

// memory is a sink in memory. room is the number of files that it still accepts; after that, Put returns errors.
type memory struct {
	files map[string][]byte
	room  int
}

// Put keeps a file.
func (m *memory) Put(name string, data []byte) error {
	if m.room--; m.room < 0 {
		return errors.New("killed")
	}
	m.files[name] = slices.Clone(data)
	return nil
}

func (m *memory) Create(name string) (io.WriteCloser, error) { return infertest.Create(name, m.Put) }

func (m *memory) Get(name string) ([]byte, error) { return m.files[name], nil }

func sink() *memory { return &memory{map[string][]byte{}, 1000} }

func dir(files map[string][]byte) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	return fsys
}

// directory returns a public directory of n items, each a copy of a short episode.
func directory(t testing.TB, n int) fstest.MapFS {
	t.Helper()
	const shard = "scenes/000000.jsonl.gz"
	text, err := os.ReadFile(filepath.Join("voe", "testdata", shard))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := record.SceneShard(dir(map[string][]byte{shard: text}), part.NewFile(shard, text))
	if err != nil {
		t.Fatal(err)
	}
	video := golden[0].Videos[0]
	video.Familiarisation = video.Familiarisation[:1]
	d := &record.Dataset{}
	var items []record.Watched
	for i := range n {
		id := fmt.Sprintf("i-%06d", i)
		items = append(items, record.Watched{Item: id, Videos: []record.Video{video}})
		d.Items.ID, d.Items.Suite = append(d.Items.ID, id), append(d.Items.Suite, "s")
		d.Items.Paradigm, d.Items.Task = append(d.Items.Paradigm, "p"), append(d.Items.Task, "t")
	}
	files := map[string][]byte{}
	var list []part.File
	for shard := range slices.Chunk(items, record.ScenesPerShard) {
		name, data, err := record.EncodeSceneShard(len(files), shard)
		if err != nil {
			t.Fatal(err)
		}
		files[name], list = data, append(list, part.NewFile(name, data))
	}
	tables, err := record.Encode(d, list...)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(files, tables)
	return dir(files)
}

// TestObserve checks, over three shards, that the tables have all items and beliefs by frame of the first 258 only. It
// also checks that neither the number of goroutines nor an interruption changes a byte.
func TestObserve(t *testing.T) {
	public := directory(t, 520)
	task := infer.Job{Settings: infer.Settings{Seed: 4, Observers: []string{"random", "achilles"}, Moments: 258, Jobs: 2}}
	out := sink()
	res, err := infer.Run(context.Background(), public, task, sink(), out)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"achilles", "random"}; !slices.Equal(res.Settings.Observers, want) || len(res.Surprises) != 2*520 {
		t.Errorf("observers %v, %d surprises", res.Settings.Observers, len(res.Surprises))
	}
	back, err := infer.Open(dir(out.files))
	if err != nil || !reflect.DeepEqual(back, res) {
		t.Fatalf("what is read is not what was written (%v)", err)
	}
	convictions, frames := map[string]int{}, map[string]int{}
	for shard := range 3 {
		if rows, err := infer.ReadRows[voe.TrialSurprise](dir(out.files), &back.Manifest, fmt.Sprintf("trials/%06d.parquet", shard)); err != nil || len(rows) == 0 || rows[0].Observer != "achilles" || rows[len(rows)-1].Trial != 1 {
			t.Errorf("shard %d has %d rows of trials (%v)", shard, len(rows), err)
		}
		c, err := infer.ReadRows[voe.Conviction](dir(out.files), &back.Manifest, fmt.Sprintf("beliefs/%06d.parquet", shard))
		f, err2 := back.Moments(dir(out.files), shard)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for _, x := range c {
			convictions[x.Item]++
		}
		for _, x := range f {
			frames[x.Item]++
		}
	}
	if len(convictions) != 520 || len(frames) != 258 || frames["i-000257"] == 0 {
		t.Errorf("beliefs about %d items, moments of %d", len(convictions), len(frames))
	}
	killed := &memory{map[string][]byte{}, 2} // room for the results of two shards of three
	if _, err := infer.Run(context.Background(), public, task, killed, sink()); err == nil {
		t.Error("the run was not stopped")
	}
	killed.room = 1 // room for the third only: the first two must not be watched again
	task.Jobs = 1
	again := sink()
	if _, err := infer.Run(context.Background(), public, task, killed, again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.files, out.files) {
		t.Error("a run that was stopped and went on, with one goroutine, gives other bytes")
	}
}

// TestExternalObservers checks that the surprises of an external observer are appended to those of the others, and that
// no scene is watched again for them. It also checks that names which are empty, taken or illegal are refused.
func TestExternalObservers(t *testing.T) {
	public := directory(t, 3)
	task := infer.Job{Settings: infer.Settings{Observers: []string{"duration"}}}
	pieces := sink()
	if _, err := infer.Run(context.Background(), public, task, pieces, sink()); err != nil {
		t.Fatal(err)
	}
	mine := infer.External{Name: "mine", Asked: "a program"}
	for i := range 3 {
		mine.Surprises = append(mine.Surprises, voe.Surprise{Observer: "mine", Item: fmt.Sprintf("i-%06d", i), Video: "a", Surprise: float64(i)})
	}
	task.Outside = []infer.External{mine}
	pieces.room = 0
	res, err := infer.Run(context.Background(), public, task, pieces, sink())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Surprises); n != 6 || res.Surprises[5] != mine.Surprises[2] || res.Settings.Outside[0].Name != "mine" {
		t.Errorf("%d surprises, the last %+v", n, res.Surprises[n-1])
	}
	for _, name := range []string{"", "achilles", "a b", "x.y"} {
		task.Outside = []infer.External{{Name: name}}
		if _, err := infer.Expect(public, task); err == nil {
			t.Errorf("an observer from outside may be called %q", name)
		}
	}
	task.Outside = []infer.External{mine, mine}
	if _, err := infer.Expect(public, task); err == nil {
		t.Error("two observers from outside have one name")
	}
}

// TestObserveRefuses checks the errors for an unknown observer, for a directory without a manifest, and for scenes whose
// items are not those of the table of items.
func TestObserveRefuses(t *testing.T) {
	refused := func(public fstest.MapFS, task infer.Job, want string) {
		t.Helper()
		_, err := infer.Run(context.Background(), public, task, sink(), sink())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	refused(directory(t, 2), infer.Job{Settings: infer.Settings{Observers: []string{"achiles"}}}, `no observer is called "achiles": did you mean achilles? There are achilles, hbtom`)
	refused(dir(nil), infer.Job{}, "manifest.json")
	two, three := directory(t, 2), directory(t, 3)
	d, err := record.Read(three)
	if err != nil {
		t.Fatal(err)
	}
	scenes := "scenes/000000.jsonl.gz"
	tables, err := record.Encode(d, part.NewFile(scenes, two[scenes].Data))
	if err != nil {
		t.Fatal(err)
	}
	tables[scenes] = two[scenes].Data
	refused(dir(tables), infer.Job{}, "its items are not those of items.parquet")
}

// TestOpenRefuses checks that a changed or missing file of a result is noticed.
func TestOpenRefuses(t *testing.T) {
	out := sink()
	if _, err := infer.Run(context.Background(), directory(t, 2), infer.Job{Settings: infer.Settings{Moments: 1}}, sink(), out); err != nil {
		t.Fatal(err)
	}
	if len(out.files) != 5 {
		t.Errorf("the files are %v", slices.Sorted(maps.Keys(out.files)))
	}
	for name := range out.files {
		changed := maps.Clone(out.files)
		changed[name] = append(slices.Clone(changed[name]), 'x')
		if _, err := infer.Open(dir(changed)); err == nil {
			t.Errorf("a changed %s is not noticed", name)
		}
		delete(changed, name)
		if _, err := infer.Open(dir(changed)); err == nil {
			t.Errorf("a missing %s is not noticed", name)
		}
	}
}

// FuzzOpen checks that Open gives either a result or an error for any manifest, and never panics.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"format": "achilles-inferred", "version": 1, "config": {"seed": "1", "observers": ["random"]}, "files": [{"path": "surprises.parquet", "bytes": 1, "sha256": ""}]}`), []byte("PAR1"))
	f.Add([]byte(`{"format": "achilles-inferred", "version": 1, "files": [{"path": "../x"}]}`), []byte{})
	f.Fuzz(func(t *testing.T, manifest, table []byte) {
		fsys := dir(map[string][]byte{"manifest.json": manifest, "surprises.parquet": table})
		if r, err := infer.Open(fsys); err == nil && r.Surprises == nil && r.Profiles == nil {
			t.Fatal("neither a result nor an error")
		}
		record.DecodeRows[voe.Surprise](table)
	})
}
