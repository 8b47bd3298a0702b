package bib

import "achilles/gridworld/lattice"

// constrained draws episodes whose familiarisation trials say what the actor prefers in a few free choices only.
type constrained struct{ anywhere }

// freeChoices is the number of familiarisation trials of ConstrainedPreference in which the actor can reach both objects. It is
// less than half of the trials, so that counting where the actor went names the other object.
const freeChoices = 3

// lessStraight is the least difference of the ratios of way and straight line between the outcomes of ConstrainedPreference.
const lessStraight = 0.02

// preference draws an episode in which the actor goes to the object that it likes less in five of eight familiarisation trials, the
// last one among them, because walls enclose the one that it prefers there; in the three others it can reach both and goes to the
// preferred one. In the test trials both can be reached. The preferred one, the expected one, is farther away, and its way is less
// straight. So an observer errs that counts where trials end, remembers the last end, or expects the nearest object or the
// straightest way.
func (d constrained) preference() (p outline, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, "room to move"
	}
	free := [8]bool{}
	for _, k := range d.Perm(len(free) - 1)[:freeChoices] {
		free[k] = true
	}
	for k := range p.familiar {
		t := &p.familiar[k]
		*t = base
		if free[k] && !d.choice(t, ways, k%2 == 0, preferred) || !free[k] && !d.only(t, ways) {
			return p, "choices that are free, and others that are not"
		}
	}
	p.variant = "preferred farther"
	for range 40 {
		e := base
		if !d.twoAnywhere(&e, ways, false) {
			continue
		}
		u := e
		if !d.act(&e, preferred) || !d.act(&u, other) || e.straightness()-u.straightness() < lessStraight {
			continue
		}
		p.expected, p.unexpected = e, u
		if d.suitsSplit(&u, u.object[other], u.object[preferred]) && p.defeatsCrow(false) && p.defeatsNearest(d.waysFrom(e.walls, e.object[other])) {
			return p, ""
		}
	}
	return p, "a farther preferred object, on a way less straight"
}

// only draws places for two objects, with walls round the preferred one, and lets the actor go to the other one. It returns false
// after 40 failures.
func (d constrained) only(t *trial, ways *lattice.Field) bool {
	open := t.walls
	for range 40 {
		t.walls = open
		p, q := randomCell(d.draft).centre(), randomPoint(&d.Rand)
		if !farFrom(p, fromStart, t.start) || !farFrom(q, fromStart, t.start) || !farFrom(p, apart, q) || !reached(ways, p) || !reached(ways, q) {
			continue
		}
		ring, ok := frame(cellOf(p), 1)
		if !ok {
			continue
		}
		t.object, t.walls = []lattice.Point{p, q}, open.union(&ring)
		m := d.open(t.walls)
		if m.Open(t.start) && m.Open(q) && d.act(t, preferred, other) && t.walk.Thing == other {
			return true
		}
	}
	return false
}

// straightness returns the length of the walk of t as a multiple of the straight line from its start to its end.
func (t *trial) straightness() float64 {
	way, at := 0, t.start
	for _, p := range t.walk.Track {
		way += lattice.Octile(at, p)
		at = p
	}
	return lattice.Length(way) / distance(t.start, t.end())
}

// defeatsNearest reports whether the expected walk wastes more than the unexpected one on the way to the nearer object, to which `to`
// is the field of ways.
func (p *outline) defeatsNearest(to *lattice.Field) bool {
	return p.expected.excess(to) > p.unexpected.excess(to)
}
