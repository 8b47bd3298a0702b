package record_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/sim/part"
	"achilles/sim/record"
)

// TestTamperedTrajectories checks that a changed byte of a shard is found when the shard is first read, and a changed
// byte of the index at once.
func TestTamperedTrajectories(t *testing.T) {
	all := someTrajectories(1, 100)
	for _, name := range []string{"trajectories/000000.parquet", "trajectories/index.parquet"} {
		files, list := writeTrajectories(t, all)
		files[name][len(files[name])/2] ^= 1
		slices.SortFunc(list, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
		r, err := record.OpenTrajectories(mapFS(files), &record.Manifest{Manifest: part.Manifest{Files: list}})
		if err == nil {
			_, err = r.At(3)
		}
		if err == nil || !strings.Contains(err.Error(), name+": changed") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	files, list := writeTrajectories(t, all)
	delete(files, "trajectories/000000.parquet")
	r := open(t, files, list)
	if _, err := r.At(0); err == nil {
		t.Error("a missing shard is not noticed")
	}
	if _, err := record.OpenTrajectories(mapFS(files), &record.Manifest{Manifest: part.Manifest{Files: list[:1]}}); err == nil {
		t.Error("a missing index is not noticed")
	}
}

// TestIndexOfOthers checks that At and All refuse shards whose index lists other trajectories, even though the digests
// of the files are right.
func TestIndexOfOthers(t *testing.T) {
	files, _ := writeTrajectories(t, someTrajectories(1, 20))
	others := someTrajectories(2, 20)
	for _, tr := range others {
		tr.Trial += 5
	}
	index, _ := writeTrajectories(t, others)
	files["trajectories/index.parquet"] = index["trajectories/index.parquet"]
	r, err := record.OpenTrajectories(mapFS(files), worldManifest(files))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.At(3); err == nil || !strings.Contains(err.Error(), "the index says") {
		t.Errorf("At: error %v", err)
	}
	for _, err := range r.All() {
		if err == nil || !strings.Contains(err.Error(), "not where the index says") {
			t.Errorf("All: error %v", err)
		}
	}
}

// TestCorruptTrajectories checks that corrupt files with the right digests give errors or valid trajectories, never a
// panic.
func TestCorruptTrajectories(t *testing.T) {
	good, _ := writeTrajectories(t, someTrajectories(3, 8))
	step := stride(31)
	for name, data := range good {
		for i := 0; i < len(data); i += step {
			for _, bad := range [][]byte{data[:i], flip(data, i, 1), flip(data, i, 0x80)} {
				files := maps.Clone(good)
				files[name] = bad
				r, err := record.OpenTrajectories(mapFS(files), worldManifest(files))
				if err != nil {
					continue
				}
				for k := range r.Len() {
					if tr, err := r.At(k); err == nil && len(tr.Steps) == 0 {
						t.Errorf("%s, byte %d: a trajectory without steps", name, i)
					}
				}
				for tr, err := range r.All() {
					if err == nil && len(tr.Steps) == 0 {
						t.Errorf("%s, byte %d: a trajectory without steps", name, i)
					}
				}
			}
		}
	}
}
