package mml

import (
	"math"
	"testing"
)

// TestPairsOfFew checks that few subjects on many items give no p-values of pairs: of 4950 pairs, the normal approximation finds some
// "beyond chance" in nearly each table of 15 subjects that follows the model. With a thousand subjects most pairs have one.
func TestPairsOfFew(t *testing.T) {
	for _, c := range []struct {
		subjects, items int
		least, most     float64 // share of the pairs that have a p-value
	}{{15, 100, 0, 0}, {1000, 8, 0.9, 1}} {
		for seed := range uint64(3) {
			d, _ := drawn(501+seed, Rasch, c.subjects, c.items, 2)
			f := estimated(t, d, Settings{Model: Rasch})
			pairs := f.Pairs(f.Scores(), nil)
			known := 0.0
			for _, p := range pairs {
				if !math.IsNaN(p.P) {
					known++
				}
			}
			if share := known / float64(len(pairs)); share < c.least || share > c.most {
				t.Errorf("%d × %d, seed %d: %.2f of the pairs have a p-value, want %v to %v", c.subjects, c.items, 501+seed, share, c.least, c.most)
			}
		}
	}
}
