package tables_test

import (
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

// TestNewItems reads items that somebody wants predictions for: sorted by name, with decimal commas, missing values, labels, and a
// column that is no feature.
func TestNewItems(t *testing.T) {
	features := []record.Feature{{Name: "size", Kind: record.Number}, {Name: "cover", Kind: record.Text}}
	read := func(text string) (*record.Items, []string, error) {
		table, err := tables.ReadTable([]*tables.File{tablestest.File("new.csv", []byte(text))}, tables.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		return tables.NewItems(table, features)
	}
	items, ignored, err := read("Item;size;cover;note;task\nb;1,5;cup;x;hard\na;NA;-;y;easy\n")
	if err != nil {
		t.Fatal(err)
	}
	size, _ := items.Column("size")
	cover, _ := items.Column("cover")
	if !slices.Equal(items.ID, []string{"a", "b"}) || !slices.Equal(size.Number, []float64{0, 1.5}) || !slices.Equal(size.Missing, []bool{true, false}) ||
		!slices.Equal(cover.Text, []string{"", "cup"}) || !slices.Equal(cover.Missing, []bool{true, false}) || !slices.Equal(items.Task, []string{"easy", "hard"}) || !slices.Equal(ignored, []string{"note"}) {
		t.Errorf("%+v, ignored %q", items, ignored)
	}
	if items, _, err = read("size\n3\n4\n"); err != nil || !slices.Equal(items.ID, []string{"1", "2"}) {
		t.Errorf("without names: %v, %v", items, err)
	}
	for _, c := range [][2]string{
		{"item,size\na,x\n", `new.csv:2: size is "x", not a number`},
		{"item,size\na,1\na,2\n", "new.csv:3: item a is in line 2 already"},
		{"item,size\n\"a\tb\",1\n", `new.csv:2: item "a\tb"`},
		{"item;size\na;1.5\nb;2,5\n", "new.csv: column \"size\" has decimal commas and decimal points: choose with --decimal"},
	} {
		if _, _, err := read(c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: %v, want %s", c[0], err, c[1])
		}
	}
}
