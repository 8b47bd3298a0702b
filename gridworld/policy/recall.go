package policy

import (
	"math/bits"

	"achilles/gridworld"
)

// In a maze in which some arms never have a reward, working memory keeps a subject from an arm that has been emptied, and
// reference memory from one that never had a reward (Olton and Papas 1979).

// taken says whether the agent saw the reward being taken away: it moved, came to rest in the open, and vanished there.
func (t *trace) taken() bool { return t.lasted > 0 && t.shifted }

// recalls decides whether the agent remembers from which places it saw rewards taken, and in which it saw none. If not, it
// goes to one of those.
func (a *choice) recalls() bool {
	emptied, unbaited := a.useless()
	for _, x := range []struct {
		places uint64
		most   float64
	}{{emptied, a.Visits}, {unbaited, a.Unbaited}} {
		if n := bits.OnesCount64(x.places); n > 0 && float64(n) > x.most {
			a.stray(a.room.places[member(x.places, a.draws.IntN(n))])
			return false
		}
	}
	return true
}

// useless returns the places of which all rewards were taken, and those in which the agent has never seen a reward, one bit
// each. A reward belongs to the place nearest to where it was last seen. An agent that has seen one reward only
// distinguishes no places.
func (a *memory) useless() (emptied, unbaited uint64) {
	baited, full, known := uint64(0), uint64(0), 0
	for i := range a.traces {
		t := &a.traces[i]
		k := a.nearestTo(t.thing.Pos)
		if !t.known || k == NoPlace {
			continue
		}
		known++
		baited |= 1 << uint(k)
		if !t.taken() {
			full |= 1 << uint(k)
		}
	}
	if known < 2 {
		return 0, 0
	}
	for k := range min(len(a.room.places), maxPlaces) {
		unbaited |= 1 << uint(k)
	}
	return baited &^ full, unbaited &^ baited
}

// nearestTo returns the index of the place nearest to p, without diagonals, or NoPlace if the room has none.
func (a *memory) nearestTo(p gridworld.Pos) int {
	best := NoPlace
	for k, q := range a.room.places[:min(len(a.room.places), maxPlaces)] {
		if best == NoPlace || q.Manhattan(p) < a.room.places[best].Manhattan(p) {
			best = k
		}
	}
	return best
}

// member returns element i of a set of indices, in increasing order.
func member(set uint64, i int) int {
	for range i {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}
