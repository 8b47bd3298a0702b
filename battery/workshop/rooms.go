// Package workshop has what generators of worlds share: rooms that do not tell which of their places is right, and how items are made
// of candidates.
package workshop

import "achilles/sim/rng"

// A Spot is a cell of a plan, relative to the start of the actor, which looks north: X to the east, Y to the north.
type Spot struct{ X, Y int }

// Plus returns the spot that is x cells to the east and y to the north of p.
func (p Spot) Plus(x, y int) Spot { return Spot{p.X + x, p.Y + y} }

// Away returns the distance from the start without diagonals.
func (p Spot) Away() int { return max(p.X, -p.X) + max(p.Y, -p.Y) }

// Side returns −1 for a spot on the left, 0 ahead, 1 on the right.
func (p Spot) Side() int { return max(-1, min(1, p.X)) }

// Rooms are ways to lay out places, and how likely each is for an item whose right place is a certain one of them.
//
// A design says how far the right place is and on which side, and nobody should find it by that: if the other places were laid out
// around the right one, it would be the one at a usual distance, most often straight ahead, and seldom the farthest. So rooms are
// drawn such that, over a design, every place of a room is right equally often, as far as the levels of the design allow.
type Rooms struct {
	List   [][]Spot
	chance [][]float64 // by room and place
}

// Flat returns the rooms of a list for a design. wanted says how often, up to a factor, the right place is at a spot; 0: never. The
// chance of every room and place is fitted, in turn, to be equal for the places of a room and to have that sum over all places at spots
// that are wanted alike (Deming and Stephan 1940). Rooms with places at spots that are never wanted are avoided.
func Flat(list [][]Spot, wanted func(Spot) (kind int, share float64)) *Rooms {
	const rounds = 60
	r := &Rooms{List: list}
	kinds := make([][]int, len(list))
	var shares []float64
	for i, room := range list {
		r.chance = append(r.chance, make([]float64, len(room)))
		kinds[i] = make([]int, len(room))
		for k, p := range room {
			kind, share := wanted(p)
			for len(shares) <= kind {
				shares = append(shares, 0)
			}
			kinds[i][k] = kind
			if shares[kind] = share; share > 0 {
				r.chance[i][k] = 1
			}
		}
	}
	sums := make([]float64, len(shares))
	for round := range rounds {
		clear(sums)
		for i, row := range r.chance {
			n, sum := 0, 0.0
			for _, x := range row {
				if x > 0 {
					n, sum = n+1, sum+x
				}
			}
			if n == 0 {
				continue
			}
			mean := sum / float64(n)
			if round < rounds/2 {
				mean = float64(mean*float64(n)) / float64(len(row))
			}
			for k, x := range row {
				if x > 0 {
					row[k] = mean
					sums[kinds[i][k]] += mean
				}
			}
		}
		for i, row := range r.chance {
			for k, x := range row {
				if x > 0 {
					row[k] = x / sums[kinds[i][k]] * shares[kinds[i][k]]
				}
			}
		}
	}
	return r
}

// Draw draws a room and which of its places is right, among those that may be. It returns no room if there is none.
func (r *Rooms) Draw(random *rng.Rand, may func(k int, p Spot) bool) (room []Spot, k int) {
	sum := 0.0
	for i, room := range r.List {
		for k, p := range room {
			if r.chance[i][k] > 0 && may(k, p) {
				sum += r.chance[i][k]
			}
		}
	}
	left := float64(random.Float64() * sum)
	for i, room := range r.List {
		for k, p := range room {
			if r.chance[i][k] > 0 && may(k, p) {
				if left -= r.chance[i][k]; left <= 0 {
					return room, k
				}
			}
		}
	}
	return nil, 0
}
