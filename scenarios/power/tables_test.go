package power_test

import (
	"strings"
	"testing"

	"achilles/scenarios/power"
)

// TestTables checks the tables of the released battery: types sum up their subjects; pairs come with the smallest probability first; and
// a shortcut's proportion over all paradigms lies between those of single ones.
func TestTables(t *testing.T) {
	s := open(t, "op-burden")
	b, err := s.MakeBattery(t.Context(), s.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := power.Subjects(s, &b, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name, family string, correct int, wrong map[string]int) power.Predicted {
		return power.Predicted{Subject: power.Subject{Name: name, Family: family}, Correct: correct, Runs: 10, Weight: 0.5, Wrong: wrong}
	}
	list := []power.Predicted{of("a", "capable", 10, nil), of("b", "fraudster", 4, map[string]int{"capable": 1, "unclassified": 5}), of("c", "fraudster", 9, map[string]int{"capable": 1})}
	single, types := power.Classified(list, 40), power.ByType(list)
	pairs := power.Undistinguished(subjects, power.Pairs(subjects, 40, s.Seed), 40)
	paradigms, passed := b.ByShortcuts()
	shortcuts, err := power.Shortcuts(&b, paradigms, passed)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []error{single.Check(), types.Check(), pairs.Check(), shortcuts.Check()} {
		if x != nil {
			t.Error(x)
		}
	}
	p, _ := types.Value(1, "correct").Number()
	if n, _ := types.Value(1, "subjects").Number(); len(types.Rows) != 2 || n != 2 || p != 0.65 || types.Value(1, "wrong").Text() != "unclassified 5, capable 2" || single.Value(2, "wrong").Text() != "capable 1" {
		t.Errorf("types %v of %v", types.Rows, single.Rows)
	}
	last := -1.0
	for i := range pairs.Rows {
		p, _ := pairs.Value(i, "p").Number()
		if p < last || p >= power.Reliable {
			t.Errorf("pair %d has %v after %v", i, p, last)
		}
		last = p
	}
	if len(pairs.Rows) != 10 || len(pairs.Foot) != 1 || !strings.HasPrefix(pairs.Title, "40 items distinguish ") {
		t.Errorf("%d pairs, %q, %q", len(pairs.Rows), pairs.Title, pairs.Foot)
	}
	low, high := 1.0, 0.0
	for i := range shortcuts.Rows {
		x, _ := shortcuts.Value(i, "passed").Number()
		low, high = min(low, x), max(high, x)
	}
	if all, _ := shortcuts.Value(0, "all").Number(); len(shortcuts.Rows) != len(paradigms)*len(passed) || all < low || all > high {
		t.Errorf("%d rows, %v to %v, all %v", len(shortcuts.Rows), low, high, all)
	}
}
