package worlds_test

import (
	"bytes"
	"encoding/json"
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
	levels := []battery.Factor{{Name: "paradigm", Text: []string{"a-not-b"}}, number("hidings", 1), number("goalSize", 4), number("goalDistance", 16), number("congruent", 0),
		number("numPositions", 1), number("timeUnderOcclusion", 1), number("rightLeft", 0), {Name: "goalColour", Text: []string{"Green"}}}
	const items = 30
	want, anew, err := worlds.Displaced().Serially(levels, "a-not-b", items, 501)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d items made anew", anew, items)
	if anew == 0 {
		t.Error("no world came twice, so that the test shows too little")
	}
	b := design(t, levels, items, 501)
	for i, it := range b.Items.All() {
		got, err := json.Marshal(it)
		again, err2 := json.Marshal(want[i])
		if err != nil || err2 != nil || !bytes.Equal(got, again) {
			t.Errorf("item %d: %s, %v; made one after another %s, %v", i, got, err, again, err2)
		}
	}
}
