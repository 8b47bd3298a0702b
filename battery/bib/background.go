package bib

import "achilles/gridworld/lattice"

// background draws episodes without an unexpected outcome.
type background struct{ *draft }

// drawNine draws the eight familiarisation trials and the test trial of a background episode, all by the same rule: it
// calls draw up to 20 times for each trial, on a copy of base, and returns false if a trial fails every time.
func (d background) drawNine(p *outline, base trial, draw func(t *trial, k int) bool) bool {
	p.unpaired = true
	for k := range len(p.familiar) + 1 {
		t := &p.expected
		if k < len(p.familiar) {
			t = &p.familiar[k]
		}
		ok := false
		for range 20 {
			if *t = base; draw(t, k) {
				ok = true
				break
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// singleObject draws an episode with one object, anywhere in reach of the actor.
func (d background) singleObject() (p outline, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, "room to move"
	}
	if !d.drawNine(&p, base, func(t *trial, _ int) bool {
		at := randomPoint(&d.Rand)
		t.object = []lattice.Point{at}
		return farFrom(at, closeStart, t.start) && reached(ways, at) && d.act(t, preferred)
	}) {
		return p, "an object within reach"
	}
	return p, ""
}

// nearBy draws a place for an object that is close to the start, with no wall on the straight way.
func (d background) nearBy(ways *lattice.Field, start lattice.Point) (lattice.Point, bool) {
	for range 40 {
		p := lattice.Point{X: start.X + d.IntN(2*fromStart+1) - fromStart, Y: start.Y + d.IntN(2*fromStart+1) - fromStart}
		if farFrom(p, closeStart, start) && !farFrom(p, fromStart+1, start) && reached(ways, p) && cost(ways, p) == lattice.Octile(start, p) {
			return p, true
		}
	}
	return lattice.Point{}, false
}

// nearPreference draws an episode with two objects close to the start. The actor always goes to the same one.
func (d background) nearPreference() (p outline, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, "room to move"
	}
	const distinct = 26 // pixels between the objects, so that the actor never touches both
	if !d.drawNine(&p, base, func(t *trial, _ int) bool {
		a, ok := d.nearBy(ways, t.start)
		b, also := d.nearBy(ways, t.start)
		t.object = []lattice.Point{a, b}
		return ok && also && farFrom(a, distinct, b) && d.act(t, preferred)
	}) {
		return p, "two objects close to the start"
	}
	return p, ""
}

// relay draws an episode with one object close to the start. From trial 1 + index mod 8 on, counted from 0, another actor
// goes to the object.
func (d background) relay() (p outline, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, "room to move"
	}
	handover := 1 + d.index%8
	if !d.drawNine(&p, base, func(t *trial, k int) bool {
		a, ok := d.nearBy(ways, t.start)
		t.object = []lattice.Point{a}
		if k >= handover {
			t.actor = stranger
		}
		return ok && d.act(t, preferred)
	}) {
		return p, "an object close to the start"
	}
	return p, ""
}

// escape draws an episode in which the actor, the key and the lock are inside the barrier and the object is outside.
func (d background) escape() (p outline, f failure) {
	home := cell{3 + d.IntN(Cells-6), 3 + d.IntN(Cells-6)}
	ring, _ := frame(home, 2)
	base := trial{walls: randomWalls(&d.Rand, 4, 9, &ring), start: d.inside(home)}
	if !d.open(base.walls).Open(base.start) {
		return p, "a start inside"
	}
	ways := d.waysFrom(base.walls, base.start)
	if !d.drawNine(&p, base, func(t *trial, _ int) bool {
		middle := cell{home.x + d.IntN(3) - 1, home.y + d.IntN(3) - 1}
		ring, ok := frame(middle, 2)
		if !ok || ring.meets(&t.walls) {
			middle = home
			ring, _ = frame(home, 2)
		}
		t.barrier, t.lock = ring, ring.list()[d.IntN(16)]
		if m := d.open(t.shut()); !m.Open(t.start) {
			return false
		}
		object, key := randomPoint(&d.Rand), d.inside(middle)
		t.object, t.key = []lattice.Point{object}, &key
		inside := d.waysFrom(t.shut(), t.start)
		return farFrom(object, fromStart, t.start) && farFrom(key, closeStart, t.start) && reached(ways, object) && !reached(inside, object) &&
			reached(inside, key) && d.open(t.shut()).Open(object) && d.act(t, preferred) && t.walk.Opened >= 0
	}) {
		return p, "a key inside and an object outside"
	}
	return p, ""
}

// inside draws a point in the square of 2 × 2 cells centred on cell c, borders included.
func (d background) inside(c cell) lattice.Point {
	return c.centre().Add(lattice.Point{X: d.IntN(2*Cell+1) - Cell, Y: d.IntN(2*Cell+1) - Cell})
}
