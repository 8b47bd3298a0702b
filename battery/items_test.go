package battery_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld"
	"achilles/sim/record"
)

// plain returns an item as JSON, which says everything about it.
func plain(t *testing.T, it battery.Item) string {
	t.Helper()
	text, err := json.Marshal(it)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestItemsGiveBackWhatWasPut checks that packed items are as they were: more than a block of them, with and without trials,
// worlds, places and labels, some of them negative or long, and that a choice of a choice has the right ones.
func TestItemsGiveBackWhatWasPut(t *testing.T) {
	worlds := []battery.World{{}}
	for n := range 9 {
		worlds = append(worlds, batterytest.World("world 1\nlimit 9\nmap\n"+strings.Repeat("..^#....\n", 1+7*n)))
	}
	var items battery.Items
	var want []battery.Item
	for i := range 700 {
		it := battery.Item{Name: fmt.Sprint("item ", i), Suite: "s", Task: fmt.Sprint("t", i%7), Values: battery.PackValues(battery.Value{Number: float64(i)}, battery.Value{Text: strings.Repeat("x", i)})}
		if i%3 > 0 {
			it.Paradigm, it.Brief, it.Answer = "p", "Find it.", fmt.Sprint(i)
			it.Trials = make([]battery.Trial, i%4)
			for k := range it.Trials {
				it.Trials[k] = battery.Trial{Phase: record.Phase(k % 2), Pair: 100*i - 300*k, Outcome: battery.Outcome(i % 3), World: worlds[i*k%len(worlds)]}
				if k < 2 {
					it.Trials[k].Places = make([]gridworld.Pos, k, 9)
				}
				for n := range it.Trials[k].Places {
					it.Trials[k].Places[n] = gridworld.Pos{X: i - 350, Y: n}
				}
			}
		}
		items.Append(&it)
		want = append(want, it)
	}
	check := func(i int, it battery.Item, want battery.Item) {
		t.Helper()
		if got := plain(t, it); got != plain(t, want) || (it.Trials == nil) != (want.Trials == nil) {
			t.Fatalf("item %d is %s, want %s", i, got, plain(t, want))
		}
		for k := range it.Trials {
			if !reflect.DeepEqual(it.Trials[k].Places, want.Trials[k].Places) {
				t.Fatalf("item %d, trial %d: places %v, want %v", i, k, it.Trials[k].Places, want.Trials[k].Places)
			}
		}
	}
	for i, it := range items.All() {
		check(i, it, want[i])
		if items.Name(i) != it.Name || items.Values(i) != it.Values {
			t.Fatalf("item %d: %s, %v", i, items.Name(i), items.Values(i))
		}
	}
	b := battery.Battery{Schema: []record.Feature{{Name: "n", Kind: record.Number}, {Name: "x", Kind: record.Text}}, Items: items}
	for _, condition := range []string{"n >= 100", "n < 130"} {
		var err error
		if b, err = b.Where(condition); err != nil {
			t.Fatal(err)
		}
	}
	if b.Items.Len() != 30 {
		t.Fatalf("%d items of 30", b.Items.Len())
	}
	for i, it := range b.Items.All() {
		check(i, it, want[100+i])
	}
}
