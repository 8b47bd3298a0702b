package record_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// scenes returns n random items with everything that scenes can have.
func scenes(n int) []record.Watched {
	r := rng.Stream(11, "scenes")
	shape := func() record.Shape {
		return record.Shape{X: int16(r.IntN(200)), Y: int16(r.IntN(200)), Half: int16(6 + r.IntN(2)), Icon: "./shapes/" + string(rune('a'+r.IntN(3))) + ".png",
			Colour: [3]uint8{uint8(r.IntN(2) * 255), 0, 7}}
	}
	shapes := func(most int) (all []record.Shape) {
		for range r.IntN(most + 1) {
			all = append(all, shape())
		}
		return all
	}
	rects := func(most int) (all []record.Rect) {
		for range r.IntN(most + 1) {
			all = append(all, record.Rect{X: int16(20 * r.IntN(10)), Y: int16(20 * r.IntN(10)), W: 20, H: 20})
		}
		return all
	}
	trial := func() record.SceneTrial {
		t := record.SceneTrial{Scene: record.Scene{Width: 200, Height: 180, Walls: rects(9), Barrier: rects(3), Keys: shapes(1), Locks: shapes(1),
			Objects: shapes(2), Covers: rects(2), Home: shape(), Agent: shape(), Away: r.Bernoulli(0.3)}}
		at := record.Point{X: t.Scene.Agent.X, Y: t.Scene.Agent.Y}
		for range 1 + r.IntN(30) {
			t.Path = append(t.Path, at)
			at.X += int16(r.IntN(3) - 1)
			at.Y += int16(r.IntN(2))
		}
		now := t.Scene.State()
		for f := 1; f < len(t.Path); f += 1 + r.IntN(9) {
			switch now.Frame = f; r.IntN(6) {
			case 0:
				now.Barrier = append([]record.Rect{{X: int16(f), W: 20, H: 20}}, now.Barrier...)
			case 1:
				now.Keys = append([]record.Shape{shape()}, now.Keys...)
				now.Locks = append([]record.Shape{shape()}, now.Locks...)
			case 2:
				now.Away = !now.Away
			case 3:
				now.Covers = append([]record.Rect{{X: int16(f), W: 20, H: 20}}, now.Covers...)
			case 4:
				now.Away, now.Covers = !now.Away, nil
				now.Objects = slices.Clone(now.Objects)
				for i := range now.Objects {
					now.Objects[i].X++
				}
			default:
				now.Barrier, now.Keys = append([]record.Rect{{Y: int16(f), W: 20, H: 20}}, now.Barrier...), nil
			}
			t.Changes = append(t.Changes, now)
		}
		return t
	}
	var all []record.Watched
	for i := range n {
		w := record.Watched{Item: "i" + string(rune('a'+i/26/26)) + string(rune('a'+i/26%26)) + string(rune('a'+i%26))}
		f := []record.SceneTrial{trial(), trial()}
		w.Videos = append(w.Videos, record.Video{Familiarisation: f, Test: trial()})
		if r.Bernoulli(0.5) {
			w.Videos = append(w.Videos, record.Video{Familiarisation: f, Test: trial()})
		}
		all = append(all, w)
	}
	return all
}

func sceneManifest(files map[string][]byte) (fstest.MapFS, *record.Manifest) {
	fsys, m := fstest.MapFS{}, &record.Manifest{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	names, _ := fsys.Glob("scenes/*")
	for _, name := range names {
		m.Files = append(m.Files, part.NewFile(name, files[name]))
	}
	return fsys, m
}

// TestScenesRoundTrip checks that scenes are read as they were written, over several shards, and written the same
// again.
func TestScenesRoundTrip(t *testing.T) {
	all := scenes(513)
	files, err := encodeScenes(all)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Errorf("%d shards of 513 items", len(files))
	}
	fsys, m := sceneManifest(files)
	got, err := record.Scenes(fsys, m)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(all) {
		t.Fatalf("%d items of %d", len(got), len(all))
	}
	if d := cmp.Diff(all[:20], got[:20], cmpopts.EquateEmpty()); d != "" { // comparing all would take seconds
		t.Fatal(d)
	}
	again, err := encodeScenes(got)
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		if !bytes.Equal(files[name], again[name]) {
			t.Errorf("%s: other bytes the second time", name)
		}
	}
}

