package bib

import "achilles/gridworld/lattice"

// varied draws a scene and eight familiarisation trials with two objects anywhere, the preferred one farther in four.
func (d *draft) varied() (p outline, base trial, ways *lattice.Field, f failure) {
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

// choice draws places for two objects and lets the actor go to one of them.
func (d *draft) choice(t *trial, ways *lattice.Field, preferredNear bool, goal int) bool {
	for range 20 {
		if d.twoAnywhere(t, ways, preferredNear) && d.act(t, goal) {
			return true
		}
	}
	return false
}

// multiAgent: the places vary widely. In the test the same is seen of the familiar actor and of a stranger: going to
// the object that the familiar one prefers (even episodes: from the stranger it is not to be expected) or to the other
// one (odd episodes: from the familiar one it is not). Whether the preferred object is nearer alternates every two.
func (d *draft) multiAgent() (p outline, f failure) {
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
		if d.choice(&t, ways, near, goal) && d.telling(&t, t.object[goal], t.object[1-goal]) {
			p.expected, p.unexpected = t, t
			if goal == preferred {
				p.unexpected.actor = stranger
			} else {
				p.expected.actor = stranger
			}
			return p, ""
		}
	}
	return p, "a test trial that tells the goals apart as the split wants"
}

// inaccessible: as before, but in the test the actor goes to the other object, which is not to be expected unless
// walls keep it from the preferred one. The preferred object would be the nearer one in every even episode.
func (d *draft) inaccessible() (p outline, f failure) {
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

// choiceOfCell is choice with the preferred object in the middle of a cell, and the actor going to the other.
func (d *draft) choiceOfCell(t *trial, ways *lattice.Field, preferredNear bool) bool {
	for range 40 {
		p, q := randomCell(d).centre(), randomPoint(&d.Rand)
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

// randomCell draws a cell that a frame of cells fits around.
func randomCell(d *draft) cell { return cell{2 + d.IntN(Cells-4), 2 + d.IntN(Cells-4)} }

// cellOf is the cell that p is in.
func cellOf(p lattice.Point) cell { return cell{p.X / Cell, p.Y / Cell} }

// enclose makes e of u by walls round the preferred object, if nothing else changes by them.
func (d *draft) enclose(e, u *trial) bool {
	if d.design.Split == Default || !d.even() { // a way past the preferred object would lead through the walls
		if !d.telling(u, u.object[other], u.object[preferred]) {
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
	if !m.Open(e.start) || !m.Open(e.object[other]) || !d.act(e, preferred, other) {
		return false
	}
	return e.walk.Thing == other && same(e.walk.Track, u.walk.Track)
}
