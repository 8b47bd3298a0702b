// Package generatetest has checks of the blind protocol, for tests of the whole pipeline, and makes episodes for tests
// of observers.
package generatetest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/scenarios/results"
	"achilles/sim/store"
)

// Doors has what the command line gives an inference: the public part to read, a folder for finished pieces, and a
// directory to write.
type Doors struct {
	Public fs.FS
	Pieces *store.Pieces
	Out    *store.Draft
}

// NonInterference runs an inference three times on the same public files: with the sealed files beside them, without,
// and with the sealed files of another run. The test fails if the results are not byte for byte the same.
func NonInterference(t *testing.T, public, sealed, other map[string][]byte, infer func(d Doors) error) {
	t.Helper()
	for _, err := range Interference(t.TempDir(), public, sealed, other, infer) {
		t.Error(err)
	}
}

// Interference does what NonInterference does, but returns the errors. It writes below dir.
func Interference(dir string, public, sealed, other map[string][]byte, infer func(d Doors) error) []error {
	var errs []error
	var first map[string][]byte
	for _, c := range []struct {
		kind  string
		files map[string][]byte
	}{{"present", sealed}, {"absent", nil}, {"swapped", other}} {
		got, err := runBeside(filepath.Join(dir, c.kind), public, c.files, infer)
		if err != nil {
			errs = append(errs, fmt.Errorf("sealed %s: %w", c.kind, err))
			continue
		}
		if first == nil {
			first = got
		}
		if d := differing(first, got); len(d) > 0 {
			errs = append(errs, fmt.Errorf("sealed %s: the result differs in %s", c.kind, strings.Join(d, ", ")))
		}
	}
	return errs
}

// runBeside writes public/ and, unless sealed is nil, sealed/ below dir, and infers from public/. It returns the
// files of inferred/.
func runBeside(dir string, public, sealed map[string][]byte, infer func(d Doors) error) (map[string][]byte, error) {
	if err := WriteFiles(filepath.Join(dir, "public"), public); err != nil {
		return nil, err
	}
	if sealed != nil {
		if err := WriteFiles(filepath.Join(dir, "sealed"), sealed); err != nil {
			return nil, err
		}
	}
	d, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	root, err := d.Public()
	if err != nil {
		return nil, err
	}
	out, err := d.Begin("inferred", false)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	if err := infer(Doors{Public: root, Pieces: d.Pieces(), Out: out}); err != nil {
		return nil, err
	}
	if err := out.Commit(); err != nil {
		return nil, err
	}
	inferred, err := d.FS("inferred")
	if err != nil {
		return nil, err
	}
	return readFiles(inferred)
}

func readFiles(fsys fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(fsys, path)
		return err
	})
	return files, err
}

// WriteFiles writes files, slash-separated path → content, below a directory.
func WriteFiles(dir string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// differing lists the files that are not the same in a and b.
func differing(a, b map[string][]byte) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, inA := a[name]
		y, inB := b[name]
		if inA != inB || !bytes.Equal(x, y) {
			names = append(names, name)
		}
	}
	return names
}

// Paths returns paths that would lead from a door to the truth beside it if the door did not refuse them.
func Paths() []string {
	return []string{
		"../sealed/truth.json", "../../sealed/truth.json", "..", "/etc/passwd", "worlds/../../sealed/truth.json", "./../sealed/truth.json",
		"../sealed", "..\\sealed\\truth.json", "sealed/truth.json", "truth.json",
	}
}

// Cheat tries to read the truth through every door by every path. It returns what it read, by door and path.
func Cheat(d Doors) map[string]string {
	got := map[string]string{}
	note := func(door, path string, b []byte, err error) {
		if err == nil && len(b) > 0 {
			got[door+" "+path] = string(b)
		}
	}
	for _, path := range Paths() {
		b, err := fs.ReadFile(d.Public, path)
		note("public", path, b, err)
		list, err := fs.ReadDir(d.Public, path)
		note("public, as a folder", path, []byte(fmt.Sprint(list)), err)
		b, err = d.Pieces.Get(path)
		note("pieces", path, b, err)
		b, err = d.Out.Get(path)
		note("out", path, b, err)
	}
	return got
}

// Plant tries to write through every door by every path that leads out of the door. It returns the doors and paths at
// which it could write.
func Plant(d Doors) (planted []string) {
	for _, path := range Paths() {
		if !strings.Contains(path, "..") && !strings.HasPrefix(path, "/") {
			continue // the path stays inside, where an inference may write
		}
		if d.Pieces.Put(path, []byte("planted")) == nil {
			planted = append(planted, "pieces "+path)
		}
		if d.Out.Put(path, []byte("planted")) == nil {
			planted = append(planted, "out "+path)
		}
	}
	return planted
}
