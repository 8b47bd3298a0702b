package worlds_test

import (
	"math"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
	"achilles/gridworld"
)

func comparative(t *testing.T, items int, root uint64) battery.Battery {
	t.Helper()
	return designOf(t, worlds.Comparative(), nil, items, root)
}

// TestNoShortcutPassesComparative checks that no shortcut passes more than catalog.MostPassed of the items that test object
// permanence, and which kinds of items all or none of the shortcuts that a paradigm is made against pass.
func TestNoShortcutPassesComparative(t *testing.T) {
	b := comparative(t, 480, 502)
	passNo(t, b, []passing{
		{`task == "detour-test"`, "directPasses", false},
		{`task == "detour-congruent"`, "directPasses", true},
		{`paradigm == "detour"`, "lastSeenPasses", true},
		{`task == "aperture-test"`, "motionFollowerPasses", false},
		{`task == "aperture-congruent"`, "motionFollowerPasses", true},
		{`task == "size-test"`, "lastSeenPasses", false},
		{`task == "size-congruent"`, "lastSeenPasses", true},
		{`paradigm == "detour"`, "largestCoverPasses", true},
		{`task == "number-congruent"`, "lastSeenPasses", true},
	})
	cor, err := b.Correlate(worlds.Comparative().Demands()...)
	if err != nil {
		t.Fatal(err)
	}
	if x, y, r := cor.Largest(); math.Abs(r) > 0.07 {
		t.Errorf("%s and %s correlate %.4f", x, y, r)
	}
}

// TestComparativeByHand checks what items ask for against what can be counted in their worlds: of detours the length of
// the way, of apertures the cells of openings, of sizes those of covers, of numbers the rewards that end in each well, and of
// what, where and when whether the better reward perishes.
func TestComparativeByHand(t *testing.T) {
	b := comparative(t, 320, 503)
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
		test := !strings.HasSuffix(it.Task, "-congruent") && feature("congruent") == 0
		places := it.Trials[0].Places
		switch it.Paradigm {
		case "detour": // every cell away from the reward is walked twice
			if x := feature("pathLength") - feature("goalDistance"); x != 2*worlds.UnitsPerCell*feature("retreat") || test != (x > 0) {
				t.Errorf("%s, %s: the way is longer than the distance by %v, and retreat is %v", it.Name, it.Task, x, feature("retreat"))
			}
		case "number":
			ends := ending(w)
			right := ends[goal(w)]
			own, most := 0, 0
			for _, p := range places {
				n := 0
				for _, q := range ends {
					if p == q {
						n++
					}
				}
				if p == right {
					own = n
				} else {
					most = max(most, n)
				}
			}
			if want := float64(own); test && (feature("number") != want || most != own-1) || !test && (feature("number") != 0 || most != 0) {
				t.Errorf("%s, %s: %d rewards in the right well, %d in the next, and number is %v", it.Name, it.Task, own, most, feature("number"))
			}
		case "what-where-when": // the sample is worth nothing, and its like is worth 2
			perishes := false
			for _, c := range w.Cues() {
				perishes = perishes || w.Thing(c.Thing).Value == 2 && c.State == gridworld.Hidden
			}
			if congruent := feature("congruent") == 1; perishes == congruent || (w.Thing(goal(w)).Value == 2) != congruent {
				t.Errorf("%s, %s: the better reward perishes: %t, and the right one is worth %d", it.Name, it.Task, perishes, w.Thing(goal(w)).Value)
			}
		default:
			if feature("occluder") == 1 {
				nearestFitting(t, w, it, places)
			}
		}
	}
}

// ending returns where the things of w are after its script.
func ending(w *gridworld.World) []gridworld.Pos {
	var ends []gridworld.Pos
	for i := range w.Len() {
		ends = append(ends, w.Thing(i).Pos)
	}
	for _, c := range w.Cues() {
		ends[c.Thing] = c.Pos
	}
	return ends
}

// nearestFitting checks that of the wells whose opening or cover lets the reward through, the right one is nearest to where
// the reward was shown last; in a test it is not the nearest of all wells.
func nearestFitting(t *testing.T, w *gridworld.World, it battery.Item, places []gridworld.Pos) {
	t.Helper()
	ends := ending(w)
	dark, _ := w.Windows()
	reward := goal(w)
	shown := w.Thing(reward).Pos
	for _, c := range w.Cues() {
		if c.Thing == reward && c.Tick < dark[0].From {
			shown = c.Pos
		}
	}
	fits := func(p gridworld.Pos) bool {
		for k, at := range ends {
			if at == p && k != reward {
				return w.Thing(k).Size >= w.Thing(reward).Size
			}
		}
		cells := 0
		for _, step := range []int{-1, 1} {
			for q := (gridworld.Pos{X: p.X, Y: p.Y + 1}); w.At(q).Kind == gridworld.Floor; q.X += step {
				cells++
			}
		}
		return (cells-1)*100*worlds.UnitsPerCell >= w.Thing(reward).Size
	}
	aside := func(p gridworld.Pos) int { return max(p.X-shown.X, shown.X-p.X) }
	right := ends[reward]
	if !fits(right) || (aside(right) == 0) != strings.HasSuffix(it.Task, "-congruent") {
		t.Errorf("%s, %s: the reward was shown at %s and ends at %s, which it fits: %t", it.Name, it.Task, shown, right, fits(right))
	}
	for _, p := range places {
		if p != right && fits(p) && aside(p) <= aside(right) {
			t.Errorf("%s, %s: the reward fits %s too, which is as near to %s as %s", it.Name, it.Task, p, shown, right)
		}
	}
}
