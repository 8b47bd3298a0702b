package record_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"achilles/sim/record"
)

// TestChoicesComeBack checks that choices come back, that a table without any has the bytes that it had before there were choices, and that
// all other columns are the same with and without.
func TestChoicesComeBack(t *testing.T) {
	d := sample(5, 3, 4)
	files := encode(t, d)
	got, err := record.Read(mapFS(files))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Responses.List(), d.Responses.List()) || !slices.Equal(got.Visits, d.Visits) {
		t.Error("choices differ")
	}
	withoutChoices(got)
	withoutChoices(d)
	if !slices.Equal(got.Responses.List(), d.Responses.List()) {
		t.Error("another column than choices differs")
	}
	old, err := os.ReadFile("testdata/v3/responses.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if plain := encode(t, d)["responses.parquet"]; !bytes.Equal(plain, old) {
		t.Error("without choices the table has other bytes than in version 3")
	}
}

// TestChoicesAreOfVersion4 checks that a table with choices is refused where the manifest is of version 3.
func TestChoicesAreOfVersion4(t *testing.T) {
	files := maps.Clone(encode(t, sample(5, 3, 4)))
	files["manifest.json"] = bytes.Replace(files["manifest.json"], []byte(`"version": 4`), []byte(`"version": 3`), 1)
	if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), `column "choice" is not part of the format`) {
		t.Errorf("the error is %v", err)
	}
}
