package worlds_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
	"achilles/gridworld"
)

// opposite returns the name of the feature that has the value of `feature` in a mirrored item.
func opposite(feature string) string {
	return strings.NewReplacer("alwaysLeft", "alwaysRight", "alwaysRight", "alwaysLeft").Replace(feature)
}

// TestMirror checks that the item at a point with the opposite side has the mirrored world, the mirrored way and the same
// features except the side. Of the shortcuts, those to the left and to the right change places; those that choose among
// equally good ways may choose differently.
func TestMirror(t *testing.T) {
	schema := worlds.OPIAAGETS().Schema()
	g := worlds.OPIAAGETS().Generator()
	n, otherwise := 0, 0
	for i, p := range worlds.OPIAAGETS().PointsOf(600, 4) {
		a, err := g.Item(4, i, p)
		if err != nil {
			t.Fatal(err)
		}
		mirrored, way := g.Mirrored(), append([]gridworld.Action(nil), g.Way()...)
		b, err := g.Item(4, i, p.Opposite())
		if err != nil {
			t.Fatal(err)
		}
		if p.Side() == 0 {
			if !reflect.DeepEqual(a, b) {
				t.Errorf("item %d: the same point gives two items", i)
			}
			continue
		}
		n++
		v, w := open(t, a), open(t, b)
		if g.Mirrored() == mirrored || !v.Transform(gridworld.Mirror).Equal(w) {
			t.Fatalf("item %d: not mirror images:\n%s\n%s", i, v, w)
		}
		for k, act := range g.Way() {
			if len(way) != len(g.Way()) || gridworld.Mirror.Action(act) != way[k] {
				t.Fatalf("item %d: the ways are %v and %v", i, way, g.Way())
			}
		}
		if len(b.Trials[0].Places) != len(a.Trials[0].Places) {
			t.Errorf("item %d: other places", i)
		}
		for k, f := range schema {
			x, y := a.Values.At(k), b.Values.At(k)
			if f.Name == "rightLeft" {
				y.Number = -y.Number
			}
			if f.Role != "shortcut" && x != y {
				t.Errorf("item %d: %s is %v, and mirrored %v", i, f.Name, x, y)
			}
			if o := opposite(f.Name); o != f.Name {
				if y = b.Values.At(index(t, o)); x != y {
					t.Logf("item %d: %s is %v, and mirrored %s is %v:\n%s", i, f.Name, x, o, y, v)
					otherwise++
				}
			}
		}
	}
	if otherwise > 6 { // on one of equally good ways there may be the reward
		t.Errorf("%d of %d times a side and its mirror image pass differently", otherwise, 2*n)
	}
	if n < 300 {
		t.Errorf("only %d items lie aside", n)
	}
}

func open(t *testing.T, it battery.Item) *gridworld.World {
	t.Helper()
	w, err := it.Trials[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func index(t *testing.T, feature string) int {
	t.Helper()
	for k, f := range worlds.OPIAAGETS().Schema() {
		if f.Name == feature {
			return k
		}
	}
	t.Fatalf("no feature %s", feature)
	return 0
}

// TestItemsAreIndependent checks that an item depends on its index and point alone and not on the items that the generator
// made before, so that any number of workers makes the same battery.
func TestItemsAreIndependent(t *testing.T) {
	const items = 300
	whole := courses(t, nil, items, 6)
	points := worlds.OPIAAGETS().PointsOf(items, 6)
	for _, workers := range []int{1, 3, 8} {
		got := make([]battery.Item, items)
		var wait sync.WaitGroup
		for k := range workers {
			wait.Go(func() {
				g := worlds.OPIAAGETS().Generator()
				for i := items - 1 - k; i >= 0; i -= workers {
					it, err := g.Item(6, i, points[i])
					if err != nil {
						t.Error(err)
					}
					got[i] = it
				}
			})
		}
		wait.Wait()
		for i := range got {
			if !same(t, got[i], whole.Items.At(i)) {
				t.Fatalf("%d workers: item %d differs from that of the whole battery", workers, i)
			}
		}
	}
}

// TestDuplicatesAreDrawnAgain checks that no two items have the same world, even if the points of the design leave few
// choices, and that the error says so if there are too few different worlds.
func TestDuplicatesAreDrawnAgain(t *testing.T) {
	one := func(name string, x ...float64) battery.Factor { return battery.Factor{Name: name, Number: x} }
	levels := []battery.Factor{
		{Name: "family", Text: []string{"grid"}}, {Name: "occluderColour", Text: []string{"Grey"}}, {Name: "goalColour", Text: []string{"Red"}},
		one("occluder", 0), one("timeUnderOcclusion", 0), one("numPositions", 0), one("displaced", 0), one("goalSize", 1),
		one("goalDistance", 16), one("rightLeft", 0), one("lava", 0), one("ramp", 0), one("platform", 0), one("transparent", 0), one("bounce", 0),
	}
	b := courses(t, levels, 30, 3)
	seen := map[string]bool{}
	for i := range b.Items.Len() {
		if seen[b.Items.At(i).Trials[0].World.String()] {
			t.Errorf("item %d stands twice", i)
		}
		seen[b.Items.At(i).Trials[0].World.String()] = true
	}
	if rejected := worlds.OPIAAGETS().Rejected(30, 3, levels...); len(rejected) != 1 || rejected["the world of another item: ask for fewer items or more levels"] < 5 {
		t.Errorf("not kept: %v", rejected)
	}
	// A row of four holes has 4 columns for the reward, 3 × 3 margins and a mirror image, so there are at most 72 worlds.
	if _, err := worlds.OPIAAGETS().Design(t.Context(), battery.Request{Levels: levels, Items: 100, Root: 3}); err == nil || !strings.Contains(err.Error(), "most often: the world of another item") {
		t.Errorf("error %v does not say that the worlds ran out", err)
	}
}

// same reports whether two items are the same; the world of one of them may be packed with those of other items.
func same(t *testing.T, a, b battery.Item) bool {
	t.Helper()
	first, err := json.Marshal(a)
	second, err2 := json.Marshal(b)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return bytes.Equal(first, second)
}
