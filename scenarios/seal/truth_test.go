package seal_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"achilles/scenarios/seal"
)

// TestEncodeIsJSON checks that the text of a truth, whose items are written one by one, is what the encoder of the standard
// library makes of the whole.
func TestEncodeIsJSON(t *testing.T) {
	x := seal.New(7)
	x.Scenario, x.Published = "items = \"\n \\\"items\\\": {}\"", json.RawMessage(`{"items":{},"more":{"items":{}}}`)
	x.Parameters = map[string]map[string]float64{"items": {}}
	for n, it := range []seal.Item{
		{}, {Name: "plain"}, {Name: "ü"}, {Name: "\"a\\b\""}, {Name: "asked", Answer: "<"}, {Name: "one <&>", Labels: []seal.Label{{Pair: 1, Trial: 2, Name: "a", Outcome: "expected"}}}, {Name: "two", Answer: "b"},
	} {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		if err := e.Encode(x); err != nil {
			t.Fatal(err)
		}
		if got, err := x.Encode(); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%d items: %v\n%s\nwant\n%s", n, err, got, want.Bytes())
		}
		x.Items["i-"+string(rune('c'-n))] = it
	}
}
