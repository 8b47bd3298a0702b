package bib

import "achilles/gridworld/lattice"

// locks draws episodes in which the actor needs a key.
type locks struct{ *draft }

// drawRing puts a barrier of eight cells round cell c and makes one of them the lock. It returns false if the barrier
// meets walls.
func (d locks) drawRing(t *trial, c cell) bool {
	ring, ok := frame(c, 1)
	if !ok || ring.meets(&t.walls) || t.walls.has(c) {
		return false
	}
	side := [4]cell{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}[d.IntN(4)]
	t.barrier, t.lock = ring, cell{c.x + side.x, c.y + side.y}
	return true
}

// drawKey draws a place for the key that the actor can reach without opening the barrier.
func (d locks) drawKey(t *trial) bool {
	ways := d.waysFrom(t.shut(), t.start)
	for range 40 {
		k := randomPoint(&d.Rand)
		if farFrom(k, fromStart, t.start) && farFrom(k, apart, t.object[0]) && reached(ways, k) {
			t.key = &k
			return true
		}
	}
	return false
}

// locked draws an object inside a barrier and a key outside. It returns false after 40 failures.
func (d locks) locked(t *trial) bool {
	for range 40 {
		c := randomCell(d.draft)
		if t.object = []lattice.Point{c.centre()}; !farFrom(c.centre(), fromStart, t.start) || !d.drawRing(t, c) {
			continue
		}
		if d.open(t.shut()).Open(t.start) && d.drawKey(t) {
			return true
		}
	}
	return false
}

// instrumental draws an episode in which a barrier keeps the actor from its object in all familiarisation trials, so that it
// first fetches the key. test draws the test trials.
func (d locks) instrumental(test func(d locks, p *outline, base trial) failure) (p outline, f failure) {
	base, _, ok := d.drawScene(4, 9)
	if !ok {
		return p, "room to move"
	}
	if f := test(d, &p, base); f != "" {
		return p, f
	}
	for k := range p.familiar {
		if !d.lockedTrial(&p.familiar[k], base) {
			return p, "a barrier round the object, and a key"
		}
	}
	return p, ""
}

func (d locks) lockedTrial(t *trial, base trial) bool {
	for range 6 {
		if *t = base; d.locked(t) && d.act(t, preferred) && t.walk.Opened >= 0 {
			return true
		}
	}
	return false
}

// noBarrier draws test trials with a key but no barrier. In the expected outcome the actor goes to the object, in the
// unexpected one to the key. In episodes of even index the object takes less time to reach, in the others the key.
func (d locks) noBarrier(p *outline, base trial) failure {
	for range 40 {
		e := base
		if e.object = []lattice.Point{randomPoint(&d.Rand)}; d.freeObject(&e) && d.eitherWay(p, &e) {
			return ""
		}
	}
	return "an object and a key"
}

// freeObject draws a place for the key. It returns false if there is none, or if the object is too close to the start or
// cannot be reached with the barrier closed.
func (d locks) freeObject(e *trial) bool {
	return farFrom(e.object[0], fromStart, e.start) && reached(d.waysFrom(e.shut(), e.start), e.object[0]) && d.drawKey(e)
}

// inconsequential draws test trials in which a barrier does not lengthen the way to the object. In the expected outcome
// the actor goes to the object, in the unexpected one to the key.
func (d locks) inconsequential(p *outline, base trial) failure {
	for range 60 {
		e := base
		if !d.drawRing(&e, randomCell(d.draft)) || !d.open(e.shut()).Open(e.start) {
			continue
		}
		for range 6 {
			e.object = []lattice.Point{randomPoint(&d.Rand)}
			if d.freeObject(&e) && d.barsNothing(&e) && d.eitherWay(p, &e) {
				return ""
			}
		}
	}
	return "a barrier that bars nothing"
}

// eitherWay makes the test trials from t: one walk to the object, one to the key. It returns false if a walk fails, if
// the walk to the object is not the shorter one in an episode of even index or the longer one in one of odd index, or
// if the walks do not suit the split.
func (d locks) eitherWay(p *outline, t *trial) bool {
	e, u := *t, *t
	if !d.act(&e, preferred) || !d.act(&u, t.thingKey()) {
		return false
	}
	if longer := len(e.walk.Track) - len(u.walk.Track); longer == 0 || (longer < 0) != d.even() {
		return false
	}
	p.variant = "object farther"
	if d.even() {
		p.variant = "object nearer"
	}
	p.expected, p.unexpected = e, u
	if d.design.Split != Collinear && !d.suitsSplit(&e, t.object[0], *t.key) {
		return false
	}
	return d.suitsSplit(&u, *t.key, t.object[0])
}

// blocking draws test trials in which the actor goes to the key. In the expected outcome the barrier blocks the object;
// in the unexpected one it stands elsewhere and does not lengthen the way.
func (d locks) blocking(p *outline, base trial) failure {
	for range 12 {
		e := base
		if !d.locked(&e) || !d.toKey(d.fresh(&e)) {
			continue
		}
		for range 30 {
			u := e
			if d.displace(&u) && d.toKey(&u) && d.sameToKey(&e, &u) && d.suitsSplit(&u, *u.key, u.object[0]) {
				p.expected, p.unexpected = e, u
				return ""
			}
		}
	}
	return "a place for the barrier where it bars nothing"
}

// displace moves the barrier of t to a place where it does not lengthen the way to the object and touches neither
// things nor the walk to the key.
func (d locks) displace(t *trial) bool {
	old := t.barrier
	if !d.drawRing(t, randomCell(d.draft)) || t.barrier == old {
		return false
	}
	places := append([]lattice.Point{t.start, *t.key, t.object[0]}, t.walk.Track[:t.toKey()]...)
	return !crosses(t.barrier, places) && d.barsNothing(t)
}

// barsNothing reports whether the way to the object is as short with the barrier as without.
func (d locks) barsNothing(t *trial) bool {
	c, ok := d.waysFrom(t.shut(), t.start).Cost(t.object[0])
	return ok && c == cost(d.waysFrom(t.walls, t.start), t.object[0])
}

// toKey lets the actor go to the key and, if the design says GoOn, further to the lock and the object.
func (d locks) toKey(t *trial) bool {
	if !d.design.GoOn {
		return d.repeat(t, t.thingKey())
	}
	s := d.problem(t, preferred)
	s.Fetch = true
	return d.rational(t, s)
}

// toKey returns the number of steps until the actor is at the key.
func (t *trial) toKey() int {
	if t.walk.Took >= 0 {
		return t.walk.Took
	}
	return len(t.walk.Track)
}

func (d locks) sameToKey(e, u *trial) bool {
	return same(e.walk.Track[:e.toKey()], u.walk.Track[:u.toKey()])
}
