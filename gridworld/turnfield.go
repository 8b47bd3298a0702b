package gridworld

// headings is the number of orthogonal headings; index h of a TurnField is direction 2h.
const headings = 4

// A TurnField has the number of ticks that an actor needs from every cell and heading to the nearest of some goals, in
// mode Turning. A turn costs one tick, like a step; the heading at the goal does not matter. The zero TurnField is
// ready for use, and a TurnField may be used again. It refers to the world for which it was computed, and is invalid
// once a cell of that world changes.
type TurnField struct {
	Avoid *Board // cells not to enter, as if they were walls; nil: none

	moves  *moves
	masked moves
	rows   int
	levels int
	seen   [headings]Board
	front  [headings]Board
	ahead  [headings]Board // by heading: the cells at which going forward is best
	left   [headings]Board // by heading: the cells at which turning left is best
	right  [headings]Board // by heading: the cells at which turning right is best
}

// Toward computes the field of w for the goals, and returns the greatest finite cost in ticks. It panics in mode Eight.
func (f *TurnField) Toward(w *World, goals *Board) int {
	f.start(w, goals)
	f.flood(Actor{Pos: Nowhere()})
	return f.levels
}

// Until computes the field only up to the actor `from`, and returns its cost in ticks. It returns false if no goal can
// be reached from there.
func (f *TurnField) Until(w *World, goals *Board, from Actor) (int, bool) {
	f.start(w, goals)
	if !w.Inside(from.Pos) {
		return 0, false
	}
	h := from.Heading / 2
	if !f.seen[h].Has(from.Pos) {
		f.flood(from)
	}
	return f.levels, f.seen[h].Has(from.Pos)
}

func (f *TurnField) start(w *World, goals *Board) {
	if w.rules.Move != Turning {
		panic("gridworld: a TurnField of a world without turns")
	}
	f.moves = w.ready()
	if f.Avoid != nil {
		f.masked.without(f.moves, f.Avoid)
		f.moves = &f.masked
	}
	rows := max(f.rows, w.height)
	f.rows, f.levels = w.height, 0
	for h := range headings {
		clear(f.ahead[h][:rows])
		clear(f.left[h][:rows])
		clear(f.right[h][:rows])
		clear(f.seen[h][w.height:rows])
		for y := range w.height {
			f.front[h][y] = goals[y] & f.moves.enter[y]
			f.seen[h][y] = f.front[h][y]
		}
	}
}

// flood spreads the front until it has reached the actor `until` or is empty.
func (f *TurnField) flood(until Actor) {
	lo, hi := 0, f.rows-1
	for {
		lo, hi = f.spread(max(lo-1, 0), min(hi+1, f.rows-1))
		if lo > hi {
			return
		}
		f.levels++
		if f.seen[until.Heading/2&3].Has(until.Pos) {
			return
		}
	}
}

// spread moves the front one tick back in time, in rows `from` to `to`, and returns the first and last row of the new
// front; lo > hi if it is empty.
func (f *TurnField) spread(from, to int) (lo, hi int) {
	lo, hi = MaxSide, -1
	exit, south := &f.moves.exit, uint64(0)
	for row := from; row <= to; row++ {
		y, north := row&63, uint64(0)
		if row < to {
			north = f.front[0][(y+1)&63]
		}
		n, e, s, w := f.front[0][y], f.front[1][y], f.front[2][y], f.front[3][y]
		if n|e|s|w|north|south == 0 {
			continue
		}
		// An actor that heads north faces west after a turn to the left and east after one to the right, and so on.
		fresh := f.reach(0, y, north&exit[North][y], w, e) |
			f.reach(1, y, e>>1&exit[East][y], n, s) |
			f.reach(2, y, south&exit[South][y], e, w) |
			f.reach(3, y, w<<1&exit[West][y], s, n)
		if fresh != 0 {
			hi = row
			lo = min(lo, row)
		}
		south = s
	}
	return lo, hi
}

// reach computes the new front of heading h in row y, and returns it. ahead, left and right are the cells from which
// going forward, turning left or turning right leads into the old front; the new front has those not seen before.
func (f *TurnField) reach(h, y int, ahead, left, right uint64) uint64 {
	h, y = h&3, y&63
	fresh := (ahead | left | right) & f.moves.leave[y] &^ f.seen[h][y]
	f.front[h][y] = fresh
	f.seen[h][y] |= fresh
	f.ahead[h][y] |= ahead & fresh
	f.left[h][y] |= left & fresh
	f.right[h][y] |= right & fresh
	return fresh
}

// Cost returns the number of ticks that an actor needs to the nearest goal; ok is false if none can be reached.
func (f *TurnField) Cost(a Actor) (ticks int, ok bool) {
	if !f.seen[a.Heading/2&3].Has(a.Pos) {
		return 0, false
	}
	for next := f.Next(a); next != Stay; next = f.Next(a) {
		switch next {
		case Forward:
			a.Pos = a.Pos.Add(a.Heading)
		case TurnLeft:
			a.Heading = a.Heading.Turn(-2)
		case TurnRight:
			a.Heading = a.Heading.Turn(2)
		}
		if ticks++; ticks > f.levels {
			panic("gridworld: the world of a field has changed")
		}
	}
	return ticks, true
}

// Best says which actions are first actions of a cheapest path. All three are false if the actor is at a goal or cannot
// reach one.
func (f *TurnField) Best(a Actor) (ahead, left, right bool) {
	h := a.Heading / 2 & 3
	return f.ahead[h].Has(a.Pos), f.left[h].Has(a.Pos), f.right[h].Has(a.Pos)
}

// Next returns the first action of a cheapest path: forward before a turn, left before right. It is Stay if the actor
// is at a goal or cannot reach one.
func (f *TurnField) Next(a Actor) Action {
	switch ahead, left, right := f.Best(a); {
	case ahead:
		return Forward
	case left:
		return TurnLeft
	case right:
		return TurnRight
	}
	return Stay
}
