package bib

import "achilles/gridworld/lattice"

// What Measured motion draws, from the 29 different trials of the benchmark's published episodes (docs/theory/bib.md): the
// distance at which an actor stops, which depends on shapes and directions there, and ways that are slightly too long.
const (
	contactLeast = 9 // pixels between centres; the draw adds a number of heads of contactCoins fair coins
	contactCoins = 6

	maxDetour   = 7 * pixel / 2 // cost by which a way may be longer than the shortest one
	detourOdds  = 14            // one way in so many passes a place off the shortest way
	detourReach = 8             // pixels in x and y between this place and the shortest way
)

// fresh draws how actors move in trial t, and returns t.
func (d *draft) fresh(t *trial) *trial {
	if d.design.Motion == Measured {
		t.contact, t.via = d.contact(), nil
	}
	return t
}

// contact draws the distance between centres at which the actor touches a thing.
func (d *draft) contact() int {
	c := contactLeast
	for range contactCoins {
		c += d.IntN(2)
	}
	return c
}

// stray makes one in detourOdds walks of Measured motion slightly too long: by more than 0 and at most maxDetour. A walk
// stays as it is if no such way is found, or if it has an errand with a key.
func (d *draft) stray(t *trial, wants ...int) {
	if d.design.Motion != Measured || d.IntN(detourOdds) != 0 || t.walk.Took >= 0 || t.walk.Excess > 0 {
		return
	}
	s := d.problem(t, wants...)
	goal, straight := s.Things[t.walk.Thing], t.walk
	ways, back := d.waysFrom(t.shut(), t.start), d.waysFrom(t.shut(), goal)
	for range 20 {
		p := straight.Track[d.IntN(len(straight.Track))].Add(lattice.Point{X: d.IntN(2*detourReach+1) - detourReach, Y: d.IntN(2*detourReach+1) - detourReach})
		there, ok := ways.Cost(p)
		rest, also := back.Cost(p)
		if extra := there + rest - cost(ways, goal); !ok || !also || extra <= 0 || extra > maxDetour || !farFrom(p, contactLeast+contactCoins, goal) {
			continue
		}
		if t.via = &p; d.repeat(t, wants...) {
			return
		}
		break
	}
	t.via, t.walk = nil, straight
}