func unzip(t *testing.T, data []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestScenesGolden checks that two items are written as in testdata/scenes.jsonl. A change of this format needs a new
// version, and a reader of the old version.
func TestScenesGolden(t *testing.T) {
	files, err := encodeScenes(scenes(2))
	if err != nil {
		t.Fatal(err)
	}
	got := unzip(t, files["scenes/000000.jsonl.gz"])
	golden := filepath.Join("testdata", "scenes.jsonl")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBadScenes checks that writer and reader refuse impossible scenes.
func TestBadScenes(t *testing.T) {
	for name, change := range map[string]func(w *record.Watched){
		"no item":         func(w *record.Watched) { w.Item = "" },
		"no video":        func(w *record.Watched) { w.Videos = nil },
		"no frame":        func(w *record.Watched) { w.Videos[0].Test.Path = nil },
		"no size":         func(w *record.Watched) { w.Videos[0].Test.Scene.Width = 0 },
		"start elsewhere": func(w *record.Watched) { w.Videos[0].Test.Scene.Agent.X++ },
		"flat wall":       func(w *record.Watched) { w.Videos[0].Test.Scene.Walls = []record.Rect{{W: 20}} },
		"late change":     func(w *record.Watched) { w.Videos[0].Test.Changes = []record.Change{{Frame: 9999}} },
	} {
		w := scenes(1)
		if change(&w[0]); encodeError(w) == nil {
			t.Errorf("%s: written", name)
		}
	}
	w := scenes(2)
	w[0], w[1] = w[1], w[0]
	if encodeError(w) == nil {
		t.Error("items out of order are written")
	}
	files, _ := encodeScenes(scenes(1))
	text := unzip(t, files["scenes/000000.jsonl.gz"])
	for name, bad := range map[string]string{
		"version":   strings.Replace(text, `"version":1`, `"version":2`, 1),
		"key":       strings.Replace(text, `"looks"`, `"loooks"`, 1),
		"truncated": text[:len(text)-9],
		"no trial":  strings.Replace(text, `"videos":[[0`, `"videos":[[9`, 1),
		"empty":     strings.Replace(text, `"videos":[[0,1,2]`, `"videos":[[]`, 1),
		"too long":  strings.Replace(text, `"path":[[-1,0,1]`, `"path":[[-1,0,99999]`, 1),
	} {
		if bad == text {
			t.Errorf("%s: the test changes nothing in %s", name, text)
		}
		if _, err := readScenes(zip(bad)); err == nil {
			t.Errorf("%s: read", name)
		}
	}
	if _, err := readScenes([]byte("no gzip")); err == nil {
		t.Error("what is not gzipped is read")
	}
}

func encodeError(w []record.Watched) error {
	_, err := encodeScenes(w)
	return err
}

func zip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func readScenes(shard []byte) ([]record.Watched, error) {
	fsys, m := sceneManifest(map[string][]byte{"scenes/000000.jsonl.gz": shard})
	return record.Scenes(fsys, m)
}

// FuzzScenes checks that no shard makes the reader panic, and that the writer accepts what the reader accepts.
func FuzzScenes(f *testing.F) {
	files, _ := encodeScenes(scenes(2))
	z, _ := gzip.NewReader(bytes.NewReader(files["scenes/000000.jsonl.gz"]))
	text, _ := io.ReadAll(z)
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readScenes(zip(text))
		if err != nil {
			return
		}
		if err := encodeError(all); err != nil {
			t.Fatalf("read and cannot be written: %v", err)
		}
	})
}

