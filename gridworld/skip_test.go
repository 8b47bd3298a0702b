package gridworld_test

import (
	"fmt"
	"testing"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// TestSkips checks that an Env that skips ticks has the same states at those that it does not skip as a world that is
// stepped tick by tick, and that nothing but the tick changes at those that it skips.
func TestSkips(t *testing.T) {
	skipped := 0
	laws(t, "skips", 100, 7, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var fast gridworld.World
		fast.CopyFrom(w)
		env := gridworld.Env{World: &fast, Skips: true}
		for n := 0; n < 60 && w.Outcome() == gridworld.Running; n++ {
			before, action := visible(&fast), likely(w, r)
			env.Step(action)
			for w.Step(action); w.Tick() < fast.Tick(); w.Step(action) {
				if skipped++; visible(w) != before {
					t.Errorf("at the skipped tick %d: %s, before %s", w.Tick(), visible(w), before)
					return
				}
			}
			if visible(w) != visible(&fast) || w.Tick() != fast.Tick() {
				t.Errorf("tick by tick, at %d: %s; skipping, at %d: %s", w.Tick(), visible(w), fast.Tick(), visible(&fast))
				return
			}
		}
	})
	if skipped < 100 {
		t.Errorf("only %d ticks were skipped, so that the test shows too little", skipped)
	}
}

// visible returns all that can change from tick to tick but the tick.
func visible(w *gridworld.World) string {
	var things []gridworld.Thing
	for i := range w.Len() {
		things = append(things, w.Thing(i))
	}
	return fmt.Sprint(w.Actor(), things, w.Dark(), w.Frozen(), w.Outcome())
}
