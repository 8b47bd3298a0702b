package voe_test

import (
	"bytes"
	"slices"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/record"

	"github.com/google/go-cmp/cmp"
)

func checkTables(t *testing.T, tables, again *voe.Tables) {
	t.Helper()
	files, err := tables.Encode()
	if err != nil {
		t.Fatal(err)
	}
	other, err := again.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 4 {
		t.Errorf("%d tables", len(files))
	}
	for name, b := range files {
		if !bytes.Equal(b, other[name]) {
			t.Errorf("%s: other bytes with other goroutines", name)
		}
	}
	surprises, err := record.DecodeRows[voe.Surprise](files["surprises.parquet"])
	if d := cmp.Diff(tables.Surprises, surprises); d != "" || err != nil {
		t.Errorf("surprises: %v\n%s", err, d)
	}
	convictions, err := record.DecodeRows[voe.Conviction](files["beliefs.parquet"])
	if err != nil || !slices.Equal(convictions, tables.Convictions) {
		t.Errorf("%d beliefs of %d, %v", len(convictions), len(tables.Convictions), err)
	}
	frames, err := record.DecodeRows[voe.Frame](files["moments.parquet"])
	if err != nil || len(frames) != len(tables.Frames) {
		t.Errorf("%d moments of %d, %v", len(frames), len(tables.Frames), err)
	}
	for i := range frames {
		a, b := frames[i], tables.Frames[i]
		if !slices.Equal(a.Goals, b.Goals) || a.Shift != b.Shift || a.Frame != b.Frame {
			t.Fatalf("moment %d is %+v, it was %+v", i, a, b)
		}
	}
	if _, err := record.DecodeRows[voe.Frame]([]byte("nonsense nonsense")); err == nil {
		t.Error("nonsense is read")
	}
}
