package gridworld

import "math/bits"

// touch lets the actor touch everything within reach: keys first, and then rewards and shapes.
func (w *World) touch() {
	for i := range w.things {
		if t := &w.things[i]; t.Kind == Key {
			w.touchKey(i, t)
		}
	}
	p := w.actor.Pos
	for i := range w.things {
		if t := &w.things[i]; t.Kind != Key && t.State == Ground && w.touches(p, t.Pos, w.rules.Reach) {
			if t.Kind == Reward {
				t.State = Taken
				w.events.tell(Collected, i, t.Pos)
			} else {
				w.events.tell(Reached, i, t.Pos)
			}
			if t.Final {
				w.outcome = Finished
			}
		}
	}
}

// touchKey takes a key that the actor touches; if the actor carries it and touches a lock, all locks and barriers open.
func (w *World) touchKey(i int, t *Thing) {
	p := w.actor.Pos
	if t.State == Ground && w.touches(p, t.Pos, w.rules.Reach) {
		w.events.tell(KeyTaken, i, t.Pos)
		t.State, t.Pos = Carried, p
		if t.Final {
			w.outcome = Finished
		}
	}
	if t.State != Carried {
		return
	}
	if lock, ok := w.lockInTouch(p, w.rules.Reach); ok {
		t.State = Taken
		w.open()
		w.events.tell(Unlocked, i, lock)
	}
}

// touches says whether an actor at p touches a thing at q.
func (l *layout) touches(p, q Pos, reach int) bool {
	return p == q || reach > 0 && p.Chebyshev(q) <= reach && l.inReach(p, q)
}

// inReach says whether no solid cell lies between p and q.
func (l *layout) inReach(p, q Pos) bool { return free(&l.planes[planeSolid], p, q) }

// lockInTouch returns the first lock that an actor at p touches, row by row from the south-west.
func (l *layout) lockInTouch(p Pos, reach int) (Pos, bool) {
	reach = max(reach, 1) // a lock cannot be entered: an actor touches it from outside
	for y := max(p.Y-reach, 0); y <= min(p.Y+reach, l.height-1); y++ {
		for row := l.planes[planeOpening][y]; row != 0; row &= row - 1 {
			q := Pos{bits.TrailingZeros64(row), y}
			if p.Chebyshev(q) <= reach && l.At(q).Kind == Lock && l.inReach(p, q) {
				return q, true
			}
		}
	}
	return Pos{}, false
}

// open removes every lock and barrier.
func (t *terrain) open() {
	for y := range t.height {
		for row := t.planes[planeOpening][y]; row != 0; row &= row - 1 {
			p := Pos{bits.TrailingZeros64(row), y}
			t.Place(p, t.At(p).opened())
		}
	}
}

// Contact returns the cells in which a living actor would touch a thing at p.
func (w *World) Contact(p Pos) Board {
	var b Board
	reach := w.rules.Reach
	if reach == 0 {
		if w.Inside(p) && w.planes[planeEnter].Has(p) && !w.At(p).Kind.Lethal() {
			b.Set(p)
		}
		return b
	}
	for y := max(p.Y-reach, 0); y <= min(p.Y+reach, w.height-1); y++ {
		for x := max(p.X-reach, 0); x <= min(p.X+reach, w.width-1); x++ {
			q := Pos{x, y}
			if !w.At(q).Kind.Lethal() && w.planes[planeEnter].Has(q) && w.inReach(q, p) {
				b.Set(q)
			}
		}
	}
	return b
}
