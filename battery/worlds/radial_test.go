package worlds_test

import (
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
	"achilles/gridworld"
)

func radial(t *testing.T, items int, root uint64) battery.Battery {
	t.Helper()
	return designOf(t, worlds.Radial(), nil, items, root)
}

// TestNoShortcutPassesRadial checks that no shortcut passes more than catalog.MostPassed of the items that test object
// permanence, and which kinds of items all or none of them pass.
func TestNoShortcutPassesRadial(t *testing.T) {
	b := radial(t, 240, 502)
	passNo(t, b, []passing{
		{`task == "radial-maze-test"`, "perseveratePasses", false},
		{`task == "radial-maze-congruent"`, "lastSeenPasses", true},
		{`task == "radial-maze-congruent"`, "nearestPlacePasses", true},
		{`task == "radial-maze-congruent"`, "perseveratePasses", true},
		{`task == "radial-maze-control"`, "lastSeenPasses", true},
		{`task == "radial-maze-control"`, "nearestVisiblePasses", true},
		{`task == "radial-maze-control"`, "nearestPlacePasses", true},
		{`task == "radial-maze-control"`, "searchPasses", true},
	})
}

// TestRadialByHand counts, in the worlds, the arms of which the reward is taken and those that never had one.
func TestRadialByHand(t *testing.T) {
	b := radial(t, 120, 503)
	for _, it := range b.Items.All() {
		feature := func(name string) float64 {
			f, ok := b.Feature(name)
			if !ok {
				t.Fatalf("no feature %s", name)
			}
			return it.Values.At(f).Number
		}
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		last := map[int]gridworld.Cue{}
		for _, c := range w.Cues() {
			last[c.Thing] = c
		}
		taken, full := 0, 0
		for _, c := range last {
			if c.State == gridworld.Hidden {
				taken++
			} else {
				full++
			}
		}
		arms := len(it.Trials[0].Places)
		congruent, test := feature("congruent") == 1, feature("occluder") == 1 && feature("congruent") == 0
		switch {
		case congruent && (taken != 0 || full != arms):
			t.Errorf("%s: %d of %d arms have a reward, and %d are emptied", it.Name, full, arms, taken)
		case !congruent && full != 1:
			t.Errorf("%s: %d arms have a reward", it.Name, full)
		}
		visits, unbaited := 0, 0
		if test {
			visits, unbaited = taken, arms-taken-full
		}
		if feature("visits") != float64(visits) || feature("unbaited") != float64(unbaited) {
			t.Errorf("%s, %s: visits is %v, want %d; unbaited is %v, want %d", it.Name, it.Task, feature("visits"), visits, feature("unbaited"), unbaited)
		}
		if want := float64(arms - 1); feature("occluder") == 1 && feature("numPositions") != want {
			t.Errorf("%s: numPositions is %v, want %v", it.Name, feature("numPositions"), want)
		}
	}
}
