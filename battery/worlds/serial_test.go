package worlds_test

import (
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
)

// TestDesignIsSerial checks that a design has the items that would be made one after another in one goroutine, also
// where a world comes twice.
func TestDesignIsSerial(t *testing.T) {
	number := func(name string, level float64) battery.Factor {
		return battery.Factor{Name: name, Number: []float64{level}}
	}
	for _, c := range []struct {
		coding *worlds.Coding
		items  int
		levels []battery.Factor
	}{
		{worlds.Displaced(), 30, []battery.Factor{{Name: "paradigm", Text: []string{"a-not-b"}}, number("hidings", 1), number("goalSize", 4), number("goalDistance", 16),
			number("congruent", 0), number("numPositions", 1), number("timeUnderOcclusion", 1), number("rightLeft", 0), {Name: "goalColour", Text: []string{"Green"}}}},
		{worlds.OPIAAGETS(), 300, []battery.Factor{number("goalDistance", 16), number("goalSize", 5), number("rightLeft", 0),
			number("lava", 0), number("ramp", 0), number("platform", 0), number("timeUnderOcclusion", 0), number("occluder", 0),
			number("transparent", 0), number("bounce", 0), number("displaced", 0),
			{Name: "family", Text: []string{"basic"}}, {Name: "occluderColour", Text: []string{"Grey"}}, {Name: "goalColour", Text: []string{"Green"}}}},
	} {
		want, anew, err := c.coding.Serially(c.items, 501, c.levels...)
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%d of %d items made anew", anew, c.items); anew == 0 {
			t.Error("no world came twice, so that the test shows too little")
		}
		b := designOf(t, c.coding, c.levels, c.items, 501)
		for i, it := range b.Items.All() {
			if !same(t, it, want[i]) {
				t.Errorf("item %d: %v; made one after another %v", i, it, want[i])
			}
		}
	}
}
