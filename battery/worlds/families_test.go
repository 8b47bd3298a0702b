package worlds_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/battery/worlds"
	"achilles/sim/record"
)

func courses(t *testing.T, levels []battery.Factor, items int, root uint64) battery.Battery {
	t.Helper()
	return designOf(t, worlds.OPIAAGETS(), levels, items, root)
}

// TestNothingConfoundedInFamilies checks for several seeds that no two demands correlate much, that an occluder correlates with the number
// of other positions, as it must, and with nothing else, and that levels are used equally often.
func TestNothingConfoundedInFamilies(t *testing.T) {
	for root := range uint64(4) {
		b := courses(t, nil, 600, root)
		c, err := b.Correlate(worlds.OPIAAGETS().Demands()...)
		if err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.05 {
			t.Errorf("root %d: %s and %s correlate %.4f", root, x, y, r)
		} else if root == 0 {
			t.Logf("largest correlation of two demands over 600 items: %s and %s, %.4f", x, y, r)
		}
		demands := slices.DeleteFunc(worlds.OPIAAGETS().Demands(), func(n string) bool { return n == "numPositions" })
		if c, err = b.Correlate(append(demands, "occluder")...); err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.05 {
			t.Errorf("root %d: %s and %s correlate %.4f", root, x, y, r)
		}
		for _, f := range worlds.OPIAAGETS().Factors() {
			if f.Name != "numPositions" && f.Name != "displaced" && f.Name != "rightLeft" && f.Name != "timeUnderOcclusion" { // the last is measured, near its level
				evenly(t, b, f.Name, f.Levels())
			}
		}
		hidden, err := b.Where("occluder == 1")
		if err != nil {
			t.Fatal(err)
		}
		if n := valuesOf(t, hidden, "numPositions"); n["0"] < 136 || n["0"] > 140 || n["11"] < 27 || n["11"] > 28 || len(n) != 7 {
			t.Errorf("root %d: numPositions over the %d items with an occluder: %v", root, hidden.Items.Len(), n)
		}
	}
}

func evenly(t *testing.T, b battery.Battery, feature string, levels int) {
	t.Helper()
	n := valuesOf(t, b, feature)
	lo, hi := b.Items.Len(), 0
	for _, k := range n {
		lo, hi = min(lo, k), max(hi, k)
	}
	if len(n) != levels || hi-lo > 1 {
		t.Errorf("%d levels of %s stand %d to %d times", len(n), feature, lo, hi)
	}
}

// valuesOf returns the number of items with each value of a feature.
func valuesOf(t *testing.T, b battery.Battery, feature string) map[string]int {
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
	schema := worlds.OPIAAGETS().Schema()
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
	b := courses(t, levels, 0, 1)
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
		_, err := worlds.OPIAAGETS().Design(t.Context(), battery.Request{Levels: c.levels, Items: c.items, Root: 1})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

// TestEveryLevel checks that a design in which one factor has any single level of its default levels can be made, and that
// few candidates are rejected.
func TestEveryLevel(t *testing.T) {
	for _, f := range worlds.OPIAAGETS().Factors() {
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
			b, err := worlds.OPIAAGETS().Design(t.Context(), battery.Request{Levels: levels, Items: 120, Root: 7})
			if err != nil {
				t.Errorf("%v: %v", one, err)
				continue
			}
			if err := b.Check(t.Context(), 2); err != nil {
				t.Errorf("%v: %v", one, err)
			}
			lost := 0
			rejected := worlds.OPIAAGETS().Rejected(30, 7, levels...)
			for _, n := range rejected {
				lost += n
			}
			if lost > 30 {
				t.Errorf("%v: %d candidates were not kept for 30 items: %v", one, lost, rejected)
			}
		}
	}
}
