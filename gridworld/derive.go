package gridworld

import "math/bits"

// derive computes the moves from the planes, one row at a time.
func (m *moves) derive(l *layout) {
	m.rows, m.eight, l.stale = l.height, l.eight, false
	var uneven uint64
	for y := range l.height {
		m.enter[y], m.leave[y] = l.planes[planeEnter][y], l.planes[planeLeave][y]
		uneven |= l.planes[planeLow][y] | l.planes[planeHigh][y] | l.planes[planeSlope][y]
	}
	m.level = uneven == 0
	for y := range l.height {
		m.deriveRow(l, y)
	}
	if !m.level {
		m.deriveSlopes(l)
	}
	if m.eight {
		m.deriveDiagonals()
	}
}

// deriveRow computes the orthogonal moves of row y between cells that are not ramps.
func (m *moves) deriveRow(l *layout, y int) {
	leave, enter := m.leave[y], m.enter[y]
	var below, above uint64 // the rows to the south and to the north
	if y > 0 {
		below = m.enter[y-1]
	}
	if y+1 < l.height {
		above = m.enter[y+1]
	}
	n, e, s, v := leave&above, leave&(enter>>1), leave&below, leave&(enter<<1)
	if !m.level {
		low, high := l.planes[planeLow][y], l.planes[planeHigh][y]
		if y+1 < l.height {
			n &^= higher(l.planes[planeLow][y+1], l.planes[planeHigh][y+1], low, high)
		}
		if y > 0 {
			s &^= higher(l.planes[planeLow][y-1], l.planes[planeHigh][y-1], low, high)
		}
		e &^= higher(low>>1, high>>1, low, high)
		v &^= higher(low<<1, high<<1, low, high)
	}
	m.exit[North][y], m.exit[East][y], m.exit[South][y], m.exit[West][y] = n, e, s, v
}

// higher compares two-bit numbers in parallel: it returns the bits at which b is greater than a.
func higher(bLow, bHigh, aLow, aHigh uint64) uint64 {
	return bHigh&^aHigh | ^(bHigh^aHigh)&bLow&^aLow
}

// ramps are equal ramps in one row, one bit each.
type ramps struct {
	cell Cell
	at   uint64
}

// A rampList has the ramps of a world by rows.
type rampList struct {
	list  []ramps
	first [MaxSide + 1]int // by row: index of its first ramps; after the last row the number of all
}

// row returns the ramps of row y.
func (l *rampList) row(y int) []ramps { return l.list[l.first[y]:l.first[y+1]] }

// deriveSlopes computes the moves from and to ramps, by rows of equal ramps.
func (m *moves) deriveSlopes(l *layout) {
	list := &l.ramps
	list.list = list.list[:0]
	for y := range l.height {
		list.first[y] = len(list.list)
		for row := l.planes[planeSlope][y]; row != 0; {
			k := l.cells[y*l.width+bits.TrailingZeros64(row)]
			r := ramps{cell: l.palette[k].cell}
			for rest := row; rest != 0; rest &= rest - 1 {
				if l.cells[y*l.width+bits.TrailingZeros64(rest)] == k {
					r.at |= rest & -rest
				}
			}
			list.list = append(list.list, r)
			row &^= r.at
		}
	}
	list.first[l.height] = len(list.list)
	for y := range l.height {
		for _, r := range list.row(y) {
			for d := North; d < Directions; d += 2 {
				m.deriveFrom(l, r, y, d)
				m.deriveInto(l, r, y, d)
			}
		}
	}
}

// deriveFrom computes in which cells of row y with ramps r the step in direction d is legal.
func (m *moves) deriveFrom(l *layout, r ramps, y int, d Dir) {
	next := y + int(deltas[d].y)
	if next < 0 || next >= l.height {
		return
	}
	into := uint64(0) // the cells of the next row that may be entered from such a ramp
	if from, open := edge(r.cell, d); open && oneWay(r.cell, d) {
		low, high := heightMasks(from)
		into = ^higher(l.planes[planeLow][next], l.planes[planeHigh][next], low, high) &^ l.planes[planeSlope][next]
	}
	for _, other := range l.ramps.row(next) {
		if climbable(r.cell, other.cell, d) {
			into |= other.at
		}
	}
	m.exit[d][y] = m.exit[d][y]&^r.at | r.at&m.leave[y]&before(into&m.enter[next], d)
}

// deriveInto computes from which cells without a ramp the step in direction d into ramps r of row y is legal.
func (m *moves) deriveInto(l *layout, r ramps, y int, d Dir) {
	last := y - int(deltas[d].y)
	if last < 0 || last >= l.height {
		return
	}
	here := before(r.at, d) &^ l.planes[planeSlope][last]
	m.exit[d][last] &^= here
	if to, open := edge(r.cell, d.Opposite()); open && oneWay(r.cell, d) {
		low, high := heightMasks(to)
		m.exit[d][last] |= here & m.leave[last] & before(m.enter[y], d) &^ higher(low, high, l.planes[planeLow][last], l.planes[planeHigh][last])
	}
}

// heightMasks returns the bits of a height, 0 to MaxHeight, for every cell of a row.
func heightMasks(height int) (low, high uint64) {
	return -uint64(height & 1), -uint64(height >> 1 & 1)
}

// before returns the cells from which a step in an orthogonal direction leads into cells of a row.
func before(into uint64, d Dir) uint64 {
	switch d {
	case East:
		return into >> 1
	case West:
		return into << 1
	}
	return into
}

// climbable says whether heights and ramps allow an orthogonal step from a in direction d to b.
func climbable(a, b Cell, d Dir) bool {
	if !oneWay(a, d) || !oneWay(b, d) {
		return false
	}
	if a.Kind.Sloped() && a.Kind == b.Kind && a.Facing == b.Facing && a.Height == b.Height {
		return true // one slope, several cells long or wide
	}
	from, ok := edge(a, d)
	to, open := edge(b, d.Opposite())
	return ok && open && to <= from
}

// oneWay reports whether c allows a step in direction d, as far as c is a one-way ramp (Climb or Slide); every other
// cell allows it. It does not check steps to the sides of a ramp: edge does.
func oneWay(c Cell, d Dir) bool {
	switch c.Kind {
	case Climb:
		return d != c.Facing.Opposite()
	case Slide:
		return d != c.Facing
	}
	return true
}

// edge returns the height of the side of c in direction d. open is false if c is a ramp and d is at a right angle to
// its slope: no step crosses that side, except between equal ramps.
func edge(c Cell, d Dir) (height int, open bool) {
	switch {
	case !c.Kind.Sloped():
		return int(c.Height), true
	case d == c.Facing:
		return int(c.Height) + 1, true
	case d == c.Facing.Opposite():
		return int(c.Height), true
	}
	return 0, false
}

// deriveDiagonals allows a diagonal step if both ways round the corner are legal.
func (m *moves) deriveDiagonals() {
	n, e, s, v := &m.exit[North], &m.exit[East], &m.exit[South], &m.exit[West]
	for y := range m.rows {
		var eUp, vUp, eDown, vDown uint64
		if y+1 < m.rows {
			eUp, vUp = e[y+1], v[y+1]
		}
		if y > 0 {
			eDown, vDown = e[y-1], v[y-1]
		}
		m.exit[NorthEast][y] = n[y] & eUp & e[y] & (n[y] >> 1)
		m.exit[SouthEast][y] = s[y] & eDown & e[y] & (s[y] >> 1)
		m.exit[SouthWest][y] = s[y] & vDown & v[y] & (s[y] << 1)
		m.exit[NorthWest][y] = n[y] & vUp & v[y] & (n[y] << 1)
	}
}
