package battery_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/gridworld"
)

// TestPacker checks that texts, values and worlds that share memory remain what was packed, however many follow.
func TestPacker(t *testing.T) {
	var p battery.Packer
	type packed struct {
		text   string
		values battery.Values
		world  battery.World
	}
	var got, want []packed
	for i := range 300 {
		w := gridworld.New(1+i%64, 1+i/5, gridworld.Rules{Limit: i})
		text := strings.Repeat(fmt.Sprint(i, " "), i)
		if i == 250 {
			text = strings.Repeat("long", 10_000)
		}
		p.Number(float64(i) / 2)
		p.Text(text[:i%30])
		got = append(got, packed{p.String([]byte(text)), p.Values(), p.World(w)})
		want = append(want, packed{text, battery.PackValues(battery.Value{Number: float64(i) / 2}, battery.Value{Text: text[:i%30]}), battery.PackWorld(w)})
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("item %d was packed as %.99v, want %.99v", i, got[i], want[i])
		}
	}
}
