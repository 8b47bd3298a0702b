package layout_test

import (
	"strings"
	"testing"

	"achilles/sim/record"
)

// TestByPosition checks that a column position of the items' own is one like others, and what is said where no response is at hand.
func TestByPosition(t *testing.T) {
	l := parse(t, `name = "trend"
[metafeature]
trial = { column = "position", range = [1, 9] }
[capability]
slope = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(slope*trial)"
`)
	measures := []record.Measure{{Name: "success", Family: record.Binary}}
	items := &record.Items{ID: []string{"a", "b"}, Suite: make([]string, 2), Paradigm: make([]string, 2), Task: make([]string, 2)}
	if !l.ByPosition(items) {
		t.Error("the layout does not name the position")
	}
	if _, err := l.Bind(items, measures); !strings.HasPrefix(message(err), "test.toml:3: key metafeature.trial: the items have no column position; that of responses is known only where") {
		t.Errorf("error %v", err)
	}
	items.Columns = []record.Column{{Feature: record.Feature{Name: "position", Kind: record.Number}, Number: []float64{4, 2}}}
	if l.ByPosition(items) {
		t.Error("a column of the items is taken for that of responses")
	}
	if _, err := l.Bind(items, measures); err != nil {
		t.Error(err)
	}
}
