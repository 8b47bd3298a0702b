package policy

import "achilles/gridworld"

// A reward lies under no cover that is smaller than it, and has passed through no opening that is narrower (Uzgiris and
// Hunt 1975; Baillargeon 1987). An opening is a gap in a line of coloured occluders; a hole beside it is reached through
// it alone.

// widest is the largest number of cells of an opening.
const widest = 3

// findOpenings finds, for every place, the opening beside it.
func (r *Room) findOpenings() {
	r.openings, r.opens = cleared(r.openings, len(r.places)), false
	for k, p := range r.places {
		if r.layout.At(p).Kind != gridworld.Hole {
			continue
		}
		for d := gridworld.North; d < gridworld.Directions && r.openings[k] == 0; d += 2 {
			r.openings[k] = r.gap(p.Add(d), d.Turn(2))
		}
		r.opens = r.opens || r.openings[k] > 0
	}
}

// admitting returns the places in which a reward out of sight can lie, one bit each, as far as an agent with parameters p
// reckons with sizes. A reward that was seen to go under a cover fits under covers.
func (a *reasoning) admitting(t *trace, p *Parameters) uint64 {
	set, size := every, t.thing.Size
	if p.Openings && a.room.opens {
		for k, cells := range a.room.openings[:min(len(a.room.openings), maxPlaces)] {
			if cells > 0 && float64(size) > float64(cells)*a.room.units.PerCell*100 {
				set &^= 1 << uint(k)
			}
		}
	}
	if t.by >= 0 || t.moves > 0 {
		return set
	}
	if raised := a.raised(); p.Boards && raised != 0 {
		set &= raised
	}
	if !p.Sizes {
		return set
	}
	for i := range a.view.Things {
		cover := &a.view.Things[i]
		if cover.Kind != gridworld.Shape || cover.Size >= size {
			continue
		}
		if k := a.room.index(cover.Pos); k != NoPlace {
			set &^= 1 << uint(k)
		}
	}
	return set
}

// raised returns the places over which a board stands out, while the boards on others lie flat on them, one bit each. A board is a shape of
// that name.
func (a *reasoning) raised() (set uint64) {
	for i := range a.view.Things {
		board := &a.view.Things[i]
		if board.Kind != gridworld.Shape || board.Name != "board" {
			continue
		}
		if k := a.room.index(board.Pos.Add(a.room.start.Heading.Turn(4))); k != NoPlace && !a.room.watch.Has(board.Pos) {
			set |= 1 << uint(k)
		}
	}
	return set
}
