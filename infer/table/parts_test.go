package table

import (
	"testing"

	"achilles/sim/rng"
)

// TestHeldHasNoLinks compares held with the search for links in random tables, of which some have three subjects with all items.
func TestHeldHasNoLinks(t *testing.T) {
	held, loose := 0, 0
	for seed := range uint64(300) {
		r := rng.Stream(seed, "held")
		x := &Table{Subjects: make([]string, 4+r.IntN(6)), Items: make([]string, 2+r.IntN(5))}
		dense := r.Float64()
		for s := range x.Subjects {
			for i := range x.Items {
				if r.Float64() < dense || s < int(4*dense) {
					x.Subject, x.Item = append(x.Subject, int32(s)), append(x.Item, int32(i))
				}
			}
		}
		g := x.graph()
		links := len(g.cuts(-1))
		for v := range g.to {
			links += len(g.cuts(v))
		}
		switch {
		case g.held() && links > 0:
			t.Errorf("seed %d: %d links in a table that is held together", seed, links)
		case g.held():
			held++
		case links > 0:
			loose++
		}
	}
	if held < 30 || loose < 15 {
		t.Errorf("%d tables held together and %d with links: the test compares too few", held, loose)
	}
}
