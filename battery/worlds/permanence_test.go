package worlds_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/catalog"
	"achilles/battery/shortcut"
	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
)

func design(t testing.TB, levels []battery.Factor, items int, root uint64) battery.Battery {
	t.Helper()
	return designOf(t, worlds.Displaced(), levels, items, root)
}

func designOf(t testing.TB, c *worlds.Coding, levels []battery.Factor, items int, root uint64) battery.Battery {
	t.Helper()
	b, err := c.Design(t.Context(), battery.Request{Levels: levels, Items: items, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNoShortcutPasses checks that no shortcut passes more than catalog.MostPassed of the items of a default battery that
// test object permanence. It also checks kinds of items all of which, or none of which, a shortcut must pass: in controls
// the reward is in sight, so whoever goes to where it is seen passes.
func TestNoShortcutPasses(t *testing.T) {
	for root := range uint64(4) {
		b := design(t, nil, 600, 501+root)
		paradigms, list := b.ByShortcuts()
		if len(paradigms) != 6 || len(list) != len(shortcut.Policies())+2 {
			t.Fatalf("paradigms %v, %d shortcuts", paradigms, len(list))
		}
		for _, p := range list {
			if x := p.All.Rate(); x > catalog.MostPassed {
				t.Errorf("root %d: %s is 1 of %.3f of the hidden items", 501+root, p.Shortcut, x)
			}
		}
		for _, c := range []struct{ where, shortcut string }{
			{"occluder == 0", "lastSeenPasses"}, {"occluder == 0", "nearestVisiblePasses"},
			{`paradigm == "a-not-b"`, "lastSeenPasses"}, {"hidings == 0 && paradigm == \"a-not-b\"", "perseveratePasses"},
			{`paradigm == "transposition"`, "coverPasses"}, {`paradigm == "rotation"`, "coverPasses"},
			{`task == "transposition-congruent"`, "lastSeenPasses"}, {`task == "rotation-congruent"`, "lastSeenPasses"},
			{`task == "displacement-congruent"`, "lastSeenPasses"},
			{`task == "tubes-congruent"`, "motionFollowerPasses"},
		} {
			if n, of := count(t, b, c.where, c.shortcut); n != of || of == 0 {
				t.Errorf("root %d: where %s, %s is 1 of %d of %d items", 501+root, c.where, c.shortcut, n, of)
			}
		}
		for _, c := range []struct{ where, shortcut string }{
			{"moves > 0", "lastSeenPasses"}, {"hidings > 0", "perseveratePasses"}, {`task == "tubes-test"`, "motionFollowerPasses"},
			{"timing > 0", "lastSeenPasses"}, {`task == "displacement-test"`, "coverPasses"},
		} {
			if n, of := count(t, b, c.where, c.shortcut); n != 0 || of == 0 {
				t.Errorf("root %d: where %s, %s is 1 of %d of %d items", 501+root, c.where, c.shortcut, n, of)
			}
		}
	}
}

// A passing says whether a shortcut passes all items of a kind, or none.
type passing struct {
	where, shortcut string
	all             bool
}

// passNo checks that no shortcut passes more than catalog.MostPassed of the items that test object permanence, and that shortcuts pass
// all or none of the items of some kinds.
func passNo(t *testing.T, b battery.Battery, kinds []passing) {
	t.Helper()
	_, list := b.ByShortcuts()
	for _, p := range list {
		if x := p.All.Rate(); x > catalog.MostPassed {
			t.Errorf("%s is 1 of %.3f of the hidden items", p.Shortcut, x)
		}
	}
	for _, c := range kinds {
		if n, of := count(t, b, c.where, c.shortcut); of == 0 || c.all && n != of || !c.all && n != 0 {
			t.Errorf("where %s, %s is 1 of %d of %d items", c.where, c.shortcut, n, of)
		}
	}
}

// count returns the sum of a feature over the items that meet a condition, and the number of these items.
func count(t *testing.T, b battery.Battery, where, feature string) (n, of int) {
	t.Helper()
	some, err := b.Where(where)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := b.Feature(feature)
	if !ok {
		t.Fatalf("no feature %s", feature)
	}
	for _, it := range some.Items.All() {
		n += int(it.Values.At(f).Number)
	}
	return n, some.Items.Len()
}

// TestNothingConfounded checks that correlations between the demands that all paradigms have are small. They are not 0,
// because controls have no other positions, and because tubes and tunnels need three wells and how long an actor is held says nothing
// about which well is right.
func TestNothingConfounded(t *testing.T) {
	for root := range uint64(3) {
		b := design(t, nil, 600, 501+root)
		c, err := b.Correlate(worlds.Displaced().Demands()...)
		if err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.07 {
			t.Errorf("root %d: %s and %s correlate %.4f", 501+root, x, y, r)
		}
	}
}

// TestAbilitiesAreTheParadigms checks that hidings, moves, tubes and timing are demanded by the tests of their paradigms
// and by no other items.
func TestAbilitiesAreTheParadigms(t *testing.T) {
	b := design(t, nil, 600, 505)
	for _, c := range []struct{ feature, where string }{
		{"hidings", `task == "a-not-b-test"`},
		{"moves", `task == "transposition-test" || task == "displacement-test" || task == "rotation-test"`},
		{"timing", `task == "tunnel-test"`},
	} {
		all, _ := count(t, b, c.where, c.feature)
		everywhere, _ := count(t, b, "places > 0", c.feature)
		none, of := count(t, b, "("+c.where+") && "+c.feature+" == 0", c.feature)
		if all != everywhere || none != 0 || of != 0 || all == 0 {
			t.Errorf("%s sums to %d where %s, to %d everywhere, and is 0 in %d", c.feature, all, c.where, everywhere, of)
		}
	}
	if n, of := count(t, b, `task == "tubes-test"`, "tubes"); n != of || of == 0 {
		t.Errorf("tubes is 1 in %d of %d tests", n, of)
	}
	if n, of := count(t, b, `task == "tubes-free" || task == "tubes-congruent" || occluder == 0`, "tubes"); n != 0 || of == 0 {
		t.Errorf("tubes is 1 in %d of %d items that do not ask for them", n, of)
	}
}

// TestCoversByHand follows, in the events of tests, the cover that is over the reward when the reward vanishes. The feature
// moves must be the number of its arrivals at wells, and except for a box the cover must end where the reward ends.
func TestCoversByHand(t *testing.T) {
	b := design(t, nil, 600, 506)
	moves, _ := b.Feature("moves")
	for _, it := range b.Items.All() {
		if !strings.HasSuffix(it.Task, "-test") || it.Values.At(moves).Number == 0 {
			continue
		}
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		arrivals, at := follow(t, w, it.Trials[0].Places)
		final := w.Thing(goal(w)).Pos
		if arrivals != int(it.Values.At(moves).Number) {
			t.Errorf("item %s: the cover comes to %d wells, and moves is %v", it.Name, arrivals, it.Values.At(moves).Number)
		}
		if it.Paradigm != "displacement" && at != final {
			t.Errorf("item %s: the cover ends at %s, and the reward at %s", it.Name, at, final)
		}
	}
}

// goal returns the index of the first reward that ends the episode.
func goal(w *gridworld.World) int {
	for i := range w.Len() {
		if w.Thing(i).Final {
			return i
		}
	}
	panic("a world without a goal")
}

// follow steps a world until the actor may act. It returns how often the cover that is at the reward's cell when the reward
// vanishes arrives at a well, and where this cover ends.
func follow(t *testing.T, w *gridworld.World, places []gridworld.Pos) (arrivals int, at gridworld.Pos) {
	t.Helper()
	_, frozen := w.Windows()
	final := goal(w)
	cover, seen := -1, w.Thing(final).Pos
	for w.Tick() < frozen[0].To {
		w.Step(gridworld.Stay)
		if reward := w.Thing(final); reward.State == gridworld.Air {
			seen = reward.Pos
			continue
		}
		for i := 0; cover < 0 && i < w.Len(); i++ {
			if i != final && w.Thing(i).Pos == seen {
				cover, at = i, seen
			}
		}
		if cover < 0 {
			t.Fatal("the reward vanishes under no cover")
		}
		if p := w.Thing(cover).Pos; p != at {
			if at = p; slices.Contains(places, p) {
				arrivals++
			}
		}
	}
	return arrivals, at
}

// TestLevels checks the number of items if every possible combination of some levels is used once, and the errors for levels
// that cannot be.
func TestLevels(t *testing.T) {
	number := func(name string, x ...float64) battery.Factor { return battery.Factor{Name: name, Number: x} }
	few := []battery.Factor{
		number("timeUnderOcclusion", 2), number("numPositions", 1, 3), number("goalSize", 5), number("goalDistance", 20), number("rightLeft", -1, 1),
		{Name: "goalColour", Text: []string{"Red"}}, number("hidings", 1, 3), number("moves", 1, 2), number("gravity", 1), number("occluder", 1), number("congruent", 0),
	}
	b := design(t, few, 0, 7)
	n := map[string]int{}
	for _, it := range b.Items.All() {
		n[it.Paradigm]++
	}
	want := map[string]int{"a-not-b": 8, "transposition": 6, "displacement": 8, "rotation": 4, "tubes": 2, "tunnel": 2}
	for name, k := range want {
		if n[name] != k {
			t.Errorf("%d items of %s, want %d", n[name], name, k)
		}
	}
	for _, c := range []struct {
		levels battery.Factor
		says   string
	}{
		{number("moves", 2), "give it an odd level"},
		{number("congruent", 1), "paradigm tubes: there are not enough items of every level, since straight tubes (congruent) have gravity"},
		{number("numPositions", 8), "not a multiple of 1 from 1 to 7"},
		{number("time", 1), "time is not a factor"},
		{battery.Factor{Name: "paradigm", Text: []string{"detours"}}, `level "detours" is unknown`},
	} {
		if _, err := worlds.Displaced().Design(t.Context(), battery.Request{Levels: []battery.Factor{c.levels}, Items: 60, Root: 1}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: error %v, want %q", c.levels, err, c.says)
		}
	}
}

// TestGoldenBattery checks that the digest of all items of one battery is the same on every machine and after every change.
func TestGoldenBattery(t *testing.T) {
	const file = "testdata/digest.golden"
	got := "permanence-300-1 " + batterytest.Digest(t, design(t, nil, 300, 1)) + "\n" +
		"comparative-160-1 " + batterytest.Digest(t, designOf(t, worlds.Comparative(), nil, 160, 1)) + "\n" +
		"radial-80-1 " + batterytest.Digest(t, designOf(t, worlds.Radial(), nil, 80, 1)) + "\n" +
		"worlds-300-1 " + batterytest.Digest(t, courses(t, nil, 300, 1)) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("the digest is %swant %s(%v; -update rewrites it; say in the commit what changed and why)", got, want, err)
	}
}

// TestWellsHideByTheOracle checks with the slow oracle of sight (gridtest.Sees) that what lies in a deep well is seen
// neither from the start nor from any cell of the row before the fence, and that controls have no deep wells.
func TestWellsHideByTheOracle(t *testing.T) {
	b := design(t, nil, 120, 507)
	occluder, _ := b.Feature("occluder")
	for _, it := range b.Items.All() {
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range it.Trials[0].Places {
			deep := w.At(p).Kind == gridworld.Hole
			if it.Values.At(occluder).Number == 0 && deep {
				t.Errorf("item %s: a control has a deep well", it.Name)
			}
			if sees := gridtest.Sees(w, w.Actor().Pos, p); deep == sees {
				t.Errorf("item %s: well %s, deep %t, is seen from the start: %t", it.Name, p, deep, sees)
			}
			for x := range w.Width() {
				if from := (gridworld.Pos{X: x, Y: p.Y - 2}); deep && gridtest.Sees(w, from, p) {
					t.Errorf("item %s: well %s is seen from %s", it.Name, p, from)
				}
			}
		}
	}
}
