package tabular_test

import (
	"testing"

	"achilles/render/tabular"
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
