package battery_test

import (
	"encoding/json"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld"
)

// TestWorldIsPacked checks that packed worlds are given back, print as texts and are texts in JSON, and that what is no world is
// refused.
func TestWorldIsPacked(t *testing.T) {
	for _, text := range []string{
		"", "world 1\nmove turning\nmap\n.\n\nactor nowhere north\n", "world 1\nmove turning\nlimit 9\nmap\n......\n\nactor 0,0 east\n",
		"world 1\nmove eight\nmap\n" + strings.Repeat(strings.Repeat("=", 64)+"\n", 64) + "\nactor nowhere north\nthing 0 1,1 reward air size 1\ncue 5 thing 0 2,2 hidden\ndark 1 9\n",
	} {
		packed := batterytest.World(text)
		if got := packed.String(); got != text || packed.Empty() != (text == "") {
			t.Errorf("%q came back as %q", text, got)
		}
		b, err := json.Marshal(packed)
		var again battery.World
		if err == nil {
			err = json.Unmarshal(b, &again)
		}
		if err != nil || again != packed {
			t.Errorf("%q as JSON: %s, %v", text, b, err)
		}
		var w gridworld.World
		if err := packed.Read(&w); (err == nil) != (text != "") || err == nil && w.String() != text {
			t.Errorf("%q is read as %s (%v)", text, &w, err)
		}
	}
	var x battery.World
	if err := x.UnmarshalText([]byte("world 1\nmap\nA?\n")); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("what is no world is packed (%v)", err)
	}
	if x = battery.Packed("nothing"); !strings.Contains(x.String(), "not the binary form") {
		t.Errorf("what is no world prints as %q", x)
	}
}
