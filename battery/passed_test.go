package battery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/battery"
	"achilles/sim/record"
)

// TestByShortcuts checks ByShortcuts against counts by hand. The control (basic) and the item with a missing value must
// not be counted.
func TestByShortcuts(t *testing.T) {
	number := func(x float64) battery.Value { return battery.Value{Number: x} }
	b := battery.Battery{
		Schema: []record.Feature{{Name: battery.HiddenFeature}, {Name: "leftPasses", Role: record.Shortcut}, {Name: "size"}},
	}
	for _, item := range []battery.Item{
		{Paradigm: "tubes", Values: battery.PackValues(number(1), number(1), number(1))},
		{Paradigm: "cups", Values: battery.PackValues(number(1), number(1), number(1))},
		{Paradigm: "cups", Values: battery.PackValues(number(1), number(0), number(1))},
		{Paradigm: "cups", Values: battery.PackValues(number(1), battery.Value{Missing: true}, number(1))},
		{Paradigm: "basic", Values: battery.PackValues(number(0), number(1), number(1))},
	} {
		b.Items.Append(&item)
	}
	paradigms, list := b.ByShortcuts()
	if d := cmp.Diff([]string{"cups", "tubes"}, paradigms); d != "" {
		t.Error(d)
	}
	want := []battery.Passed{{Shortcut: "leftPasses", Hidden: []battery.Share{{Passed: 1, Of: 2}, {Passed: 1, Of: 1}}, All: battery.Share{Passed: 2, Of: 3}}}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
	if r := list[0].All.Rate(); r != 2.0/3 {
		t.Errorf("rate %v", r)
	}
	b.Schema[0].Name = "other"
	if _, list := b.ByShortcuts(); list != nil {
		t.Errorf("a battery that does not say which items are tests has %v", list)
	}
}
