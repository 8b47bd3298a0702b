package tabular_test

import (
	"testing"

	"achilles/render/tabular"
	"achilles/sim/table"
)

// TestFit checks by hand how lines are broken: between words, indented; below a last column that has half of the width, and under one that
// has not; a command with backslashes; words that are too long, and lines that fit, stay.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		text    string
		further int
		want    string
	}{
		{"one two three four\nfive\n", 2, "one two\n  three four\nfive\n"},
		{"one two three four", 0, "one two\nthree four\n"},
		{"item  a column of b\n", 2, "item  a\n      column\n      of b\n"},
		{"  --a-long-flag  what it is for", 0, "  --a-long-flag\n      what\n      it is\n      for\n"},
		{"  achilles run op --seed 1", 0, "  achilles \\\n    run op \\\n    --seed \\\n    1\n"},
		{"unbreakable/path", 2, "unbreakable/path\n"},
		{"a b c d e f g h   \n", 2, "a b c d e\n  f g h\n"},
		{"\nfits\n", 2, "\nfits\n"},
	} {
		if got := string(tabular.Fit(c.text, 12, c.further)); got != c.want {
			t.Errorf("%q in lines of 12: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestBlocksName checks that columns which follow below repeat as many of the first columns as tell the rows apart, where these leave room.
func TestBlocksName(t *testing.T) {
	type row struct {
		of           string
		one, another float64
	}
	x := table.Of(table.Table{Name: "x", Key: []string{"model", "of"}}, []row{{"ability", .25, 17.5}, {"slope", .5, 18.5}}, []table.Field[row]{
		table.Col(table.Column{Name: "model", Kind: table.Text}, func(row) table.Value { return table.String("irt") }),
		table.Col(table.Column{Name: "of", Kind: table.Text}, func(r row) table.Value { return table.String(r.of) }),
		table.Col(table.Column{Name: "one", Kind: table.Number, Digits: 2}, func(r row) table.Value { return table.Float(r.one) }),
		table.Col(table.Column{Name: "another", Kind: table.Number, Digits: 1}, func(r row) table.Value { return table.Float(r.another) }),
	})
	for _, c := range []struct {
		width int
		want  string
	}{
		{26, "model  of        one\nirt    ability  0.25\nirt    slope    0.50\n\nmodel  of       another\nirt    ability     17.5\nirt    slope       18.5\n"},
		{20, "model  of        one\nirt    ability  0.25\nirt    slope    0.50\n\nmodel  another\nirt       17.5\nirt       18.5\n"},
	} {
		if got := string(tabular.Text(x, c.width)); got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
}
