package worlds_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/battery/opiaagets/worlds"
	"achilles/sim/record"
)

func design(t *testing.T, levels []battery.Factor, items int, root uint64) battery.Battery {
	t.Helper()
	b, tally, err := worlds.Design(t.Context(), battery.Request{Levels: levels, Items: items, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Items != b.Items.Len() {
		t.Errorf("the tally has %d items of %d", tally.Items, b.Items.Len())
	}
	return b
}

// TestNothingConfounded checks for several seeds that no two demands correlate much, that an occluder correlates with the number
// of other positions, as it must, and with nothing else, and that levels are used equally often.
func TestNothingConfounded(t *testing.T) {
	for root := range uint64(4) {
		b := design(t, nil, 600, root)
		c, err := b.Correlate(worlds.Demands()...)
		if err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.05 {
			t.Errorf("root %d: %s and %s correlate %.4f", root, x, y, r)
		} else if root == 0 {
			t.Logf("largest correlation of two demands over 600 items: %s and %s, %.4f", x, y, r)
		}
		demands := slices.DeleteFunc(worlds.Demands(), func(n string) bool { return n == "numPositions" })
		if c, err = b.Correlate(append(demands, "occluder")...); err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.05 {
			t.Errorf("root %d: %s and %s correlate %.4f", root, x, y, r)
		}
		for _, f := range worlds.Factors() {
			if f.Name != "numPositions" && f.Name != "displaced" && f.Name != "rightLeft" && f.Name != "timeUnderOcclusion" { // the last is measured, near its level
				evenly(t, b, f.Name, f.Levels())
			}
		}
		hidden, err := b.Where("occluder == 1")
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, hidden, "numPositions"); n["0"] < 136 || n["0"] > 140 || n["11"] < 27 || n["11"] > 28 || len(n) != 7 {
			t.Errorf("root %d: numPositions over the %d items with an occluder: %v", root, hidden.Items.Len(), n)
		}
	}
}

func evenly(t *testing.T, b battery.Battery, feature string, levels int) {
	t.Helper()
	n := count(t, b, feature)
	lo, hi := b.Items.Len(), 0
	for _, k := range n {
		lo, hi = min(lo, k), max(hi, k)
	}
	if len(n) != levels || hi-lo > 1 {
		t.Errorf("%d levels of %s stand %d to %d times", len(n), feature, lo, hi)
	}
}

// count returns the number of items with each value of a feature.
func count(t *testing.T, b battery.Battery, feature string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for i := range b.Items.Len() {
		n[written(t, &b, i, feature)]++
	}
	return n
}

// TestReleasedNames checks that the schema has every feature of the released coding, with the same name, kind, role, unit
// and range, so that a layout fits both.
func TestReleasedNames(t *testing.T) {
	schema := worlds.Schema()
	for _, want := range opiaagets.Schema() {
		i := slices.IndexFunc(schema, func(f record.Feature) bool { return f.Name == want.Name })
		if i < 0 {
			t.Errorf("no feature %s", want.Name)
			continue
		}
		got := schema[i]
		if got.Kind != want.Kind || got.Role != want.Role || got.Unit != want.Unit || want.Range != nil && *got.Range != *want.Range {
			t.Errorf("feature %s is %+v here, and %+v in the released coding", want.Name, got, want)
		}
	}
}

func TestCrossed(t *testing.T) {
	one := func(name string, x ...float64) battery.Factor { return battery.Factor{Name: name, Number: x} }
	levels := []battery.Factor{
		{Name: "family", Text: []string{"grid", "basic"}}, {Name: "occluderColour", Text: []string{"Grey"}}, {Name: "goalColour", Text: []string{"Red"}},
		one("occluder", 0, 1), one("timeUnderOcclusion", 0, 1.5), one("numPositions", 0, 2, 5), one("displaced", 0),
		one("goalSize", 1), one("goalDistance", 20, 34), one("rightLeft", -1), one("lava", 0), one("ramp", 1), one("platform", 0),
		one("transparent", 0), one("bounce", 0),
	}
	b := design(t, levels, 0, 1)
	// There are two families and two distances. With an occluder there are 1 time and 3 numbers of positions, without one 2
	// times.
	if want := 2 * 2 * (1*3 + 2); b.Items.Len() != want {
		t.Fatalf("%d items, want %d", b.Items.Len(), want)
	}
	seen := map[string]bool{}
	for i := range b.Items.Len() {
		key := ""
		for _, f := range levels {
			key += written(t, &b, i, f.Name) + " "
		}
		if seen[key] {
			t.Errorf("point %s stands twice", key)
		}
		seen[key] = true
	}
}

func TestRefuses(t *testing.T) {
	number := func(name string, x ...float64) battery.Factor { return battery.Factor{Name: name, Number: x} }
	for _, c := range []struct {
		why    string
		levels []battery.Factor
		items  int
		says   string
	}{
		{"unknown factor", []battery.Factor{number("goalsize", 1)}, 10, "did you mean goalSize"},
		{"measured feature", []battery.Factor{number("forcedChoice", 1)}, 10, "not a factor of the design"},
		{"too near for every obstacle", []battery.Factor{number("goalDistance", 8)}, 10, "not a multiple of 2 from 16 to 56"},
		{"between two cells", []battery.Factor{number("goalDistance", 17)}, 10, "not a multiple of 2 from 16 to 56"},
		{"between two ticks", []battery.Factor{number("timeUnderOcclusion", 0.03)}, 10, "not a multiple of 0.02 from 0 to 4"},
		{"text for a number", []battery.Factor{{Name: "lava", Text: []string{"yes"}}}, 10, "needs levels such as [0 1]"},
		{"unknown text", []battery.Factor{{Name: "family", Text: []string{"chick"}}}, 10, `level "chick" is unknown`},
		{"no level", []battery.Factor{number("ramp")}, 10, "needs levels"},
		{"hidden for no time", []battery.Factor{number("timeUnderOcclusion", 0)}, 10, "timeUnderOcclusion would be 0 in 10 of 10 items, but only 5 have no occluder"},
		{"hidden for less than the walk", []battery.Factor{number("timeUnderOcclusion", 0.02), number("occluder", 1)}, 10, "most often: walk longer than the occlusion"},
		{"all combinations", nil, 0, "more than 200000 items"},
	} {
		_, _, err := worlds.Design(t.Context(), battery.Request{Levels: c.levels, Items: c.items, Root: 1})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

// TestEveryLevel checks that a design in which one factor has any single level of its default levels can be made, and that
// few candidates are rejected.
func TestEveryLevel(t *testing.T) {
	for _, f := range worlds.Factors() {
		for l := range f.Levels() {
			one := battery.Factor{Name: f.Name}
			if f.Text != nil {
				one.Text = f.Text[l : l+1]
			} else {
				one.Number = f.Number[l : l+1]
			}
			levels := []battery.Factor{one}
			switch { // an occluder hides the reward for some time
			case f.Name == "timeUnderOcclusion" && one.Number[0] == 0:
				levels = append(levels, battery.Factor{Name: "occluder", Number: []float64{0}})
			case f.Name == "occluder" && one.Number[0] == 1:
				levels = append(levels, battery.Factor{Name: "timeUnderOcclusion", Number: []float64{1, 2, 3, 4}})
			}
			b, tally, err := worlds.Design(t.Context(), battery.Request{Levels: levels, Items: 120, Root: 7})
			if err != nil {
				t.Errorf("%v: %v", one, err)
				continue
			}
			if err := b.Check(t.Context(), 2); err != nil {
				t.Errorf("%v: %v", one, err)
			}
			lost := 0
			for _, r := range tally.Rejected {
				lost += r.Count
			}
			if lost > b.Items.Len() {
				t.Errorf("%v: %d candidates were not kept for %d items: %v", one, lost, b.Items.Len(), tally.Rejected)
			}
		}
	}
}

// TestDesignIsSerial checks that a design has the items that would be made one after another in one goroutine, also
// where a world comes twice.
func TestDesignIsSerial(t *testing.T) {
	number := func(name string, level float64) battery.Factor {
		return battery.Factor{Name: name, Number: []float64{level}}
	}
	levels := []battery.Factor{number("goalDistance", 16), number("goalSize", 5), number("rightLeft", 0),
		number("lava", 0), number("ramp", 0), number("platform", 0), number("timeUnderOcclusion", 0), number("occluder", 0),
		number("transparent", 0), number("bounce", 0), number("displaced", 0),
		{Name: "family", Text: []string{"basic"}}, {Name: "occluderColour", Text: []string{"Grey"}}, {Name: "goalColour", Text: []string{"Green"}}}
	const items = 300
	g, seen := worlds.NewGenerator(levels...), map[string]bool{}
	anew := 0
	b := design(t, levels, items, 501)
	for i, p := range worlds.PointsOf(items, 501, levels...) {
		it, err := g.Item(501, i, p)
		for earlier := 1; err == nil && seen[it.Trials[0].World.String()]; earlier++ {
			anew++
			it, err = g.Again(501, i, earlier, p)
		}
		if err != nil || !same(t, it, b.Items.At(i)) {
			t.Errorf("item %d: %v; made one after another %v, %v", i, b.Items.At(i), it, err)
		}
		seen[it.Trials[0].World.String()] = true
	}
	if t.Logf("%d of %d items made anew", anew, items); anew == 0 {
		t.Error("no world came twice, so that the test shows too little")
	}
}
