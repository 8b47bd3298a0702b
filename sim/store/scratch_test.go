package store_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"achilles/sim/store"
)

// TestScratch checks that buffers return what was written, whether it stays in memory or not, that a second writing replaces the
// first, and that large ones are in a temporary file which has no name any more.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, size := range []int{0, 1, 1000, 1 << 20, 1<<20 + 1, 3 << 20} {
		b := store.Scratch{}.GetBuffer()
		for _, first := range []byte{1, 2} {
			want := make([]byte, size)
			for i := range want {
				want[i] = first + byte(i*i>>7)
			}
			if _, err := b.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			for rest := want; len(rest) > 0; {
				n := min(len(rest), 77_777)
				if m, err := b.Write(rest[:n]); m != n || err != nil {
					t.Fatalf("%d of %d bytes were written, error %v", m, n, err)
				}
				rest = rest[n:]
			}
			if _, err := b.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(b)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes: %d were read, others or as many; error %v", size, len(got), err)
			}
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d bytes: %d temporary files have names, error %v", size, len(left), err)
		}
		store.Scratch{}.PutBuffer(b)
	}
}

// TestScratchWithoutRoom checks that a buffer whose file cannot be made says so, and that small ones need no file.
func TestScratchWithoutRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	b := store.Scratch{}.GetBuffer()
	if _, err := b.Write(make([]byte, 1<<20)); err != nil {
		t.Error(err)
	}
	if _, err := b.Write([]byte{1}); err == nil {
		t.Error("no error without a place for the file")
	}
	store.Scratch{}.PutBuffer(b)
}
