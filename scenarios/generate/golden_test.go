package generate_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden fixes the episodes of root seed 1, two of every task. The tests of package infer/voe watch these episodes,
// because that package must not import the generator.
func TestGolden(t *testing.T) {
	episodes := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 2, Tasks: allTasks(), Motion: bib.Ideal, Split: bib.Telling}}, 1)
	var items []record.Watched
	for _, e := range episodes {
		w, label := e.Blind(fmt.Sprintf("%s-%d", e.Task, e.Index), false)
		if len(w.Videos) != len(label.Outcome) {
			t.Fatalf("%s: %d videos, %d labels", w.Item, len(w.Videos), len(label.Outcome))
		}
		items = append(items, w)
	}
	slices.SortFunc(items, func(a, b record.Watched) int { return cmp.Compare(a.Item, b.Item) })
	_, data, err := record.EncodeSceneShard(0, items)
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("..", "..", "infer", "voe", "testdata", "scenes", "000000.jsonl.gz")
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, data) {
		t.Error("the episodes are not those of the golden file; look at the difference, then rewrite it with -update")
	}
}
