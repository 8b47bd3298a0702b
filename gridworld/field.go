package gridworld

// A Field has the number of legal steps from every cell to the nearest of some goals. No path leads through a hole or
// lava, or the wrong way over a ledge or a one-way ramp. Turns are not counted; see TurnField. The zero Field is ready
// for use, and a Field may be used again. It refers to the world for which it was computed, and is invalid once a cell
// of that world changes.
//
// A Field is computed by flooding: a front of cells spreads from the goals, one step at a time, as rows of bits. What is kept
// are the first steps of shortest paths.
type Field struct {
	Avoid *Board // cells not to enter, as if they were walls; nil: none

	moves  *moves
	masked moves
	rows   int // best and seen are empty in the rows from this one on
	levels int
	seen   Board
	front  Board
	best   [Directions]Board // best[d] has the cells from which the step in direction d is on a shortest path
}

// Toward computes the field of w for the goals, and returns the greatest finite distance.
func (f *Field) Toward(w *World, goals *Board) int {
	f.compute(w, goals, Nowhere())
	return f.levels
}

// Until computes the field only up to the cell `from`, and returns the distance from there, in steps. Every cell nearer
// to the goals is in the field too. It returns false if no goal can be reached from there.
func (f *Field) Until(w *World, goals *Board, from Pos) (int, bool) {
	if !w.Inside(from) {
		return 0, false
	}
	f.compute(w, goals, from)
	return f.levels, f.seen.Has(from)
}

// compute floods w from the goals that can be entered, until it has reached the cell `until` or every cell that it can
// reach.
func (f *Field) compute(w *World, goals *Board, until Pos) {
	f.moves, f.levels = w.ready(), 0
	if f.Avoid != nil {
		f.masked.without(f.moves, f.Avoid)
		f.moves = &f.masked
	}
	m, rows := f.moves, max(f.rows, f.moves.rows)
	f.rows = m.rows
	for d := range f.best {
		clear(f.best[d][:rows])
	}
	clear(f.seen[m.rows:rows])
	lo, hi := MaxSide, -1 // the first and the last row of the front
	for y := range m.rows {
		s := goals[y] & m.enter[y]
		f.seen[y], f.front[y] = s, s
		if s != 0 {
			lo, hi = min(lo, y), y
		}
	}
	for lo <= hi && !f.seen.Has(until) {
		if lo, hi = f.spread(max(lo-1, 0), min(hi+1, m.rows-1)); lo <= hi {
			f.levels++
		}
	}
}

// Distance returns the number of steps from p to the nearest goal; ok is false if none can be reached. It walks the path.
func (f *Field) Distance(p Pos) (steps int, ok bool) {
	if !f.seen.Has(p) {
		return 0, false
	}
	for s := f.Descents(p); s != 0; s = f.Descents(p) {
		p = p.Add(s.First())
		if steps++; steps > f.levels {
			panic("gridworld: the world of a field has changed")
		}
	}
	return steps, true
}

// Descents returns the directions of first steps on shortest paths from p; none if p is a goal or no goal can be
// reached.
func (f *Field) Descents(p Pos) Dirs {
	if !f.seen.Has(p) {
		return 0
	}
	var s Dirs
	for d := range f.best {
		s |= Dirs(f.best[d][p.Y]>>uint(p.X)&1) << d
	}
	return s
}
