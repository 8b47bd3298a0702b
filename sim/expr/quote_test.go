package expr_test

import (
	"testing"

	"achilles/sim/expr"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{"results/a-1": "results/a-1", "two words": "'two words'", "it's": `'it'\''s'`, "": "''", "size × x": "'size × x'"} {
		if got := expr.Quote(word); got != want {
			t.Errorf("%q is quoted as %s, want %s", word, got, want)
		}
	}
}
