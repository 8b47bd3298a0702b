package table

import (
	"math"
	"slices"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestCoinsAreNotReversed draws tables of twelve items, of which one is a coin, another has its key reversed: the reversed one is named, and the coin, which
// lies too low beside items of a Rasch model, at most as often as its correlation is below 0 by 1.2816 standard errors. More than 4 of 20 have a probability of .04.
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
		coins, reversed = coins+names(j, "i03"), reversed+names(j, "i07")
	}
	if coins > 4 || reversed < 20 {
		t.Errorf("coins are named in %d of 20 tables, reversed items in %d", coins, reversed)
	}
}

// TestReversedRatings draws tables of 60 subjects and ten items of five ordered categories, of which one is a coin and another reversed, with
// a correlation near −.3: that one is named in at least 17 of 20 (below 0 by Bonferroni's limit it is in 6), and the coin in at most 4 (TestCoinsAreNotReversed).
func TestReversedRatings(t *testing.T) {
	coins, reversed := 0, 0
	for seed := range uint64(20) {
		d := answered(501+seed, 60, 10, 5, func(ability, _ float64, item, _ int, r *rng.Rand) int {
			slope := 1.0
			switch item {
			case 3:
				slope = 0
			case 7:
				slope = -1
			}
			return int(math.Round(2 + slope*ability + 1.7*r.Norm()))
		})
		j, err := Judge(d, "success")
		if err != nil {
			t.Fatal(err)
		}
		coins, reversed = coins+names(j, "q3"), reversed+names(j, "q7")
	}
	if coins > 4 || reversed < 17 {
		t.Errorf("coins are named in %d of 20 tables, reversed items in %d", coins, reversed)
	}
}

// names returns 1 if an item is called reversed, otherwise 0.
func names(j *Judgement, item string) (n int) {
	for _, f := range j.Findings {
		if f.Kind == Reversed && slices.Contains(f.Names, item) {
			n = 1
		}
	}
	return n
}
