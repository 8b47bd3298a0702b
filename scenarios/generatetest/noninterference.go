// Package generatetest has checks of the blind protocol for tests of the whole flow.
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
)

// NonInterference runs an inference on the same public files three times: with the sealed files beside them, with
// none, and with those of another run. It fails where the results are not byte for byte the same. The inference gets
// public/ as a rooted file system, as on the command line.
func NonInterference(t *testing.T, public, sealed, other map[string][]byte, infer func(public fs.FS) (map[string][]byte, error)) {
	t.Helper()
	for _, err := range Interference(t.TempDir(), public, sealed, other, infer) {
		t.Error(err)
	}
}

// Interference is NonInterference with its complaints as errors, below a directory that it may fill.
func Interference(dir string, public, sealed, other map[string][]byte, infer func(public fs.FS) (map[string][]byte, error)) []error {
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

// runBeside writes public/ and, where there are files of it, sealed/, and infers from public/.
func runBeside(dir string, public, sealed map[string][]byte, infer func(public fs.FS) (map[string][]byte, error)) (map[string][]byte, error) {
	if err := WriteFiles(filepath.Join(dir, "public"), public); err != nil {
		return nil, err
	}
	if sealed != nil {
		if err := WriteFiles(filepath.Join(dir, "sealed"), sealed); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(filepath.Join(dir, "public"))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return infer(root.FS())
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

// differing lists the names of files that are not the same in both.
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
