package gridworld

// A Field has the number of steps from every cell to the nearest of some goals, along legal steps: over no ledge or
// one-way ramp the wrong way, through no hole or lava. Turns are not counted; see TurnField. The zero Field is ready
// for use and to be used again. It refers to the world it was computed for, and is void once a cell of it changes.
//
// The flood works on rows of bits. On level ground neighbouring distances differ by one at most, so distances are kept
// modulo 3 in three planes; on uneven ground a step down may lead far from the goal, so the best steps are kept.
type Field struct {
	Avoid *Board // cells not to enter, as if they were walls; nil: none

	moves  *moves
	masked moves
	rows   int // rows that may hold something
	levels int
	seen   Board
	front  Board
	plane  [3]Board          // level ground: the cells at distance 0, 1, 2 modulo 3
	best   [Directions]Board // uneven ground: the cells from which that step is on a shortest path
}

// Toward computes the field of w towards goals, and returns the greatest finite distance.
func (f *Field) Toward(w *World, goals *Board) int {
	f.start(w, goals)
	f.flood(MaxSide, 0)
	return f.levels
}

// Until computes the field only as far as from, and returns the distance from there. Every cell nearer to the goals
// than from is in the field. It returns false when no goal can be reached from there.
func (f *Field) Until(w *World, goals *Board, from Pos) (int, bool) {
	f.start(w, goals)
	if !w.Inside(from) {
		return 0, false
	}
	if !f.seen.Has(from) {
		f.flood(from.Y, from.X)
	}
	return f.levels, f.seen.Has(from)
}

// start clears the field and seeds it with the goals that can be entered.
func (f *Field) start(w *World, goals *Board) {
	f.moves = w.ready()
	if f.Avoid != nil {
		f.masked.without(f.moves, f.Avoid)
		f.moves = &f.masked
	}
	m := f.moves
	rows := max(f.rows, m.rows)
	f.rows, f.levels = m.rows, 0
	for k := range f.plane {
		clear(f.plane[k][:rows])
	}
	if !m.level {
		for d := range f.best {
			clear(f.best[d][:rows])
		}
	}
	clear(f.seen[m.rows:rows])
	for y := range m.rows {
		s := goals[y] & m.enter[y]
		f.seen[y], f.front[y], f.plane[0][y] = s, s, s
	}
}

// flood spreads the front until it is used up or has come to column x of row y.
func (f *Field) flood(y, x int) {
	lo, hi := f.span(0, f.moves.rows-1)
	for lo <= hi {
		plane := &f.plane[(f.levels+1)%3]
		from, to := max(lo-1, 0), min(hi+1, f.moves.rows-1)
		switch {
		case !f.moves.level:
			lo, hi = f.spreadUneven(from, to)
		case f.moves.eight:
			lo, hi = f.spreadEight(plane, from, to)
		default:
			lo, hi = f.spreadFour(plane, from, to)
		}
		if lo > hi {
			return
		}
		f.levels++
		if y < MaxSide && f.seen[y]>>uint(x)&1 != 0 {
			return
		}
	}
}

// span returns the first and last row from … to of the front that is not empty; lo > hi when all are.
func (f *Field) span(from, to int) (lo, hi int) {
	lo, hi = MaxSide, -1
	for y := from; y <= to; y++ {
		if f.front[y] != 0 {
			lo, hi = min(lo, y), y
		}
	}
	return lo, hi
}

// Distance returns the number of steps from p to the nearest goal; ok is false where there is no way.
// It walks the path: the field itself knows distances only up to their neighbours.
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

// Descents returns the directions in which a step from p is the first of a shortest path; none at a goal, and none
// where there is no way.
func (f *Field) Descents(p Pos) Dirs {
	if !f.seen.Has(p) {
		return 0
	}
	var s Dirs
	if !f.moves.level {
		for d := range f.best {
			s |= Dirs(f.best[d][p.Y]>>uint(p.X)&1) << d
		}
		return s
	}
	nearer := &f.plane[2]
	switch {
	case f.plane[1].Has(p):
		nearer = &f.plane[0]
	case f.plane[2].Has(p):
		nearer = &f.plane[1]
	}
	for d := North; d < Directions; d++ {
		if f.moves.exit[d].Has(p) && nearer.Has(p.Add(d)) {
			s |= 1 << d
		}
	}
	return s
}

// Cells returns the cells from which a goal can be reached, as far as the field was computed; the goals are in it.
func (f *Field) Cells() Board {
	b := f.seen
	clear(b[f.rows:])
	return b
}
