package compare_test

import (
	"math"
	"testing"

	"achilles/infer/compare"
)

// Two rivals at even odds that give an item 0.9 and 0.1: its response tells 1 − H(0.9) = 0.531 bits; one on which they
// agree tells nothing and is not named.
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
