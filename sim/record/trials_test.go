package record_test

import (
	"slices"
	"testing"

	"achilles/sim/record"
)

// TestTrialsComeBack checks that numbers of trials come back, and that a table without any has no column for them.
func TestTrialsComeBack(t *testing.T) {
	d := sample(4, 2, 3)
	plain := encode(t, d)
	responses(func(list []record.Response) {
		for i := range list {
			if r := &list[i]; d.Manifest.Measures[r.Measure].Family == record.Count && r.Unscored == 0 {
				r.Trials = int32(r.Value) + int32(i%3)
			}
		}
	})(d)
	files := encode(t, d)
	got, err := record.Read(mapFS(files))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Responses.List(), d.Responses.List()) {
		t.Error("responses differ")
	}
	responses(func(list []record.Response) {
		for i := range list {
			list[i].Trials = 0
		}
	})(d)
	if !slices.Equal(encode(t, d)["responses.parquet"], plain["responses.parquet"]) || len(plain["responses.parquet"]) >= len(files["responses.parquet"]) {
		t.Error("without trials the table has other bytes")
	}
}
