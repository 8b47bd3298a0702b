//go:build unix

package store_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"achilles/sim/store"
)

// TestPipes checks that a named pipe in place of a file is refused, and that nobody waits for its writer.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	d, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err1 := d.ReadFile("pipe")
	in, err := d.FS(".")
	if err != nil {
		t.Fatal(err)
	}
	_, err2 := in.Open("pipe")
	_, err3 := fs.ReadFile(in, "pipe")
	for _, err := range []error{err1, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), "is neither a file nor a directory") {
			t.Errorf("a pipe: %v", err)
		}
	}
}
