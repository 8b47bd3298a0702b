package generate_test

import (
	"math"
	"testing"

	"achilles/battery/bib"
	"achilles/gridworld/lattice"
)

// TestConstrainedEpisodes checks that the actor goes to the preferred object in exactly three familiarisation trials, those in which
// it can, never in the last one, and that in the test trials, which have the same walls, the preferred object is farther and its way
// less straight.
func TestConstrainedEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Natural, bib.Telling} {
		eachPair(t, bib.ConstrainedPreference, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
			free := 0
			for k, s := range f {
				_, can := s.way(s.start(), true).Cost(s.object(0))
				goal := 1
				if can {
					free++
					goal = 0
				}
				if !touches(s.end(), s.object(goal)) || can && k == 7 {
					fail("familiarisation trial %d: it can reach the preferred object: %v", k, can)
				}
			}
			if free != 3 {
				fail("%d free choices", free)
			}
			if !touches(x.end(), x.object(0)) || !touches(u.end(), u.object(1)) || x.object(0) != u.object(0) || x.object(1) != u.object(1) {
				fail("the outcomes do not end where they should, or differ in more")
			}
			if preferredNearer(fail, x) != "farther" {
				fail("the preferred object is the nearer one")
			}
			if bent(x) <= bent(u) {
				fail("the expected way is as straight as the other one")
			}
		})
	}
}

// bent returns the length of a walk as a multiple of the straight line between its ends.
func bent(s *shown) float64 {
	way := 0
	for i := range s.track[1:] {
		way += lattice.Octile(s.track[i], s.track[i+1])
	}
	return lattice.Length(way) / math.Sqrt(float64(lattice.Square(s.start(), s.end())))
}
