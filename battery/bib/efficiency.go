package bib

import "achilles/gridworld/lattice"

// A detour is at least that much longer than the way without the bar.
const (
	detourTenths = 13 // times as long, in tenths
	detourExtra  = 20 // and so many pixels more
)

// A barred scene has a bar of wall cells between the start and where objects are.
type barred struct {
	base       cells // the walls without the bar
	bar        cells
	first      cell // of the bar
	along      cell // the unit step along it
	length     int
	start      lattice.Point
	free, ways *lattice.Field // from the start, without the bar and with it
}

// with returns the walls with the bar.
func (b *barred) with() cells { return b.base.union(&b.bar) }

// barAt is the bar of length cells from c on; ok is false where it leaves the inner cells.
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

// drawBar draws walls, a bar of at least shortest cells and a start close to its middle.
func (d *draft) drawBar(shortest int) (b barred, ok bool) {
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
	b.free, b.ways = d.from(b.base, b.start), d.from(b.with(), b.start)
	return b, b.ways.Reached() >= roomy
}

// behind draws a place for the object to which the bar makes the way a detour.
func (d *draft) behind(b *barred) (lattice.Point, bool) {
	for range 60 {
		p := randomPoint(&d.Rand)
		if !farFrom(p, fromStart, b.start) || !reached(b.ways, p) {
			continue
		}
		if 10*cost(b.ways, p) >= detourTenths*cost(b.free, p)+10*detourExtra*pixel {
			return p, true
		}
	}
	return lattice.Point{}, false
}

// efficiency: one object; a bar makes the actor go a long way round in all familiarisation trials. The test trials are
// made by the task.
func (d *draft) efficiency(test func(p *outline, b *barred) failure) (p outline, f failure) {
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
	return p, test(&p, &b)
}

// shorterWay: in the test the bar is gone, or in every third episode elsewhere; the actor takes what is now the
// cheapest way, or the familiar one.
func (d *draft) shorterWay(p *outline, b *barred) failure {
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

// wasteful says whether the walk of t is legal in its scene, and at least a fifth and MinExcess longer than needed.
func (d *draft) wasteful(t *trial) bool {
	m := d.open(t.walls)
	at := t.start
	for _, p := range t.walk.Track {
		if !m.Open(p) || !m.CanStep(at, p) && !d.stepsTo(m, at, p) {
			return false
		}
		at = p
	}
	ways := d.from(t.walls, t.object[0])
	least := cost(ways, t.start)
	waste := t.excess(ways)
	return waste >= MinExcess*pixel && 5*waste >= least
}

// stepsTo says whether two legal steps lead from p to q.
func (d *draft) stepsTo(m *lattice.Map, p, q lattice.Point) bool {
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

// moveBar puts the bar to another place, off the familiar way and on the straight one.
func (d *draft) moveBar(t *trial, b *barred) bool {
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
		ways := d.from(t.walls, t.start)
		return reached(ways, t.object[0]) && cost(ways, t.object[0]) >= cost(b.free, t.object[0])+detourExtra*pixel/2
	}
	return false
}

// crosses says whether one of the places is closer to the bar than an actor can be.
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

// sameTime: in the test the bar is gone; the actor goes straight to an object farther off, or the familiar way round
// to where it was before, in the same time.
func (d *draft) sameTime(p *outline, b *barred) failure {
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
				continue // it will not take the same time
			}
			if e.object = []lattice.Point{at}; d.act(&e, preferred) && len(e.walk.Track) == len(u.walk.Track) {
				p.expected, p.unexpected = e, u
				return ""
			}
		}
	}
	return "an object that takes as long to go to"
}

// habit: the test trial is the same, a familiar detour where there is no bar. It is to be expected from an actor whom
// one has seen do so, and not from one who had to.
func (d *draft) habit(p *outline, b *barred) failure {
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

// irrational makes the familiarisation of the unexpected outcome the rational one so far, and that of the expected
// outcome the same without a bar, played by the irrational actor.
func (d *draft) irrational(p *outline, b *barred) bool {
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

// newHabit: as habit, but the detour was never seen, and a bar of four cells is in the way of neither the detour nor
// the cheapest way, two of its cells where the bar was before: the scene is equally unlike both familiarisations.
func (d *draft) newHabit(p *outline, b *barred) failure {
	if !d.irrational(p, b) {
		return "a twin who goes round a bar that is not there"
	}
	for range 20 {
		t := p.familiar[0]
		at, ok := d.behind(b)
		if !ok || !d.unseen(p, at) {
			continue
		}
		if t.object = []lattice.Point{at}; !d.detour(&t, b.with(), preferred) {
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

// unseen says whether no familiar object was within a cell of the place.
func (d *draft) unseen(p *outline, at lattice.Point) bool {
	for i := range p.familiar {
		if lattice.Chebyshev(p.familiar[i].object[0], at) < Cell/2 {
			return false
		}
	}
	return true
}
