package tables_test

import (
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
)

// TestLists checks lists of the resolved: who is in no list has failed the items of the table, and without such a table nothing is known.
func TestLists(t *testing.T) {
	files := []*tables.File{
		tablestest.File("verified/2026_a/results/results.json", []byte(`{"resolved": ["x-1", "x-2"], "no_generation": ["x-3"], "no_logs": []}`)),
		tablestest.File("verified/2026_b/results/results.json", []byte(`{"no_generation": [], "resolved": ["x-4"], "count": 7}`)),
	}
	items := tablestest.File("items.csv", []byte("instance_id,difficulty\nx-1,1\nx-2,2\nx-3,3\nx-4,4\n"))
	formats := []tables.Format{tables.Lists(), tables.Rectangle()}
	in, _, err := tables.Open(formats, append(files, items), nil, nil, tables.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := tables.Propose(in, tables.Wishes{})
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := tables.Build(in, p.Mapping)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cells(d), "2026_a x-1 1, 2026_a x-2 1, 2026_a x-3 0, 2026_a x-4 0, 2026_b x-1 0, 2026_b x-2 0, 2026_b x-3 0, 2026_b x-4 1"; got != want {
		t.Errorf("responses %s, want %s", got, want)
	}
	if got := strings.Join(notes, "; "); got != "4 responses without a row read as 0" {
		t.Errorf("notes %q", got)
	}
	if in, _, err = tables.Open(formats, files, nil, nil, tables.Reading{}); err != nil {
		t.Fatal(err)
	}
	if _, err = tables.Propose(in, tables.Wishes{}); err == nil || !strings.Contains(err.Error(), "give a table of all items with --items") {
		t.Errorf("without a table of items: %v", err)
	}
}
