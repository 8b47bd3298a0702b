package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/sim/store"
)

// TestSpool checks that a spool gives back what was put into it, from memory and from its file, and without a file too.
func TestSpool(t *testing.T) {
	var pieces []string
	for i := range 40 {
		pieces = append(pieces, strings.Repeat(string(rune('a'+i)), i*i*11))
	}
	check := func(most int64, file bool, where string) {
		t.Helper()
		s := store.NewSpool(most)
		var at []store.Span
		for k, x := range pieces {
			at = append(at, s.Put([]byte(x)))
			if got, err := s.Get(at[k/2]); err != nil || string(got) != pieces[k/2] {
				t.Fatalf("%d bytes in memory, %s: piece %d of %d is %.9q…, %v", most, where, k/2, k+1, got, err)
			}
		}
		var back []string
		for _, a := range at {
			got, err := s.Get(store.SpanAt(a.Place()))
			if err != nil {
				t.Fatal(err)
			}
			back = append(back, string(got))
		}
		if !slices.Equal(back, pieces) {
			t.Errorf("%d bytes in memory, %s: the pieces are not those that were put", most, where)
		}
		if err := s.Err(); (err == nil) != file {
			t.Errorf("%d of %d bytes in memory, %s: %v", most, s.Len(), where, err)
		}
		if n := store.InMemory(s); most < s.Len() && file && n > 1<<17 || (most >= s.Len() || !file) && n != int(s.Len()) {
			t.Errorf("%d of %d bytes in memory, %s: %d are there", most, s.Len(), where, n)
		}
	}
	for _, most := range []int64{0, 1, 1000, 100_000, 1 << 20} {
		check(most, true, "with a temporary directory")
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	check(1000, false, "without one")
}
