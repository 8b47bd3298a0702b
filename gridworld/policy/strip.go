package policy

import "achilles/gridworld"

// A strip is a straight line of coloured floor that leads from beside a place away from the actor. Who pulls it brings what lies on it to the
// place, unless there is a gap between (the tool properties of Herrmann et al. 2007).

// stripReach is by how many cells beside a strip something may lie that does not come with it.
const stripReach = 1

// findStrips finds the strips, and which of their cells lead to a place.
func (r *Room) findStrips() {
	r.strips, r.pulled = gridworld.Board{}, gridworld.Board{}
	ahead, aside := r.start.Heading, r.start.Heading.Turn(2)
	for _, p := range r.places {
		if !r.onStrip(p.Add(ahead)) {
			continue
		}
		whole, gap := true, 0
		for q := p.Add(ahead); r.layout.Inside(q) && gap < 2; q = q.Add(ahead) {
			if gap++; r.onStrip(q) {
				gap = 0
			}
			if whole = whole && gap == 0; whole {
				r.pulled.Set(q)
			}
			r.strips.Set(q)
			for k, left, right := 0, q, q; k < stripReach; k++ {
				left, right = left.Add(aside.Turn(4)), right.Add(aside)
				r.strips.Set(left)
				r.strips.Set(right)
			}
		}
	}
}

// onStrip says whether p is a cell of a strip.
func (r *Room) onStrip(p gridworld.Pos) bool {
	if !r.layout.Inside(p) {
		return false
	}
	c := r.layout.At(p)
	_, _, _, coloured := c.Colour.RGB()
	return c.Kind == gridworld.Floor && coloured
}

// leaves says whether a reward that vanished at p stays where no actor can go when strips are pulled: beside a strip, or beyond its gap.
func (r *Room) leaves(p gridworld.Pos) bool { return r.strips.Has(p) && !r.pulled.Has(p) }
