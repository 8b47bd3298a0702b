package permanence

// planDetour plans an item of detour (Köhler 1925): the reward falls into a well beyond a barrier, and every way round it
// leads away from the reward first. A subject that does not go away from where it wants to go stays before the barrier.
// The load is by how many cells one has to. The barrier is a fence, a corner or a cup around the actor; in congruent
// items it has a door on the way.
func planDetour(d *draft) bool {
	if !d.wellsInRow() || !d.barrier() {
		return false
	}
	e := &d.event
	e.begin(d.wells[d.right].spot)
	e.rest(d.wells[d.right].spot)
	e.wait(1)
	return true
}

// barrier lays a wall across the way to the right well. One end of it is `over` cells outside the columns through which the
// shortest ways lead, and the other end farther out. A cup has legs at both ends, which reach `legs` rows behind the
// actor, and a corner has one at the far end. barrier returns false if the actor would stand in it.
func (d *draft) barrier() bool {
	to := d.wells[d.right]
	row := 1 + d.IntN(to.y-leastAhead+1) // at least three rows before the wells, which take walls beside them for tubes
	over, legs, far := d.loads[0], d.IntN(3), 1+d.IntN(3)
	shape := d.IntN(3)
	if shape == cup {
		if legs = d.IntN(d.loads[0]); legs == d.loads[0]-1 {
			return false
		}
		over -= legs + 1
	}
	near := min(0, to.x) - over + 1
	west, east := near, max(0, to.x)+over-1+far
	farX := east
	if d.IntN(2) == 0 {
		near = max(0, to.x) + over - 1
		west, east = min(0, to.x)-over+1-far, near
		farX = west
	}
	if shape == cup && (west >= 0 || east <= 0) {
		return false
	}
	wall := line(nil, spot{west, row}, spot{east, row})
	if shape != fence {
		wall = line(wall, spot{farX, row - 1}, spot{farX, -legs})
	}
	if shape == cup {
		wall = line(wall, spot{near, row - 1}, spot{near, -legs})
	}
	door := spot{min(0, to.x) + d.IntN(max(to.x, -to.x)+1), row}
	paint := d.colours()[0]
	for _, p := range wall {
		if !d.congruent || p != door {
			d.pieces = append(d.pieces, piece{p, paint})
		}
	}
	return true
}

// The shapes of barriers.
const (
	fence = iota
	corner
	cup
)
