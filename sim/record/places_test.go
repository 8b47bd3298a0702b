package record_test

import (
	"bytes"
	"slices"
	"sort"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/record"
)

// TestForeignPlace checks that the foreign text that is returned is that of the first row with one, with a dictionary in another order
// than the rows, and without one.
func TestForeignPlace(t *testing.T) {
	type plain struct {
		Item string `parquet:"item"`
	}
	type dictionary struct {
		Item string `parquet:"item,dict"`
	}
	names := []string{"a", "c"}
	foreignPlace(t, []plain{{"a"}, {"m"}, {"c"}, {"q"}, {"m"}}, names)
	foreignPlace(t, []dictionary{{"q"}, {"c"}, {"m"}, {"m"}, {"a"}}, names)
}

// foreignPlace sorts the rows, which are in the order a, c, m, m, q then, and leaves the dictionary as it is.
func foreignPlace[T any](t *testing.T, rows []T, names []string) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(encoded(t, rows)), int64(len(encoded(t, rows))))
	if err != nil {
		t.Fatal(err)
	}
	b := parquet.NewGenericBuffer[T](parquet.SortingRowGroupConfig(parquet.SortingColumns(parquet.Ascending("item"))))
	if _, err := b.Write(rows); err != nil {
		t.Fatal(err)
	}
	sort.Sort(b)
	places, foreign, err := record.Places(f, b, "item", names)
	if want := []int32{0, 1, -2, -2, -2}; err != nil || !slices.Equal(places, want) || foreign != "m" {
		t.Errorf("places %v, the first foreign one is %q, error %v; want %v and m", places, foreign, err, want)
	}
}
