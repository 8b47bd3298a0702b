package bib

import "achilles/gridworld/lattice"

// In Telling and Collinear layouts a detour round the bar must be at least detourTenths/10 times as long as the way without
// the bar, plus detourExtra; in Natural ones it must be longer by clearDetour.
const (
	detourTenths = 13            // in tenths
	detourExtra  = 20            // pixels
	clearDetour  = 2 * maxDetour // cost; a way of a rational actor wastes half as much at most
)

// A barred scene has a bar of wall cells close to the start.
type barred struct {
	base       cells // all wall cells but those of the bar
	bar        cells
	first      cell // first cell of the bar
	along      cell // unit step from one cell of the bar to the next
	length     int
	start      lattice.Point
	free, ways *lattice.Field // ways from the start: free without the bar, ways with it
}

// with returns the cells of walls and bar.
func (b *barred) with() cells { return b.base.union(&b.bar) }

// barAt returns the wall cells of a straight bar that starts at c and runs `length` cells in direction `along`; ok is
// false if a cell is not an inner cell.
func barAt(c, along cell, length int) (s cells, ok bool) {
	for k := range length {
		q := cell{c.x + k*along.x, c.y + k*along.y}
		if !q.inner() {
			return s, false
		}
		s.add(q)
	}
	return s, true
}

// detours draws episodes in which a bar forces the actor to make a detour, before the test.
type detours struct{ *draft }

// drawBar draws walls, a bar of `shortest` to 4 cells and a start beside the bar. ok is false if they do not fit or
// leave too little room to move.
func (d detours) drawBar(shortest int) (b barred, ok bool) {
	b.length = shortest + d.IntN(5-shortest)
	b.along = cell{0, 1}
	across := cell{1, 0}
	if d.Bernoulli(0.5) {
		b.along, across = across, b.along
	}
	u, v := 1+d.IntN(Cells-1-b.length), 3+d.IntN(Cells-6)
	b.first = cell{u*b.along.x + v*across.x, u*b.along.y + v*across.y}
	if b.bar, ok = barAt(b.first, b.along, b.length); !ok {
		return b, false
	}
	b.base = randomWalls(&d.Rand, 3, 7, &b.bar)
	side := 1 - 2*d.IntN(2)
	out, slide := side*(Cell/2+Clearance+d.IntN(30)), d.IntN(Cell*b.length)
	middle := b.first.centre()
	b.start = lattice.Point{
		X: middle.X + out*across.x + (slide-Cell/2)*b.along.x,
		Y: middle.Y + out*across.y + (slide-Cell/2)*b.along.y,
	}
	if !d.open(b.with()).Open(b.start) {
		return b, false
	}
	b.free, b.ways = d.waysFrom(b.base, b.start), d.waysFrom(b.with(), b.start)
	return b, b.ways.Reached() >= roomy
}

// behind draws a place for an object such that the bar forces the actor to make a detour to it. It returns false after
// 60 failures.
func (d detours) behind(b *barred) (lattice.Point, bool) {
	for range 60 {
		p := randomPoint(&d.Rand)
		if !farFrom(p, fromStart, b.start) || !reached(b.ways, p) {
			continue
		}
		with, without := cost(b.ways, p), cost(b.free, p)
		if d.design.Split == Natural && with >= without+clearDetour || 10*with >= detourTenths*without+10*detourExtra*pixel {
			return p, true
		}
	}
	return lattice.Point{}, false
}

// efficiency draws an episode with one object, in which a bar forces the actor to make a long detour in all familiarisation
// trials. test draws the test trials.
func (d detours) efficiency(test func(d detours, p *outline, b *barred) failure) (p outline, f failure) {
	shortest := 3
	if d.task == EfficiencyIrrationalControl {
		shortest = 4
	}
	b, ok := d.drawBar(shortest)
	if !ok {
		return p, "a bar with room around it"
	}
	for k := range p.familiar {
		t := &p.familiar[k]
		t.walls, t.start = b.with(), b.start
		at, ok := d.behind(&b)
		if t.object = []lattice.Point{at}; !ok || !d.act(t, preferred) {
			return p, "objects behind the bar"
		}
	}
	return p, test(d, &p, &b)
}

// shorterWay draws test trials in which the bar is gone or, in every third episode, elsewhere. In the expected outcome the
// actor takes the path that is now shortest; in the unexpected one it walks as in a familiarisation trial.
func (d detours) shorterWay(p *outline, b *barred) failure {
	p.variant = "removed"
	if d.index%3 == 2 {
		p.variant = "moved"
	}
	for _, k := range d.Perm(len(p.familiar)) {
		u := p.familiar[k]
		u.walls = b.base
		if p.variant == "moved" && !d.moveBar(&u, b) {
			continue
		}
		e := u
		if d.act(&e, preferred) && d.wasteful(&u) {
			p.expected, p.unexpected = e, u
			return ""
		}
	}
	return "a test trial in which the familiar way is wasteful"
}

// wasteful reports whether the walk of t touches no wall of its scene, and is longer than needed by at least MinExcess
// pixels and at least a fifth of the shortest path; in Natural layouts, by clearDetour.
func (d detours) wasteful(t *trial) bool {
	m := d.open(t.walls)
	at := t.start
	for _, p := range t.walk.Track {
		if !m.Open(p) || !m.CanStep(at, p) && !d.stepsTo(m, at, p) {
			return false
		}
		at = p
	}
	ways := d.waysFrom(t.walls, t.object[0])
	least := cost(ways, t.start)
	waste := t.excess(ways)
	if d.design.Split == Natural {
		return waste >= clearDetour
	}
	return waste >= MinExcess*pixel && 5*waste >= least
}

