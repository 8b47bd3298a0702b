package worlds

import (
	"slices"

	"achilles/sim/rng"
)

// wanted are the levels of a design for the right place: its distances in cells and its sides. A level that stands twice is used twice as
// often.
type wanted struct {
	distances, sides []int
	within           func(spot) bool // says where the right place can be at all; nil: everywhere
}

// Rooms are ways to lay out places, and how likely each is for an item whose right place is a certain one of them.
//
// A design says how far the right place is and on which side, and nobody should find it by that: if the other places were laid out
// around the right one, it would be the one at a usual distance, most often straight ahead, and seldom the farthest. So rooms are
// drawn such that, over a design, every place of a room is right equally often, as far as the levels of the design allow.
type rooms struct {
	list  [][]spot
	all   []choice // room by room
	right [][]int  // by kind: the indices of choices
}

// kindOf returns the kind of the spots at a distance and on a side.
func kindOf(away, side int) int { return 3*away + side + 1 }

// A choice is a room and the index of its right place.
type choice struct {
	room, k int
	chance  float64
}

// Rooms returns the rooms of a list for a design. The chance of every room and place is fitted, in turn, to be equal for the places of
// a room, and to have the sum over all places of a distance and side that the levels say (Deming and Stephan 1940). Rooms with places
// that are never right are avoided.
func (l wanted) rooms(list [][]spot) *rooms {
	const rounds, avoiding = 40, 8
	kinds := kindOf(slices.Max(l.distances), 1) + 1
	r, shares := &rooms{list: list, right: make([][]int, kinds)}, make([]float64, kinds)
	for _, away := range l.distances {
		for _, side := range l.sides {
			shares[kindOf(away, side)]++
		}
	}
	for i, room := range list {
		for k, p := range room {
			if kind := kindOf(p.away(), p.side()); kind < kinds && shares[kind] > 0 && (l.within == nil || l.within(p)) {
				r.right[kind] = append(r.right[kind], len(r.all))
				r.all = append(r.all, choice{i, k, 1})
			}
		}
	}
	for round := range rounds {
		for from := 0; from < len(r.all); {
			to, sum := from, 0.0
			for ; to < len(r.all) && r.all[to].room == r.all[from].room; to++ {
				sum += r.all[to].chance
			}
			mean := sum / float64(to-from)
			if round < avoiding {
				mean = sum / float64(len(list[r.all[from].room]))
			}
			for ; from < to; from++ {
				r.all[from].chance = mean
			}
		}
		for kind, choices := range r.right {
			sum := 0.0
			for _, j := range choices {
				sum += r.all[j].chance
			}
			for _, j := range choices {
				r.all[j].chance = r.all[j].chance / sum * shares[kind]
			}
		}
	}
	return r
}

// draw draws a room and which of its places is right: one at a distance and on a side, among those whose index may be. It returns no room
// if there is none.
func (r *rooms) draw(random *rng.Rand, away, side int, may func(k int) bool) (room []spot, k int) {
	choices, sum := r.right[kindOf(away, side)], 0.0
	for _, j := range choices {
		if may(r.all[j].k) {
			sum += r.all[j].chance
		}
	}
	left := float64(random.Float64() * sum)
	for _, j := range choices {
		if c := &r.all[j]; may(c.k) {
			if left -= c.chance; left <= 0 {
				return r.list[c.room], c.k
			}
		}
	}
	return nil, 0
}
