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
func honest(public fs.FS) (map[string][]byte, error) {
	d, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"profiles": []byte(strings.Join(d.Subjects, " "))}, nil
}

func TestHonest(t *testing.T) {
	public, sealed, other := files(t)
	generatetest.NonInterference(t, public, sealed, other, honest)
}

// Every way to the truth that a rooted file system leaves: none. A cheat that goes around it is caught.
func TestCheats(t *testing.T) {
	public, sealed, other := files(t)
	for _, name := range []string{"../sealed/truth.json", "..", "/etc/passwd", "worlds/../../sealed/truth.json", "./../sealed"} {
		generatetest.NonInterference(t, public, sealed, other, func(fsys fs.FS) (map[string][]byte, error) {
			b, err := fs.ReadFile(fsys, name)
			if err == nil {
				t.Errorf("%s can be read", name)
			}
			return map[string][]byte{"profiles": b}, nil
		})
	}
	dir := t.TempDir()
	n := 0
	errs := generatetest.Interference(dir, public, sealed, other, func(fs.FS) (map[string][]byte, error) {
		kind := []string{"present", "absent", "swapped"}[n]
		n++
		b, _ := os.ReadFile(filepath.Join(dir, kind, "sealed", "truth.json")) // absent is a value too
		return map[string][]byte{"profiles": b}, nil
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
		if _, err := record.Read(root.FS()); err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s as a link to sealed/: error %v", name, err)
		}
		root.Close()
	}
}
