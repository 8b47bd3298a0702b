package table

import (
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestCoinsAreNotReversed draws tables of twelve items, of which one is a coin, another has its key reversed: the reversed one is named, and the coin, which
// lies too low beside items of a Rasch model, at most as often as its correlation is below 0 by 1.645 standard errors. More than 4 of 20 have a probability of .003.
func TestCoinsAreNotReversed(t *testing.T) {
	coins, reversed := 0, 0
	for seed := range uint64(20) {
		r := rng.Stream(501+seed, "coins")
		able, last := 0.0, -1
		j, err := Judge(judged(200, 12, seed, func(s, i int) float64 {
			if s != last {
				able, last = r.Norm(), s
			}
			switch i {
			case 3:
				return 0.5
			case 7:
				return num.Logistic(-1.5 * able)
			}
			return num.Logistic(1.5*able + float64(i)/4 - 1.5)
		}), "success")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range j.Findings {
			for _, name := range f.Names {
				switch {
				case f.Kind != Reversed:
				case name == "i03":
					coins++
				case name == "i07":
					reversed++
				}
			}
		}
	}
	if coins > 4 || reversed < 20 {
		t.Errorf("coins are named in %d of 20 tables, reversed items in %d", coins, reversed)
	}
}
