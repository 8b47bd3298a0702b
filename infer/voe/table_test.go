package voe_test

import (
	"bytes"
	"slices"
	"testing"

	"achilles/infer/voe"

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
	reader := func(name string) (*bytes.Reader, int64) { return bytes.NewReader(files[name]), int64(len(files[name])) }
	in, n := reader("surprises.parquet")
	surprises, err := voe.ReadSurprises(in, n)
	if d := cmp.Diff(tables.Surprises, surprises); d != "" || err != nil {
		t.Errorf("surprises: %v\n%s", err, d)
	}
	in, n = reader("beliefs.parquet")
	convictions, err := voe.ReadConvictions(in, n)
	if err != nil || !slices.Equal(convictions, tables.Convictions) {
		t.Errorf("%d beliefs of %d, %v", len(convictions), len(tables.Convictions), err)
	}
	in, n = reader("moments.parquet")
	frames, err := voe.ReadFrames(in, n)
	if err != nil || len(frames) != len(tables.Frames) {
		t.Errorf("%d moments of %d, %v", len(frames), len(tables.Frames), err)
	}
	for i := range frames {
		a, b := frames[i], tables.Frames[i]
		if !slices.Equal(a.Goals, b.Goals) || a.Shift != b.Shift || a.Frame != b.Frame {
			t.Fatalf("moment %d is %+v, it was %+v", i, a, b)
		}
	}
	if _, err := voe.ReadFrames(bytes.NewReader([]byte("nonsense nonsense")), 17); err == nil {
		t.Error("nonsense is read")
	}
}
