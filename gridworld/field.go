package gridworld

// A Field has the number of legal steps from every cell to the nearest of some goals. No path leads through a hole or
// lava, or the wrong way over a ledge or a one-way ramp. Turns are not counted; see TurnField. The zero Field is ready
// for use, and a Field may be used again. It refers to the world for which it was computed, and is invalid once a cell
// of that world changes.
//
// A Field is computed by flooding: a front of cells spreads from the goals, one step at a time. It works on rows of
// bits, or on all rows at once if they fit into 128 bits. On level ground distances of neighbours differ by at most
// one, so that distances modulo 3 suffice, in three planes. On uneven ground a step down may lead far from the goal, so
// that the first steps of shortest paths are kept instead.
type Field struct {
	Avoid *Board // cells not to enter, as if they were walls; nil: none

	moves  *moves
	masked moves
	rows   int // plane, best and seen are empty in the rows from this one on
	levels int
	seen   Board
	front  Board
	plane  [3]Board          // on level ground: the cells at distance 0, 1, 2 modulo 3
	best   [Directions]Board // on uneven ground: best[d] has the cells from which the step in direction d is on a shortest path
	packed [3]packed         // the planes of a level world that fits into 128 bits; seen, front and plane are then unused
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
	return f.levels, f.reached(from)
}

// compute floods w from the goals that can be entered, until it has reached the cell `until` or every cell that it can
// reach.
func (f *Field) compute(w *World, goals *Board, until Pos) {
	f.moves, f.levels = w.ready(), 0
	if f.Avoid != nil {
		f.masked.without(f.moves, f.Avoid)
		f.moves = &f.masked
	}
	if f.moves.stride == 0 {
		f.start(goals)
		f.flood(until)
		return
	}
	var seeds Board
	for y := range w.height {
		seeds[y] = goals[y] & f.moves.enter[y]
	}
	f.floodPacked(pack(&seeds, w.height, f.moves.stride), f.index(until))
}

// index returns the bit of p in a packed world, or a bit that is never set if p is outside.
func (f *Field) index(p Pos) uint {
	if uint(p.X) >= f.moves.stride-1 || uint(p.Y) >= uint(f.moves.rows) {
		return packedBits
	}
	return uint(p.Y)*f.moves.stride + uint(p.X)
}

// start clears the planes and seeds them with the goals.
func (f *Field) start(goals *Board) {
	m := f.moves
	rows := max(f.rows, m.rows)
	f.rows = m.rows
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

// flood spreads the front until it has reached the cell `until` or is empty.
func (f *Field) flood(until Pos) {
	lo, hi := f.span(0, f.moves.rows-1)
	for lo <= hi && !f.seen.Has(until) {
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
		if lo <= hi {
			f.levels++
		}
	}
}

// span returns the first and last row of the front, among rows `from` to `to`, that are not empty; lo > hi if all are.
func (f *Field) span(from, to int) (lo, hi int) {
	lo, hi = MaxSide, -1
	for y := from; y <= to; y++ {
		if f.front[y] != 0 {
			lo, hi = min(lo, y), y
		}
	}
	return lo, hi
}

// Distance returns the number of steps from p to the nearest goal; ok is false if none can be reached. It walks the
// path, since the field has distances only modulo 3.
func (f *Field) Distance(p Pos) (steps int, ok bool) {
	if !f.reached(p) {
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
	if !f.reached(p) {
		return 0
	}
	var s Dirs
	if !f.moves.level {
		for d := range f.best {
			s |= Dirs(f.best[d][p.Y]>>uint(p.X)&1) << d
		}
		return s
	}
	nearer := 2
	for k := range 2 {
		if f.in(k+1, p) {
			nearer = k
		}
	}
	for d := North; d < Directions; d++ {
		if f.moves.exit[d].Has(p) && f.in(nearer, p.Add(d)) {
			s |= 1 << d
		}
	}
	return s
}

// in says whether p is at distance k modulo 3, on level ground.
func (f *Field) in(k int, p Pos) bool {
	if f.moves.stride != 0 {
		return f.packed[k].has(f.index(p))
	}
	return f.plane[k].Has(p)
}

// reached says whether the flood has reached p.
func (f *Field) reached(p Pos) bool {
	if f.moves != nil && f.moves.stride != 0 {
		return f.in(0, p) || f.in(1, p) || f.in(2, p)
	}
	return f.seen.Has(p)
}

// Cells returns the cells of the field: those from which a goal can be reached, the goals included, as far as the field
// was computed.
func (f *Field) Cells() Board {
	var b Board
	if f.moves != nil && f.moves.stride != 0 {
		f.packed[0].or(f.packed[1]).or(f.packed[2]).unpack(&b, f.moves.rows, f.moves.stride)
		return b
	}
	copy(b[:f.rows], f.seen[:f.rows])
	return b
}
