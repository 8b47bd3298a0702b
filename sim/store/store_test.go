package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/sim/store"
)

var files = map[string][]byte{"a.txt": []byte("one"), "sub/b.txt": []byte("two")}

func TestWholeOrNotAtAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	s, err := store.Begin(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a.txt", files["a.txt"]); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is visible before Commit")
	}
	// A process that is killed here leaves its draft; the next one starts again from nothing.
	if err := store.Write(dir, files, false); err != nil {
		t.Fatal(err)
	}
	if !same(t, dir, files) {
		t.Error("what was written differs")
	}
	if left := entries(t, filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNeverOverwrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if err := store.Write(dir, files, false); err != nil {
		t.Fatal(err)
	}
	other := map[string][]byte{"c.txt": []byte("three")}
	if err := store.Write(dir, other, false); !errors.Is(err, store.ErrExists) {
		t.Errorf("second write: %v, want ErrExists", err)
	}
	if !same(t, dir, files) || same(t, dir, other) {
		t.Error("the refused write changed the directory")
	}
	if err := store.Write(dir, other, true); err != nil || !same(t, dir, other) {
		t.Errorf("with force: %v", err)
	}
}

func TestKilledBetweenRenames(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := store.Write(dir, files, false); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, filepath.Join(parent, ".out.old")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Begin(dir, false); !errors.Is(err, store.ErrExists) {
		t.Errorf("%v, want the old directory back", err)
	}
	if !same(t, dir, files) {
		t.Error("the old directory is lost")
	}
}

func TestUnwritable(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := store.Write(filepath.Join(file, "out"), files, false)
	if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.Contains(err.Error(), "cannot") {
		t.Errorf("below a file: %v, want one clear line", err)
	}
	s, err := store.Begin(filepath.Join(parent, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	s.Abort()
}

// TestFullDisk checks the error of a full disk, with the device that Linux has for this.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full to stand for a full disk")
	}
	err = store.WriteAndClose(full, "x", []byte("data"))
	if err == nil || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
		t.Errorf("full disk: %v, want one line", err)
	}
}

func TestWriteFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := store.WriteFile(file, []byte("1"), false); err != nil {
		t.Fatal(err)
	}
	if err := store.WriteFile(file, []byte("2"), false); !errors.Is(err, store.ErrExists) {
		t.Errorf("over what is there: %v", err)
	}
	if err := store.WriteFile(file, []byte("2"), true); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(file); string(b) != "2" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if left := entries(t, filepath.Dir(file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// TestNothingLeadsOut checks that no name and no link leads out of a directory, by any method.
func TestNothingLeadsOut(t *testing.T) {
	parent := t.TempDir()
	for name, text := range map[string]string{"sealed/truth.json": "secret", "in/public/x": "1", "in/sealed/truth.json": "secret"} {
		path := filepath.Join(parent, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(parent, "in")
	linked := os.Symlink(filepath.Join("..", "sealed"), filepath.Join(in, "link")) == nil &&
		os.Symlink(filepath.Join("..", "..", "sealed", "truth.json"), filepath.Join(in, "public", "link")) == nil &&
		os.Symlink("sealed", filepath.Join(in, ".linked")) == nil
	d, err := store.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w, err := d.Begin("new", false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	absolute := filepath.Join(parent, "sealed", "truth.json")
	names := []string{"../sealed/truth.json", "../../sealed/truth.json", absolute, "a/../../sealed/truth.json", "./x", "..", ".", "", "a\\b", "c:x", "x/", "/x"}
	if linked {
		names = append(names, "link/truth.json")
	}
	for _, pieces := range []*store.Pieces{d.Pieces(".pieces"), d.Pieces("public")} {
		for _, name := range append(names, "sub/x", "link") {
			if b, err := pieces.Get(name); len(b) > 0 || err == nil && name != "link" {
				t.Errorf("a checkpoint is read by the name %q: %q, %v", name, b, err)
			}
			if err := pieces.Put(name, []byte("x")); err == nil && name != "link" {
				t.Errorf("a checkpoint is put by the name %q", name)
			}
		}
	}
	if linked {
		if b, err := d.Pieces(".linked").Get("truth.json"); err == nil {
			t.Errorf("checkpoints lie in a link to another part: %q", b)
		}
		if _, err := d.FS("link"); err == nil {
			t.Error("a link out of the directory is opened")
		}
	}
	for _, name := range names {
		if b, err := w.Get(name); err == nil && len(b) > 0 {
			t.Errorf("a file of a draft is read by the name %q: %q", name, b)
		}
		for what, err := range map[string]error{
			"put in a draft": w.Put(name, nil), "written": d.WriteFile(name, nil), "removed": d.Remove(name),
			"written whole": d.Write(name, files, true),
		} {
			if err == nil && !(what == "put in a draft" && name == "link/truth.json") { // a draft is empty, and has no link
				t.Errorf("%s by the name %q", what, name)
			}
		}
		if b, err := d.ReadFile(name); err == nil {
			t.Errorf("%q is read: %q", name, b)
		}
	}
	for _, file := range []string{"sealed/truth.json", "in/sealed/truth.json"} {
		if b, err := os.ReadFile(filepath.Join(parent, file)); string(b) != "secret" || err != nil {
			t.Errorf("%s is %q now (%v)", file, b, err)
		}
	}
}

func TestPieces(t *testing.T) {
	d, err := store.Make(filepath.Join(t.TempDir(), "made", "here"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p := d.Pieces("pieces")
	if d.Has("pieces") {
		t.Error("there is a folder before there is a piece")
	}
	if b, err := p.Get("x"); b != nil || err != nil {
		t.Errorf("missing piece: %q, %v", b, err)
	}
	if err := p.Put("x", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if b, err := p.Get("x"); string(b) != "1" || err != nil {
		t.Errorf("piece: %q, %v", b, err)
	}
}

// same says whether a directory has exactly these files.
func same(t *testing.T, dir string, files map[string][]byte) bool {
	t.Helper()
	d, err := store.Open(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	return d.Same(filepath.Base(dir), files)
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		names = append(names, e.Name())
	}
	return names
}

// TestReadLimit checks that ReadFile refuses a file that is too large, even if its size is not known.
func TestReadLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := store.ReadFile(file, 5); err != nil || string(got) != "12345" {
		t.Errorf("5 of 5 bytes: %q, %v", got, err)
	}
	files := []string{file}
	if _, err := os.Stat("/dev/zero"); err == nil {
		files = append(files, "/dev/zero")
	}
	for _, f := range files {
		if _, err := store.ReadFile(f, 4); err == nil || err.Error() != f+": more than 4 bytes" {
			t.Errorf("%s: %v", f, err)
		}
	}
}
