package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/record"
)

func goldenFile(f *testing.F, name string) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", "v4", filepath.FromSlash(name)))
	if err != nil {
		f.Fatal(err)
	}
	return data
}

// uncompressed returns the table in data without compression, so that a changed byte is a changed value and not a
// broken page.
func uncompressed(f *testing.F, data []byte) []byte {
	in, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, in.Schema(), parquet.Compression(&parquet.Uncompressed))
	for _, g := range in.RowGroups() {
		rows := g.Rows()
		if _, err := parquet.CopyRows(w, rows); err != nil {
			f.Fatal(err)
		}
		rows.Close()
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return out.Bytes()
}

// readable checks that what Read accepts, Encode accepts too, and that errors have one line.
func readable(t *testing.T, files map[string][]byte) {
	d, err := record.Read(mapFS(files))
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		return
	}
	if _, err := record.Encode(d); err != nil {
		t.Errorf("what was read does not encode: %v", err)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(goldenFile(f, "manifest.json"))
	f.Add([]byte(`{"format":"achilles-public","version":1}`))
	f.Add([]byte(`{"format":"achilles-public","version":4,"settings":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, map[string][]byte{"manifest.json": data})
	})
}

func FuzzItems(f *testing.F) {
	f.Add(goldenFile(f, "items.parquet"))
	f.Add(uncompressed(f, goldenFile(f, "items.parquet")))
	d := sample(5, 3, 4)
	files := encode(f, d)
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, withManifest(d.Manifest, map[string][]byte{"items.parquet": data, "responses.parquet": files["responses.parquet"]}))
	})
}

func FuzzResponses(f *testing.F) {
	f.Add(goldenFile(f, "responses.parquet"))
	f.Add(uncompressed(f, goldenFile(f, "responses.parquet")))
	d := sample(5, 3, 4)
	files := encode(f, d)
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, withManifest(d.Manifest, map[string][]byte{"items.parquet": files["items.parquet"], "responses.parquet": data}))
	})
}

func FuzzCovariates(f *testing.F) {
	d := known()
	files := encode(f, d)
	f.Add(files["subjects.parquet"])
	f.Add(uncompressed(f, files["subjects.parquet"]))
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, withManifest(d.Manifest, map[string][]byte{"items.parquet": files["items.parquet"], "responses.parquet": files["responses.parquet"], "subjects.parquet": data}))
	})
}

func FuzzWorlds(f *testing.F) {
	f.Add(goldenFile(f, "worlds/000000.txt"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := map[string][]byte{"worlds/000000.txt": data}
		w, err := record.Worlds(mapFS(files), worldManifest(files))
		if err != nil || len(w) > 256 {
			return
		}
		again, err := record.EncodeWorlds(w)
		if err != nil {
			t.Fatalf("what was read does not encode: %v", err)
		}
		if len(w) > 0 && string(again["worlds/000000.txt"]) != string(data) {
			t.Error("read and written again, the text differs")
		}
	})
}

func FuzzTrajectories(f *testing.F) {
	shard, index := goldenFile(f, "trajectories/000000.parquet"), goldenFile(f, "trajectories/index.parquet")
	f.Add(shard, index)
	f.Add(uncompressed(f, shard), uncompressed(f, index))
	f.Fuzz(func(t *testing.T, shard, index []byte) {
		files := map[string][]byte{"trajectories/000000.parquet": shard, "trajectories/index.parquet": index}
		r, err := record.OpenTrajectories(mapFS(files), worldManifest(files))
		if err != nil {
			return
		}
		for i := range min(r.Len(), 10) {
			if tr, err := r.At(i); err == nil && len(tr.Steps) == 0 {
				t.Error("a trajectory without steps is accepted")
			}
		}
		for _, err := range r.All() {
			if err != nil {
				break
			}
		}
	})
}
