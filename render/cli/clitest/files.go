package clitest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// root is the root of the module: the first folder with a go.mod around that in which the tests begin.
var root, rootErr = findRoot()

func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("the tests do not run in the module")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Repository returns the root of the module.
func Repository(t *testing.T) string {
	t.Helper()
	if rootErr != nil {
		t.Fatal(rootErr)
	}
	return root
}

// Data returns the path of a file in the data folder. It skips the test if there is none.
func Data(t *testing.T, name string) string {
	t.Helper()
	data := os.Getenv("ACHILLES_DATA")
	if data == "" {
		data = filepath.Join(Repository(t), "..", "shared", "data")
	}
	path := filepath.Join(data, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no data folder at %s: set ACHILLES_DATA", data)
	}
	return path
}

// DataFile reads a file of the data folder. It skips the test if there is none.
func DataFile(t *testing.T, name string) []byte {
	t.Helper()
	return Read(t, Data(t, name))
}

// Read returns what is in a file.
func Read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Write writes a file, and makes the folders that lead to it.
func Write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Tree returns the contents of all files below a directory, hidden ones too, by their slash-separated paths.
func Tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = Read(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Differing returns the names of the files that are not the same in two trees, sorted.
func Differing(a, b map[string][]byte) (names []string) {
	for n := range a {
		if x, ok := b[n]; !ok || !bytes.Equal(a[n], x) {
			names = append(names, n)
		}
	}
	for n := range b {
		if _, ok := a[n]; !ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// CopyDir copies all files below a directory.
func CopyDir(t *testing.T, from, to string) {
	t.Helper()
	for name, b := range Tree(t, from) {
		Write(t, filepath.Join(to, name), b)
	}
}
