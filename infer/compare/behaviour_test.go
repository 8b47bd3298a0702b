package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/trajectory"
)

// says returns evidence that is 0 for every behaviour that is not in given.
func says(given map[trajectory.Behaviour]float64) (out []trajectory.Evidence) {
	for _, b := range trajectory.Behaviours() {
		out = append(out, trajectory.Evidence{Behaviour: b, Given: given[b], Items: []string{"i-" + string(b)}})
	}
	return out
}

// given returns the bank with this evidence; that of behaviours that are not named is 0.
func given(b *compare.Bound, of map[trajectory.Behaviour]float64) *compare.Bound {
	return b.GivenTrajectories(says(of), func(b trajectory.Behaviour) float64 { return of[b] })
}

func entry(b *compare.Bound, name string) *compare.Entry {
	return &b.Entries[slices.IndexFunc(b.Entries, func(e compare.Entry) bool { return e.Layout.Name == name })]
}

// TestTrajectoriesChangePriors checks that the evidence for a behaviour multiplies the prior of the rivals with this
// behaviour, and that all other ratios of priors stay the same. A shortcut counts as observed if its evidence is more than 3
// nats above that of the best behaviour that is no shortcut.
func TestTrajectoriesChangePriors(t *testing.T) {
	bank, _ := shipped(t, battery(60))
	seen := given(bank, map[trajectory.Behaviour]float64{"last-seen": 2, trajectory.Burns: -1})
	total := 0.0
	for _, e := range seen.Entries {
		total += e.Share
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("the prior probabilities sum to %v", total)
	}
	ratio := func(b *compare.Bound, x, y string) float64 { return math.Log(entry(b, x).Share / entry(b, y).Share) }
	for _, c := range []struct {
		x, y string
		want float64
	}{{"last-seen", "constant", 2}, {"lava", "constant", -1}, {"ramp", "constant", 0}, {"last-seen", "lava", 3}, {"context", "op", 0}} {
		if got := ratio(seen, c.x, c.y) - ratio(bank, c.x, c.y); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s gains %.3f nats on %s, want %v", c.x, got, c.y, c.want)
		}
	}
	if entry(seen, "last-seen").Observed || entry(given(bank, map[trajectory.Behaviour]float64{"last-seen": 4}), "last-seen").Observed == false {
		t.Error("what is seen to be a shortcut hangs on 3 nats")
	}
	if entry(given(bank, map[trajectory.Behaviour]float64{"last-seen": 4, trajectory.Tires: 2}), "last-seen").Observed {
		t.Error("who tires explains it nearly as well")
	}
}

// TestIdleShortcutsAreWatched checks that a rival about a shortcut by which every item is passed is left out of the bank, but
// is part of WithShortcuts; and that a rival about a weakness which no item can show is left out of both.
func TestIdleShortcutsAreWatched(t *testing.T) {
	it := battery(60)
	for i := range it.Columns {
		if it.Columns[i].Name == "lastSeenPasses" || it.Columns[i].Name == "lava" {
			for k := range it.Columns[i].Number {
				it.Columns[i].Number[k] = 1
			}
		}
	}
	bank, _ := shipped(t, it)
	if entry(bank, "last-seen").Design != nil || entry(bank, "lava").Design != nil {
		t.Fatal("a rival that sees no difference between items is compared")
	}
	watched := bank.WithShortcuts(it, measures)
	if e := entry(watched, "last-seen"); e.Design == nil || e.LeftOut != "" || !(e.Share > 0) {
		t.Errorf("the shortcut is left out of what is watched: %+v", e)
	}
	if entry(watched, "lava").Design != nil {
		t.Error("a weakness that cannot show is compared")
	}
	total := watched.Composed
	for _, e := range watched.Entries {
		total += e.Share
	}
	if math.Abs(total-1) > 1e-12 || entry(bank, "last-seen").Design != nil {
		t.Errorf("shares sum to %v, or the bank itself has changed", total)
	}
}

func TestTrajectoriesInWords(t *testing.T) {
	for _, c := range []struct {
		given map[trajectory.Behaviour]float64
		first string
		words string
	}{
		{map[trajectory.Behaviour]float64{"search": 12.3}, "search", "Its paths favour search by 12.3 nats over going for the reward: items i-search"},
		{map[trajectory.Behaviour]float64{trajectory.Forgets: 5}, "forgets", "Its paths favour forgets by 5.0 nats over any shortcut: items i-forgets"},
		{map[trajectory.Behaviour]float64{trajectory.Forgets: 1}, "forgets", ""},
	} {
		v := &compare.Verdict{}
		v.AddTrajectories(says(c.given))
		if v.Behaviour[0].Name != c.first || v.Behaviour[0].Given != 0 || len(v.Behaviour) != len(trajectory.Behaviours()) {
			t.Errorf("%v: %+v", c.given, v.Behaviour)
		}
		if !strings.Contains(v.Words, c.words) || c.words == "" && v.Words != "" {
			t.Errorf("%v: %q does not say %q", c.given, v.Words, c.words)
		}
	}
}
