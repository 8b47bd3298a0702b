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
	s, err := store.NewStage(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a.txt", files["a.txt"]); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is visible before Commit")
	}
	// The process dies here; the next one begins afresh.
	if err := store.Write(dir, files, false); err != nil {
		t.Fatal(err)
	}
	if !store.Same(dir, files) {
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
	if !store.Same(dir, files) || store.Same(dir, other) {
		t.Error("the refused write changed the directory")
	}
	if err := store.Write(dir, other, true); err != nil || !store.Same(dir, other) {
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
	if _, err := store.NewStage(dir, false); !errors.Is(err, store.ErrExists) {
		t.Errorf("%v, want the old directory back", err)
	}
	if !store.Same(dir, files) {
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
	s, err := store.NewStage(filepath.Join(parent, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Abort()
	if err := s.Put("../escape", nil); err == nil {
		t.Error("a file name left the directory")
	}
}

// A full disk, on the device that Linux has for it.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full to stand for a full disk")
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(dir, "x.partial")); err != nil {
		t.Fatal(err)
	}
	err := store.WriteFile(filepath.Join(dir, "x"), []byte("data"))
	if err == nil || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
		t.Errorf("full disk: %v, want one line", err)
	}
	if left := entries(t, dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPieces(t *testing.T) {
	p := store.Pieces{Dir: filepath.Join(t.TempDir(), "pieces")}
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
