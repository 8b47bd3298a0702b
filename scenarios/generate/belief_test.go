package generate_test

import (
	"slices"
	"testing"

	"achilles/battery/bib"
	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// TestBeliefEpisodes checks, from the frames alone, what happens before the actor of a test trial sets out: what it sees of objects and
// covers, where the objects are then, and where it goes. Object 0 is the preferred one.
func TestBeliefEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Natural, bib.Telling} {
		for _, task := range bib.Beliefs() {
			count := counts{}
			eachPair(t, task, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
				for k, s := range f {
					if !touches(s.end(), s.object(0)) || len(s.Changes) > 0 || s.Scene.Away {
						fail("familiarisation trial %d: not a free choice of the preferred object", k)
					}
				}
				count[e.Variant]++
				seen, really := hidden(fail, x)
				seenU, reallyU := hidden(fail, u)
				if !slices.Equal(really, reallyU) {
					fail("objects are elsewhere in the other outcome")
				}
				switch task {
				case bib.FalseBelief, bib.TrueBelief, bib.UnseenReturn:
					if !touches(x.end(), seen[0]) || touches(u.end(), seen[0]) || !slices.Equal(seen, seenU) {
						fail("it goes elsewhere than it should")
					}
					if knows := slices.Equal(seen, really); knows != (task != bib.FalseBelief) {
						fail("it knows where the objects are: %v", knows)
					}
				default:
					// one of the two saw the objects: as often that of which the way is expected, so that having been away tells nothing
					saw, goal := "the unexpected saw", really[1]
					if seen != nil {
						saw, goal = "the expected saw", really[0]
					}
					count[saw]++
					if (seen == nil) == (seenU == nil) || !samePath(x, u) || !touches(x.end(), goal) {
						fail("expected: it saw %v; unexpected: %v, %v; really %v", seen, seenU, samePath(x, u), really)
					}
				}
				if moved := !slices.Equal(centres(&x.Scene.Objects), really); moved != (task == bib.FalseBelief || task == bib.TrueBelief) {
					fail("objects have moved: %v", moved)
				}
			})
			count.balanced(t, "place nearer", "place farther")
			if task == bib.IgnorantActor {
				count.balanced(t, "the unexpected saw", "the expected saw")
			}
		}
	}
}

// hidden returns where the actor saw the objects last, nil if it did not, and where they are when it sets out, all under covers.
func hidden(fail complaint, s *shown) (seen, really []lattice.Point) {
	first := slices.IndexFunc(s.track, func(p lattice.Point) bool { return p != s.track[0] }) - 1
	for f := range first + 1 {
		now := s.At(f)
		before := really
		really = centres(&now.Objects)
		if !now.Away && (len(now.Covers) == 0 || !slices.Equal(really, before)) {
			seen = really
		}
	}
	now := s.At(first)
	for _, p := range really {
		if now.Away || !slices.ContainsFunc(now.Covers, func(r record.Rect) bool { return int(r.X)+10 == p.X && int(r.Y)+10 == p.Y }) {
			fail("when it sets out there is no cover over %v, or it is away", p)
		}
	}
	return seen, really
}

func centres(list *[]record.Shape) (all []lattice.Point) {
	for _, s := range *list {
		all = append(all, centre(s))
	}
	return all
}
