package power_test

import (
	"strings"
	"testing"

	"achilles/scenarios/power"
)

// TestTables checks the tables of the released battery: of agent-23, which responds like a subject that is weak at platforms,
// nothing is known after any number of items; pairs come with the smallest probability first; and a shortcut's proportion over
// all paradigms lies between those of single ones.
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
	families, err := power.Families(subjects, &b, 40, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	pairs := power.Undistinguished(subjects, power.Pairs(subjects, 40, s.Seed), 40)
	paradigms, list := b.ByShortcuts()
	shortcuts, err := power.Shortcuts(&b, paradigms, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []error{families.Check(), pairs.Check(), shortcuts.Check()} {
		if x != nil {
			t.Error(x)
		}
	}
	if p, ok := families.Value(22, "p").Number(); families.Value(22, "subject").Text() != "agent-23" || !ok || p != 0 || families.Value(22, "needed").Exists() || !strings.HasPrefix(families.Value(22, "wrong").Text(), "achilles-heel, platform at") {
		t.Errorf("agent-23: %v", families.Rows[22])
	}
	if n, ok := families.Value(20, "needed").Number(); !ok || n < 2 || n > 100 {
		t.Errorf("agent-21 needs %v items", n)
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
	if all, _ := shortcuts.Value(0, "all").Number(); len(shortcuts.Rows) != len(paradigms)*len(list) || all < low || all > high {
		t.Errorf("%d rows, %v to %v, all %v", len(shortcuts.Rows), low, high, all)
	}
	none, err := power.Families([]power.Subject{{Name: "x"}}, &b, 40, 1)
	if err != nil || len(none.Rows) != 0 {
		t.Errorf("a subject without a family: %v, %v", none, err)
	}
}