// TestWatchedDirectory checks that a directory with scenes needs no responses and no measures, and that one without
// scenes needs them.
func TestWatchedDirectory(t *testing.T) {
	all := scenes(300)
	files, err := encodeScenes(all)
	if err != nil {
		t.Fatal(err)
	}
	d := &record.Dataset{}
	for i := range all {
		d.Items.ID = append(d.Items.ID, all[i].Item)
		d.Items.Suite, d.Items.Paradigm, d.Items.Task = append(d.Items.Suite, "s"), append(d.Items.Paradigm, "p"), append(d.Items.Task, "")
	}
	if _, err := record.Encode(d); err == nil {
		t.Error("a directory without responses and scenes is written")
	}
	fsys, m := sceneManifest(files)
	tables, err := record.Encode(d, m.Files...)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range tables {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	got, err := record.Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if got.Items.Len() != 300 || got.Responses.Len() != 0 || len(got.Manifest.Measures) != 0 || len(got.Manifest.Files) != 2 || got.Manifest.Answered() {
		t.Errorf("read as %d items, %d responses, %d measures, files %v", got.Items.Len(), got.Responses.Len(), len(got.Manifest.Measures), got.Manifest.Files)
	}
	n := 0
	for _, f := range record.SceneShards(&got.Manifest) {
		shard, err := record.SceneShard(fsys, f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range shard {
			if shard[i].Item != all[n].Item {
				t.Fatalf("item %d is %s, want %s", n, shard[i].Item, all[n].Item)
			}
			n++
		}
	}
	if n != 300 {
		t.Errorf("%d items in the shards", n)
	}
	fsys["scenes/000001.jsonl.gz"].Data = nil
	if _, err := record.Read(fsys); err == nil {
		t.Error("a truncated shard is not noticed")
	}
}

// encodeScenes returns all shards of scenes, path → content.
func encodeScenes(items []record.Watched) (map[string][]byte, error) {
	files := map[string][]byte{}
	for shard := range slices.Chunk(items, record.ScenesPerShard) {
		path, data, err := record.EncodeSceneShard(len(files), shard)
		if err != nil {
			return nil, err
		}
		files[path] = data
	}
	return files, nil
}

// TestSceneBombs checks that a small shard that would take all memory when decoded is refused before that. The long suite measures the
// memory.
func TestSceneBombs(t *testing.T) {
	files, err := encodeScenes(scenes(1))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(files["scenes/000000.jsonl.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(strings.TrimSpace(string(text)), "\n", 3)
	var item map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &item); err != nil {
		t.Fatal(err)
	}
	trials := item["trials"].([]any)
	changed := func(key string, v any) string {
		m := maps.Clone(item)
		m[key] = v
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	long := maps.Clone(trials[0].(map[string]any))
	long["path"] = [][3]int{{0, 0, 16000}}
	delete(long, "changes")
	for _, c := range []struct {
		why, lines string
		repeat     int
		want       string
	}{
		{"blanks", strings.Repeat(" ", 1<<20), 64, "bytes after decompression"},
		{"items", lines[1] + "\n", 300, "more than 256 items in a shard"},
		{"a long video", changed("videos", [][]int{make([]int, 1<<20)}), 1, "more than 26 videos, or more than 256 trials in one"},
		{"long trials", changed("trials", slices.Repeat([]any{long}, 1000)), 1, "more than 131072 frames in all trials"},
	} {
		var b bytes.Buffer
		b.Write(zip(lines[0] + "\n"))
		b.Write(bytes.Repeat(zip(c.lines), c.repeat)) // a file may have several gzipped parts
		f := part.NewFile("scenes/000000.jsonl.gz", b.Bytes())
		limited(t, c.why, 1<<29, func() { _, err = record.SceneShard(fstest.MapFS{f.Path: &fstest.MapFile{Data: b.Bytes()}}, f) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
	}
}
