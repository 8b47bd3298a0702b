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

// files are a small public directory and two sealed ones.
func files(t *testing.T) (public, sealed, other map[string][]byte) {
	d := &record.Dataset{Subjects: []string{"s-1"}, Reasons: []string{""}, Responses: []record.Response{{Value: 1}}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	d.Items = record.Items{ID: []string{"i-1"}, Suite: []string{"s"}, Paradigm: []string{"p"}, Task: []string{"t"}}
	public, err := record.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	return public, map[string][]byte{"truth.json": []byte("one")}, map[string][]byte{"truth.json": []byte("two")}
}

// An honest inference reads the public files and says what it read.
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

// There is no way to the truth by any door that an inference is handed.
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

// A cheat that goes around the doors is caught by its result.
func TestCheats(t *testing.T) {
	public, sealed, other := files(t)
	dir := t.TempDir()
	n := 0
	errs := generatetest.Interference(dir, public, sealed, other, func(d generatetest.Doors) error {
		kind := []string{"present", "absent", "swapped"}[n]
		n++
		b, _ := os.ReadFile(filepath.Join(dir, kind, "sealed", "truth.json")) // absent is a value too
		return d.Out.Put("profiles", b)
	})
	if len(errs) != 2 {
		t.Errorf("an inference that reads the truth by its path is not noticed: %v", errs)
	}
}

// A symbolic link out of public/ is not followed, whatever it replaces.
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
			t.Fatalf("the link does not lead where it should: %v", err) // os.DirFS follows it, which is why it is not used
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
