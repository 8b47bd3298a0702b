package gridworld

import "math/bits"

// Sightlines remember which of some watched cells are in sight from which cell, in a world whose cells do not change. The zero Sightlines
// is ready for Watch. They are for one goroutine at a time; views that were taken with them are valid until the next Watch.
type Sightlines struct {
	width   int
	watched []Pos
	known   Board    // the cells from which it is known which are in sight
	from    []uint64 // by cell from which it is known: the watched cells in sight, one bit each
	palette []paint  // copies of the world's, for View.Cell
	cells   []uint8
}

// Watch prepares s for a set of cells of w and of worlds with the same cells. It returns false if s cannot remember them: because there
// are more than 64 of them, or because a cell of the world can vanish.
func (s *Sightlines) Watch(w *World, watched *Board) bool {
	s.watched, s.width = s.watched[:0], w.width
	for y := range w.height {
		for row := watched[y] & w.inside(); row != 0; row &= row - 1 {
			s.watched = append(s.watched, Pos{bits.TrailingZeros64(row), y})
		}
		if w.planes[planeOpening][y] != 0 || len(s.watched) > 64 {
			return false
		}
	}
	s.known = Board{}
	if n := w.width * w.height; cap(s.from) < n {
		s.from = make([]uint64, n)
	} else {
		s.from = s.from[:n]
	}
	s.palette, s.cells = append(s.palette[:0], w.palette...), append(s.cells[:0], w.cells...)
	return true
}

// view adds to v.Seen the watched cells that are in sight, as World.watch does.
func (s *Sightlines) view(w *World, viewer Viewer, v *View) {
	a := &w.actor
	at := a.Pos.Y*s.width + a.Pos.X
	if !s.known.Has(a.Pos) {
		s.known.Set(a.Pos)
		s.from[at] = s.find(w)
	}
	for set := s.from[at]; set != 0; set &= set - 1 {
		if p := s.watched[bits.TrailingZeros64(set)]; inView(viewer.HalfAngle, a.Heading, p.X-a.Pos.X, p.Y-a.Pos.Y) {
			v.Seen.Set(p)
		}
	}
	v.watched, v.lines = true, s
}

// find returns the watched cells in sight of the actor of w.
func (s *Sightlines) find(w *World) (set uint64) {
	var all, seen Board
	for _, p := range s.watched {
		all.Set(p)
	}
	w.sight(&all, &seen)
	for i, p := range s.watched {
		if seen.Has(p) {
			set |= 1 << uint(i)
		}
	}
	return set
}
