package gridworld

// derive computes the moves from the planes, one row at a time.
func (w *World) derive() {
	m := &w.moves
	m.rows, m.eight, w.stale = w.height, w.rules.Move == Eight, false
	var uneven uint64
	for y := range w.height {
		m.enter[y], m.leave[y] = w.planes[planeEnter][y], w.planes[planeLeave][y]
		uneven |= w.planes[planeLow][y] | w.planes[planeHigh][y] | w.planes[planeSlope][y]
	}
	m.level = uneven == 0
	for y := range w.height {
		w.deriveRow(m, y)
	}
	if !m.level {
		w.deriveSlopes(m)
	}
	if m.eight {
		m.deriveDiagonals()
	}
	m.pack(w.width)
}

// deriveRow computes the orthogonal moves of row y between cells that are not ramps.
func (w *World) deriveRow(m *moves, y int) {
	leave, enter := m.leave[y], m.enter[y]
	var below, above uint64 // the rows to the south and to the north
	if y > 0 {
		below = m.enter[y-1]
	}
	if y+1 < w.height {
		above = m.enter[y+1]
	}
	n, e, s, v := leave&above, leave&(enter>>1), leave&below, leave&(enter<<1)
	if !m.level {
		low, high := w.planes[planeLow][y], w.planes[planeHigh][y]
		if y+1 < w.height {
			n &^= higher(w.planes[planeLow][y+1], w.planes[planeHigh][y+1], low, high)
		}
		if y > 0 {
			s &^= higher(w.planes[planeLow][y-1], w.planes[planeHigh][y-1], low, high)
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

// deriveSlopes computes the moves from and to ramps one by one, because there are few.
func (w *World) deriveSlopes(m *moves) {
	slopes := w.planes[planeSlope]
	for p := range slopes.All() {
		for d := North; d < Directions; d += 2 {
			w.decide(m, p, d)
			w.decide(m, p.Add(d.Opposite()), d)
		}
	}
}

// decide computes whether the step from p in direction d is legal, and notes it in m.
func (w *World) decide(m *moves, p Pos, d Dir) {
	q := p.Add(d)
	if !w.Inside(p) || !w.Inside(q) {
		return
	}
	if m.leave.Has(p) && m.enter.Has(q) && climbable(w.At(p), w.At(q), d) {
		m.exit[d].Set(p)
	} else {
		m.exit[d].Clear(p)
	}
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
