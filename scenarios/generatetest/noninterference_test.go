package generatetest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/scenarios/generatetest"
	"achilles/sim/record"
)

// files returns the files of a small public directory and of two sealed ones.
func files(t *testing.T) (public, sealed, other map[string][]byte) {
	d := &record.Dataset{Subjects: []string{"s-1"}, Reasons: []string{""}, Responses: record.PackResponses([]record.Response{{Value: 1}})}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	d.Items = record.Items{ID: []string{"i-1"}, Suite: []string{"s"}, Paradigm: []string{"p"}, Task: []string{"t"}}
	public, err := record.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	return public, map[string][]byte{"truth.json": []byte("one")}, map[string][]byte{"truth.json": []byte("two")}
}

// honest is an inference that reads the public files only, and writes what it read.
func honest(d generatetest.Doors) error {
	data, err := record.Read(d.Public)
	if err != nil {
		return err
	}
	return d.Out.Put("profiles", []byte(strings.Join(data.Subjects, " ")))
}

func TestHonest(t *testing.T) {
	public, sealed, other := files(t)
	generatetest.NonInterference(t, public, sealed, other, honest)
}

// TestCheatsAtEveryDoor checks that no path leads to the truth through any door that an inference gets.
func TestCheatsAtEveryDoor(t *testing.T) {
	public, sealed, other := files(t)
	generatetest.NonInterference(t, public, sealed, other, func(d generatetest.Doors) error {
		for door, truth := range generatetest.Cheat(d) {
			t.Errorf("%s gives %q", door, truth)
		}
		for _, door := range generatetest.Plant(d) {
			t.Errorf("%s can be written", door)
		}
		return honest(d)
	})
}

// TestCheats checks that an inference that avoids the doors, and reads the truth by its path, is found out by its
// results.
func TestCheats(t *testing.T) {
	public, sealed, other := files(t)
	dir := t.TempDir()
	n := 0
	errs := generatetest.Interference(dir, public, sealed, other, func(d generatetest.Doors) error {
		kind := []string{"present", "absent", "swapped"}[n]
		n++
		b, _ := os.ReadFile(filepath.Join(dir, kind, "sealed", "truth.json")) // an absent file gives no bytes: a result too
		return d.Out.Put("profiles", b)
	})
	if len(errs) != 2 {
		t.Errorf("an inference that reads the truth by its path is not noticed: %v", errs)
	}
}

// TestSymlinkEscape checks that a symbolic link out of public/ is not followed, whichever file it replaces.
func TestSymlinkEscape(t *testing.T) {
	public, sealed, _ := files(t)
	for _, name := range []string{"items.parquet", "responses.parquet", "manifest.json"} {
		dir := t.TempDir()
		if err := generatetest.WriteFiles(filepath.Join(dir, "public"), public); err != nil {
			t.Fatal(err)
		}
		if err := generatetest.WriteFiles(filepath.Join(dir, "sealed"), map[string][]byte{"truth.json": sealed["truth.json"], name: public[name]}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "public", name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("..", "sealed", name), path); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		if _, err := record.Read(os.DirFS(filepath.Join(dir, "public"))); err != nil {
			t.Fatalf("the link does not lead where it should: %v", err) // os.DirFS follows links: the project does not use it
		}
		root, err := os.OpenRoot(filepath.Join(dir, "public"))
		if err != nil {
			t.Fatal(err)
		}
		var fsys fs.FS = root.FS()
		if _, err := record.Read(fsys); err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s as a link to sealed/: error %v", name, err)
		}
		root.Close()
	}
}
