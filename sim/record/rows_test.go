package record_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"achilles/sim/record"
)

type pair struct {
	Name string  `parquet:"name,plain"`
	X    float64 `parquet:"x"`
}

// TestRowsThereAndBack checks that rows are read as they were written, even if there are more than one batch.
func TestRowsThereAndBack(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 10_000} {
		var rows []pair
		for i := range n {
			rows = append(rows, pair{strings.Repeat("x", i%7), float64(i)})
		}
		data, err := record.EncodeRows(rows)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := record.DecodeRows[pair](data); err != nil || !slices.Equal(got, rows) {
			t.Errorf("%d rows: %d come back (%v)", n, len(got), err)
		}
	}
}

// TestDeclaredRows checks that a table that declares 2³² rows in its footer, but has one, causes no allocation for
// them.
func TestDeclaredRows(t *testing.T) {
	data, err := record.EncodeRows([]pair{{"a", 1}})
	if err != nil {
		t.Fatal(err)
	}
	// The footer says in Thrift's compact protocol: field 3, a 64-bit integer, 1; field 4, a list of one structure.
	one := []byte{0x16, 2, 0x19, 0x1c}
	if bytes.Count(data, one) != 1 {
		t.Fatal("the number of rows cannot be found in the footer")
	}
	many := append(binary.AppendVarint([]byte{0x16}, 1<<32), one[2:]...)
	bad := bytes.Replace(data, one, many, 1)
	length := bad[len(bad)-8:]
	binary.LittleEndian.PutUint32(length, binary.LittleEndian.Uint32(length)+uint32(len(many)-len(one)))
	if rows, err := record.DecodeRows[pair](bad); len(rows) > 1 {
		t.Errorf("%d rows (%v)", len(rows), err)
	}
}