// stepsTo reports whether two legal steps lead from p to q, through one of three points about half-way.
func (d detours) stepsTo(m *lattice.Map, p, q lattice.Point) bool {
	v := q.Sub(p)
	half := lattice.Point{X: p.X + v.X/2, Y: p.Y + v.Y/2}
	for _, via := range [3]lattice.Point{half, q.Sub(lattice.Point{X: v.X / 2, Y: v.Y / 2}), {X: p.X + (v.X+sign(v.X))/2, Y: p.Y + (v.Y+sign(v.Y))/2}} {
		if m.CanStep(p, via) && m.CanStep(via, q) {
			return true
		}
	}
	return false
}

func sign(x int) int { return min(max(x, -1), 1) }

// moveBar moves the bar to another place, on the path that the actor would take without it and off the path of t.walk.
// It returns false if that fails.
func (d detours) moveBar(t *trial, b *barred) bool {
	straight := *t
	if !d.act(&straight, preferred) {
		return false
	}
	for range 60 {
		c := cell{1 + d.IntN(Cells-2), 1 + d.IntN(Cells-2)}
		bar, ok := barAt(c, b.along, b.length)
		if !ok || bar == b.bar || bar.meets(&b.base) || !crosses(bar, straight.walk.Track) || crosses(bar, t.walk.Track) ||
			crosses(bar, []lattice.Point{t.start, t.object[0]}) {
			continue
		}
		t.walls = b.base.union(&bar)
		ways := d.waysFrom(t.walls, t.start)
		return reached(ways, t.object[0]) && cost(ways, t.object[0]) >= cost(b.free, t.object[0])+detourExtra*pixel/2
	}
	return false
}

// crosses reports whether an actor at one of the places would touch the bar.
func crosses(bar cells, places []lattice.Point) bool {
	for _, c := range bar.list() {
		for _, p := range places {
			if lattice.Chebyshev(p, c.centre()) < Cell/2+Clearance {
				return true
			}
		}
	}
	return false
}

// sameTime draws test trials without the bar. In the expected outcome the actor goes straight to an object farther
// away. In the unexpected one it makes the familiar detour to the old place of the object, which takes as many frames.
func (d detours) sameTime(p *outline, b *barred) failure {
	for _, k := range d.Perm(len(p.familiar)) {
		u := p.familiar[k]
		if u.walls = b.base; !d.wasteful(&u) {
			continue
		}
		for range 400 {
			e := u
			at := randomPoint(&d.Rand)
			if lattice.Square(at, b.start) <= lattice.Square(u.object[0], b.start) || !reached(b.free, at) || cost(b.free, at) != lattice.Octile(at, b.start) {
				continue
			}
			if more := lattice.Chebyshev(at, b.start) - 2*len(u.walk.Track); more < 0 || more > 2*Clearance {
				continue // the two walks cannot take the same time
			}
			if e.object = []lattice.Point{at}; d.act(&e, preferred) && len(e.walk.Track) == len(u.walk.Track) {
				p.expected, p.unexpected = e, u
				return ""
			}
		}
	}
	return "an object that takes as long to go to"
}

// habit makes two equal test trials with a familiar detour and without the bar. The detour is expected of an actor that
// made detours without a bar in the familiarisation trials, and unexpected of one that had to go round a bar in them.
func (d detours) habit(p *outline, b *barred) failure {
	if !d.irrational(p, b) {
		return "a twin who goes round a bar that is not there"
	}
	t := p.familiar[d.IntN(len(p.familiar))]
	if t.walls = b.base; !d.wasteful(&t) {
		return "a wasteful detour"
	}
	p.expected, p.unexpected = t, t
	return ""
}

// irrational keeps the present familiarisation, by the rational actor, for the unexpected outcome. For the expected
// outcome it makes the same walks without a bar, by the irrational actor. It returns false if the walks differ.
func (d detours) irrational(p *outline, b *barred) bool {
	rational := p.familiar
	p.unfamiliar = &rational
	for k := range p.familiar {
		t := &p.familiar[k]
		t.walls = b.base
		if !d.detour(t, b.with(), preferred) || !same(t.walk.Track, rational[k].walk.Track) {
			return false
		}
	}
	return true
}

// newHabit makes test trials as habit does, but with a detour that no familiarisation trial showed, and with another bar: it
// has the same length and is shifted by two cells in its direction. Neither the detour nor the start nor the object touches
// the new bar. So the scene differs equally from both familiarisations.
func (d detours) newHabit(p *outline, b *barred) failure {
	if !d.irrational(p, b) {
		return "a twin who goes round a bar that is not there"
	}
	for range 20 {
		t := p.familiar[0]
		at, ok := d.behind(b)
		if !ok || !d.unseen(p, at) {
			continue
		}
		if t.object = []lattice.Point{at}; !d.detour(d.fresh(&t), b.with(), preferred) {
			continue
		}
		for _, shift := range [2]int{2, -2} {
			bar, ok := barAt(cell{b.first.x + shift*b.along.x, b.first.y + shift*b.along.y}, b.along, b.length)
			if !ok || bar.meets(&b.base) || crosses(bar, t.walk.Track) || crosses(bar, []lattice.Point{t.start, at}) {
				continue
			}
			if t.walls = b.base.union(&bar); d.wasteful(&t) {
				p.expected, p.unexpected = t, t
				return ""
			}
		}
	}
	return "a detour that was never seen, past another bar"
}

// unseen reports whether every familiar object was at least half a cell away from `at`, in x or in y.
func (d detours) unseen(p *outline, at lattice.Point) bool {
	for i := range p.familiar {
		if lattice.Chebyshev(p.familiar[i].object[0], at) < Cell/2 {
			return false
		}
	}
	return true
}
