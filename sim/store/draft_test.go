package store_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"achilles/sim/store"
)

// TestDraftSame compares a draft with the directory that it would replace.
func TestDraftSame(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789abcde\n"), 1<<12) // twice what is compared at a time
	changed := bytes.Clone(long)
	changed[len(changed)-1] = 'x'
	there := map[string][]byte{"a": []byte("one"), "sub/b": long, "empty": nil}
	for _, c := range []struct {
		name  string
		files map[string][]byte
		but   []string
		same  bool
	}{
		{"equal", there, nil, true},
		{"last byte", map[string][]byte{"a": []byte("one"), "sub/b": changed, "empty": nil}, nil, false},
		{"last byte of a file that may differ", map[string][]byte{"a": []byte("one"), "sub/b": changed, "empty": nil}, []string{"sub/b"}, true},
		{"shorter", map[string][]byte{"a": []byte("one"), "sub/b": long[:1<<15], "empty": nil}, nil, false},
		{"one fewer", map[string][]byte{"a": []byte("one"), "sub/b": long}, nil, false},
		{"one more", map[string][]byte{"a": []byte("one"), "sub/b": long, "empty": nil, "c": nil}, nil, false},
		{"one more that may differ", map[string][]byte{"a": []byte("one"), "sub/b": long, "empty": nil, "c": nil}, []string{"c"}, false},
		{"another name", map[string][]byte{"a": []byte("one"), "b": long, "empty": nil}, nil, false},
	} {
		d, err := store.Make(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if err := d.Write("x", there, false); err != nil {
			t.Fatal(err)
		}
		w, err := d.Begin("x", true)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for name, data := range c.files {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(f, bytes.NewReader(data)); err != nil || f.Close() != nil {
				t.Fatal(err)
			}
		}
		if got := w.Same(c.but...); got != c.same {
			t.Errorf("%s: same is %v", c.name, got)
		}
		if _, err := w.Create("../y"); err == nil {
			t.Error("a name outside the draft is not refused")
		}
	}
}

// TestDraftWaitsForTheDisk checks that a draft with a file that does not reach the disk is not committed, and that many files may be
// open at a time.
func TestDraftWaitsForTheDisk(t *testing.T) {
	d, err := store.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, broken := range []int{-1, 30} {
		w, err := d.Begin("x", false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			f, err := w.Create(fmt.Sprint("file ", i))
			if err != nil {
				t.Fatal(err)
			}
			if i == broken {
				store.Break(f)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		switch err := w.Commit(); {
		case broken < 0 && (err != nil || d.Remove("x") != nil):
			t.Errorf("commit: %v", err)
		case broken >= 0 && (err == nil || !strings.Contains(err.Error(), "file 30") || d.Has("x")):
			t.Errorf("a file did not reach the disk, and the commit returned %v", err)
		}
		w.Abort()
	}
}
