package battery_test

import (
	"encoding/json"
	"math"
	"testing"

	"achilles/battery"
)

// TestValuesArePacked checks that packed values are given back bit for bit, and that small whole numbers take a byte each.
func TestValuesArePacked(t *testing.T) {
	list := []battery.Value{
		{}, {Number: 1}, {Number: 249}, {Number: 250}, {Number: 251.5}, {Number: 0.5}, {Number: -1}, {Number: math.Copysign(0, -1)},
		{Number: math.NaN()}, {Number: math.Inf(1)}, {Text: "red"}, {Text: string(make([]byte, 300))}, {Missing: true},
		{Missing: true, Number: 2}, {Missing: true, Text: "a"}, {Number: 3, Text: "b"}, {Number: 4},
	}
	v := battery.PackValues(list...)
	if v.Len() != len(list) || (battery.Values{}).Len() != 0 {
		t.Fatalf("%d values, want %d", v.Len(), len(list))
	}
	for k, x := range v.All() {
		want := list[k]
		if x.Text != want.Text || x.Missing != want.Missing || math.Float64bits(x.Number) != math.Float64bits(want.Number) || v.At(k).Text != want.Text {
			t.Errorf("value %d is %+v, and was %+v", k, x, want)
		}
	}
	finite := battery.PackValues(append(list[:7:7], list[10:]...)...)
	text, err := json.Marshal(finite)
	var again battery.Values
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if err != nil || again != finite {
		t.Errorf("as JSON: %v, %s", err, text)
	}
	small := make([]battery.Value, 100)
	if n := testing.AllocsPerRun(10, func() { battery.PackValues(small...) }); n > 1 {
		t.Errorf("packing a hundred small numbers allocates %v times", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("a value behind the last is returned")
		}
	}()
	v.At(len(list))
}
