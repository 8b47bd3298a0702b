package results_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/scenarios/results"
	"achilles/sim/part"
)

// TestOpenOther opens what is no results directory: the hint says what it is.
func TestOpenOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of two words")
	for _, name := range []string{"many/b/public/manifest.json", "many/a/notes.txt", "study/site/study.json", "half/shards/0-of-2/ledger.json", "table.csv", "empty/notes.txt"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, format := range map[string]string{"analysis": part.Analysis, "items": part.Items} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "manifest.json"), part.New(format, nil, struct{}{}).Encode(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"many":          "results are in it: name one of them, such as '" + filepath.Join(dir, "many", "b") + "'",
		"many/b/public": "public is a part of the results in",
		"study":         "it is a study: achilles study collect '" + filepath.Join(dir, "study") + "'",
		"half":          "it has shards of a run: achilles merge",
		"analysis":      "it is an analysis",
		"items":         "achilles show '" + filepath.Join(dir, "items") + "' lists them",
		"table.csv":     "achilles import",
		"empty":         "achilles generate SCENARIO --out",
		"nowhere":       "achilles generate SCENARIO --out",
	} {
		_, err := results.Open(filepath.Join(dir, filepath.FromSlash(name)))
		var hint *results.Hint
		if !errors.As(err, &hint) || !strings.Contains(hint.Text, want) {
			t.Errorf("%s: %v, hint %+v, want %q", name, err, hint, want)
		}
	}
}

// TestScoresOfNothing reads scores whose inference was removed: that is what has to be made, and not the scores.
func TestScoresOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "two words")
	for _, name := range []string{"public", "scores"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "manifest.json"), part.New(name, map[string]string{"inferred": "00"}, struct{}{}).Encode(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var hint *results.Hint
	if _, _, err := d.Part(part.Scores); !errors.Is(err, results.ErrNotInferred) || !errors.As(err, &hint) || !strings.HasPrefix(hint.Text, "achilles infer '"+dir+"' --layout") {
		t.Errorf("%v, hint %+v", err, hint)
	}
}
