package gridworld

// moves has the legal steps of a world, as sets of cells. Step, Field, TurnField and Reachable use it.
type moves struct {
	rows  int
	eight bool // diagonal steps exist
	level bool // no heights and no ramps: an orthogonal step is legal from any cell of leave to any neighbour in enter
	enter Board
	leave Board
	exit  [Directions]Board // exit[d]: the cells from which the step in direction d is legal
}

// clear empties the rows from one to before another, and all rows up to there of the diagonal steps.
func (m *moves) clear(from, to int) {
	for d := range m.exit {
		if Dir(d).Diagonal() && m.eight {
			clear(m.exit[d][:to])
		}
		clear(m.exit[d][from:to])
	}
	clear(m.enter[from:to])
	clear(m.leave[from:to])
}

func (m *moves) copyFrom(src *moves, rows int) {
	eight := m.eight || src.eight
	m.rows, m.eight, m.level = src.rows, src.eight, src.level
	copy(m.enter[:rows], src.enter[:rows])
	copy(m.leave[:rows], src.leave[:rows])
	step := 2
	if eight {
		step = 1
	}
	for d := 0; d < Directions; d += step { // without diagonal steps their sets are empty
		copy(m.exit[d][:rows], src.exit[d][:rows])
	}
}

// ready returns the moves of w, after computing them again if a cell has changed.
func (l *layout) ready() *moves {
	if l.stale {
		l.moves.derive(l)
	}
	return &l.moves
}

// without sets m to the moves of src that neither enter nor leave a cell of avoid, nor cut its corner.
func (m *moves) without(src *moves, avoid *Board) {
	m.clear(src.rows, max(m.rows, src.rows))
	m.rows, m.eight, m.level = src.rows, src.eight, src.level
	for y := range src.rows {
		var below, above uint64
		if y > 0 {
			below = avoid[y-1]
		}
		if y+1 < src.rows {
			above = avoid[y+1]
		}
		here := avoid[y]
		m.enter[y], m.leave[y] = src.enter[y]&^here, src.leave[y]&^here
		m.exit[North][y] = src.exit[North][y] &^ (here | above)
		m.exit[East][y] = src.exit[East][y] &^ (here | here>>1)
		m.exit[South][y] = src.exit[South][y] &^ (here | below)
		m.exit[West][y] = src.exit[West][y] &^ (here | here<<1)
	}
	if m.eight {
		m.deriveDiagonals()
	}
}

// CanStep says whether the step from p in direction d is legal: d exists in the world's mode, the next cell can be
// entered, p can be left, and heights, ramps and corners allow it. It is false if p is outside the world.
func (l *layout) CanStep(p Pos, d Dir) bool {
	m := l.ready()
	return l.Inside(p) && d < Directions && (m.eight || !d.Diagonal()) && m.exit[d].Has(p)
}

// Exits returns the cells from which the step in direction d is legal. They must not be changed, and are valid until a cell is.
func (l *layout) Exits(d Dir) *Board { return &l.ready().exit[d&7] }

// After returns where an actor is after an action of mode Turning that nothing holds up but the cells.
func (l *layout) After(a Actor, action Action) Actor {
	if action == Forward && (l.ready().exit[a.Heading&7][a.Pos.Y&63]>>(uint(a.Pos.X)&63)&1 == 0 || !l.Inside(a.Pos)) {
		return a
	}
	return a.After(action)
}

// Reachable returns the cells to which an actor at p could come, including p, lava and holes.
func (l *layout) Reachable(p Pos) Board {
	m := l.ready()
	b := BoardOf(p)
	for grown := true; grown; {
		grown = false
		for y := range m.rows {
			if n := m.stepsInto(&b, y) &^ b[y]; n != 0 {
				b[y] |= n
				grown = true
			}
		}
	}
	return b
}

// Leads says whether an actor at one cell could come to another.
func (l *layout) Leads(from, to Pos) bool {
	if !l.Inside(from) || !l.Inside(to) {
		return false
	}
	m := l.ready()
	var b Board
	b.Set(from)
	low, high := from.Y, from.Y
	for grown := true; grown; {
		if b.Has(to) {
			return true
		}
		grown = false
		for y := max(low-1, 0); y <= min(high+1, m.rows-1); y++ {
			if n := m.stepsInto(&b, y) &^ b[y]; n != 0 {
				b[y] |= n
				low, high, grown = min(low, y), max(high, y), true
			}
		}
	}
	return false
}

// Entrances returns the cells from which one legal step leads into a cell of b.
func (l *layout) Entrances(b *Board) Board {
	m := l.ready()
	var from Board
	for d := North; d < Directions; d++ {
		v := deltas[d]
		for y := range m.rows {
			into := y + int(v.y)
			if into < 0 || into >= m.rows {
				continue
			}
			row := b[into&63]
			if v.x > 0 {
				row >>= 1
			} else if v.x < 0 {
				row <<= 1
			}
			from[y] |= row & m.exit[d][y]
		}
	}
	return from
}

// stepsInto returns the cells of row y that one legal step from a cell of b reaches.
func (m *moves) stepsInto(b *Board, y int) uint64 {
	n := b[y]&m.exit[East][y]<<1 | b[y]&m.exit[West][y]>>1
	if y > 0 {
		s := b[y-1]
		n |= s&m.exit[North][y-1] | s&m.exit[NorthEast][y-1]<<1 | s&m.exit[NorthWest][y-1]>>1
	}
	if y+1 < m.rows {
		s := b[y+1]
		n |= s&m.exit[South][y+1] | s&m.exit[SouthEast][y+1]<<1 | s&m.exit[SouthWest][y+1]>>1
	}
	return n
}
