package bib

import "achilles/gridworld/lattice"

// anywhere draws episodes with two objects, whose places vary widely.
type anywhere struct{ *draft }

// varied draws a scene and eight familiarisation trials with two objects at any places. The preferred object is the
// farther one in four of them.
func (d anywhere) varied() (p outline, base trial, ways *lattice.Field, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, base, nil, "room to move"
	}
	for k, side := range d.Perm(len(p.familiar)) {
		t := &p.familiar[k]
		*t = base
		if !d.choice(t, ways, side%2 == 0, preferred) {
			return p, base, nil, "places for two objects"
		}
	}
	return p, base, ways, ""
}

// choice draws places for two objects and lets the actor go to the one with identity `goal`. It returns false after 20
// failures.
func (d anywhere) choice(t *trial, ways *lattice.Field, preferredNear bool, goal int) bool {
	for range 20 {
		if d.twoAnywhere(t, ways, preferredNear) && d.act(t, goal) {
			return true
		}
	}
	return false
}

// multiAgent draws an episode in which the places of the two objects vary widely. In both test trials an actor makes
// the same walk: the familiar actor in one, a stranger in the other. In even episodes it goes to the object that the
// familiar actor prefers, which is unexpected of the stranger; in odd ones it goes to the other object, which is
// unexpected of the familiar actor. Whether the preferred object is nearer changes every two episodes.
func (d anywhere) multiAgent() (p outline, f failure) {
	p, base, ways, f := d.varied()
	if f != "" {
		return p, f
	}
	near := d.index/2%2 == 0
	goal := other
	p.variant = "B"
	if d.even() {
		goal, p.variant = preferred, "A"
	}
	for range 20 {
		t := base
		if d.choice(&t, ways, near, goal) && d.suitsSplit(&t, t.object[goal], t.object[1-goal]) {
			p.expected, p.unexpected = t, t
			if goal == preferred {
				p.unexpected.actor = stranger
			} else {
				p.expected.actor = stranger
			}
			return p, ""
		}
	}
	return p, "a test trial that distinguishes the goals as the split requires"
}

// inaccessible draws an episode in whose test trials the actor goes to the object that it does not prefer. That is
// expected if walls enclose the preferred object, and unexpected if they do not. The preferred object is the nearer one
// in even episodes.
func (d anywhere) inaccessible() (p outline, f failure) {
	p, base, ways, f := d.varied()
	if f != "" {
		return p, f
	}
	p.variant = "preferred farther"
	if d.even() {
		p.variant = "preferred nearer"
	}
	for range 40 {
		e, u := base, base
		if d.choiceOfCell(&u, ways, d.even()) && d.enclose(&e, &u) {
			p.expected, p.unexpected = e, u
			return p, ""
		}
	}
	return p, "a preferred object that can be enclosed"
}

// choiceOfCell draws places for two objects, the preferred one in the middle of a cell, and lets the actor go to the
// other one. It returns false after 40 failures.
func (d anywhere) choiceOfCell(t *trial, ways *lattice.Field, preferredNear bool) bool {
	for range 40 {
		p, q := randomCell(d.draft).centre(), randomPoint(&d.Rand)
		if !farFrom(p, fromStart, t.start) || !farFrom(q, fromStart, t.start) || !farFrom(p, apart, q) || !reached(ways, p) || !reached(ways, q) {
			continue
		}
		if near, decided := nearer(ways, t.start, p, q); decided && near == preferredNear {
			t.object = []lattice.Point{p, q}
			return d.act(t, other)
		}
	}
	return false
}

// randomCell draws a cell whose eight neighbours are inner cells.
func randomCell(d *draft) cell { return cell{2 + d.IntN(Cells-4), 2 + d.IntN(Cells-4)} }

// cellOf returns the cell that contains p.
func cellOf(p lattice.Point) cell { return cell{p.X / Cell, p.Y / Cell} }

// enclose sets e to u with walls round the preferred object. It returns false if the walls change the walk, or u does
// not suit the split.
func (d anywhere) enclose(e, u *trial) bool {
	if d.design.Split != Collinear || !d.even() { // not checked in Collinear layouts with the preferred object nearer: the path past this object would lead through the walls
		if !d.suitsSplit(u, u.object[other], u.object[preferred]) {
			return false
		}
	}
	*e = *u
	ring, ok := frame(cellOf(u.object[preferred]), 1)
	if !ok {
		return false
	}
	e.walls = u.walls.union(&ring)
	m := d.open(e.walls)
	if !m.Open(e.start) || !m.Open(e.object[other]) || !d.repeat(e, preferred, other) {
		return false
	}
	return e.walk.Thing == other && same(e.walk.Track, u.walk.Track)
}
