package compare_test

import (
	"math"
	"testing"

	"achilles/infer/compare"
)

// TestTiesByHand checks the information in responses by hand. Two rivals have weight ½ each. For an item that they pass with
// probability 0.9 and 0.1, the response has 1 − H(0.9) = 0.531 bits about which rival is right. An item for which they have the
// same probability has no information and is not named.
func TestTiesByHand(t *testing.T) {
	it := battery(3)
	bank, _ := shipped(t, battery(60))
	kept := []*compare.Fitted{{Entry: &bank.Entries[0]}, {Entry: &bank.Entries[2]}}
	got := compare.TiesOf(it, kept, []float64{0.5, 0.5}, [][]float64{{0.7, 0.9, 0.7}, {0.7, 0.1, 0.4}})
	if len(got) != 2 || got[0].Item != "i-1001" || math.Abs(got[0].Information-0.5310) > 1e-4 || got[1].Item != "i-1002" {
		t.Errorf("%+v", got)
	}
	if b := got[0].Between; len(b) != 2 || b[0] != "constant" || b[1] != "lava" {
		t.Errorf("between %v", b)
	}
}
