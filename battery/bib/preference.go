package bib

import (
	"cmp"

	"achilles/gridworld/lattice"
)

// A region is the rectangle in which one object of an episode is drawn, by its inclusive corners.
type region struct{ min, max lattice.Point }

// Sides of the regions of the preference task, distances between their centres, and the least spread of an object's
// places: the extremes of the benchmark's published episodes, in pixels.
const (
	regionMin, regionMax = 40, 76
	betweenMin           = 44
	spanMin              = 32
)

// MinApart and MaxApart bound Design.Apart. MaxApart is the extreme of the published episodes.
const (
	MinApart = 56
	MaxApart = 90
)

// exchanges draws episodes in which two objects exchange their places.
type exchanges struct{ *draft }

func (d exchanges) region() region {
	const low, high = Cell + Clearance, Side - Cell - Clearance
	w, h := regionMin+d.IntN(regionMax-regionMin+1), regionMin+d.IntN(regionMax-regionMin+1)
	p := lattice.Point{X: low + d.IntN(high-low-w+1), Y: low + d.IntN(high-low-h+1)}
	return region{p, lattice.Point{X: p.X + w, Y: p.Y + h}}
}

// apart reports whether the regions are disjoint and the distance of their centres is from betweenMin to betweenMax.
func (a region) apart(b region, most int) bool {
	disjoint := a.max.X < b.min.X || b.max.X < a.min.X || a.max.Y < b.min.Y || b.max.Y < a.min.Y
	twice := lattice.Square(a.min.Add(a.max), b.min.Add(b.max)) // the centres, doubled
	return disjoint && twice >= 4*betweenMin*betweenMin && twice <= 4*most*most
}

func (d exchanges) pointIn(a region) lattice.Point {
	return lattice.Point{X: a.min.X + d.IntN(a.max.X-a.min.X+1), Y: a.min.Y + d.IntN(a.max.Y-a.min.Y+1)}
}

// preference draws an episode with two objects, each in its own region; the actor always goes to the one it prefers. In the
// test trials the two objects have exchanged the places that they had in one familiarisation trial. In the expected outcome
// the actor goes to the preferred object at its new place. In the unexpected one it repeats its walk of that
// familiarisation trial, which now leads to the other object. In episodes of even index the preferred object is the nearer
// one in the test trials.
func (d exchanges) preference() (p outline, f failure) {
	base, ways, ok := d.drawScene(8, 16)
	if !ok {
		return p, "room to move"
	}
	var regions [2]region
	for tries := 0; ; tries++ {
		if regions[0], regions[1] = d.region(), d.region(); regions[0].apart(regions[1], cmp.Or(d.design.Apart, MaxApart)) {
			break
		}
		if tries == 200 {
			return p, "two regions apart"
		}
	}
	exchanged := d.IntN(len(p.familiar))
	if !d.exchangeable(&p, exchanged, base, ways, regions) {
		return p, "a trial to exchange the places of"
	}
	for k := range p.familiar {
		if p.familiar[k].object != nil {
			continue
		}
		if p.familiar[k] = base; !d.inRegions(&p.familiar[k], ways, regions) {
			return p, "objects in their regions"
		}
	}
	if !variedPlaces(&p.familiar, ways) {
		return p, "varied places"
	}
	if !p.defeatsPlace() {
		return p, "places that mislead"
	}
	p.variant = "preferred farther"
	if d.even() {
		p.variant = "preferred nearer"
	}
	return p, ""
}

// exchangeable draws familiarisation trial k and makes the test trials from it. It returns false after 400 draws or 8
// walks.
func (d exchanges) exchangeable(p *outline, k int, base trial, ways *lattice.Field, regions [2]region) bool {
	for drawn, walked := 0, 0; drawn < 400 && walked < 8; drawn++ {
		t := base
		if !d.pair(&t, ways, regions) || !d.promising(&t, ways) {
			continue
		}
		walked++
		if d.act(&t, preferred) && d.exchange(p, &t) {
			p.familiar[k] = t
			return true
		}
	}
	return false
}

// pair draws places for two objects in their regions. It returns false if they are too close to the start or to each
// other, or out of reach.
func (d exchanges) pair(t *trial, ways *lattice.Field, regions [2]region) bool {
	p, q := d.pointIn(regions[0]), d.pointIn(regions[1])
	t.object = []lattice.Point{p, q}
	return farFrom(p, fromStart, t.start) && farFrom(q, fromStart, t.start) && farFrom(p, apart, q) && reached(ways, p) && reached(ways, q)
}

func (d exchanges) inRegions(t *trial, ways *lattice.Field, regions [2]region) bool {
	for range 40 {
		if d.pair(t, ways, regions) && d.act(t, preferred) {
			return true
		}
	}
	return false
}

// promising reports whether a test trial with the places of t exchanged meets the conditions that need no walk: the
// preferred object is the nearer one in even episodes and the farther one in odd ones and, in Collinear layouts, one object
// is on the way to the other.
func (d exchanges) promising(t *trial, ways *lattice.Field) bool {
	p, q := t.object[other], t.object[preferred] // places of the preferred and of the other object after the exchange
	near, decided := nearer(ways, t.start, p, q)
	if !decided || near != d.even() {
		return false
	}
	if d.design.Split != Collinear {
		return true
	}
	if !near {
		p, q = q, p
	}
	return d.onTheWay(ways, t.walls, p, q)
}

// variedPlaces reports whether the places of each object span at least spanMin pixels in x or in y, and the preferred one
// is nearer in some trials and not in others.
func variedPlaces(trials *[8]trial, ways *lattice.Field) bool {
	near := 0
	for i := range trials {
		if cost(ways, trials[i].object[preferred]) < cost(ways, trials[i].object[other]) {
			near++
		}
	}
	for o := range 2 {
		low, high := trials[0].object[o], trials[0].object[o]
		for i := range trials {
			q := trials[i].object[o]
			low = lattice.Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
			high = lattice.Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
		}
		if lattice.Chebyshev(low, high) < spanMin {
			return false
		}
	}
	return near > 0 && near < len(trials)
}

// exchange makes the test trials from familiarisation trial t, with the places of its objects exchanged. It returns
// false if a walk fails, the unexpected walk is not the familiar one, or the trials do not suit defeatsCrow or the
// split. Even then p.expected and p.unexpected may be set.
func (d exchanges) exchange(p *outline, t *trial) bool {
	e := *t
	e.object = []lattice.Point{t.object[other], t.object[preferred]}
	u := e
	if !d.act(&e, preferred) || !d.repeat(&u, other) {
		return false
	}
	p.expected, p.unexpected = e, u
	return same(u.walk.Track, t.walk.Track) && p.defeatsCrow(d.even()) && d.suitsSplit(&u, u.object[other], u.object[preferred])
}

// defeatsPlace reports whether the expected trial ends farther from the mean end of the familiarisation trials than the
// unexpected one, so that an observer who expects the usual place errs.
func (p *outline) defeatsPlace() bool {
	sum := lattice.Point{}
	for i := range p.familiar {
		sum = sum.Add(p.familiar[i].end())
	}
	eight := func(q lattice.Point) lattice.Point { return lattice.Point{X: 8 * q.X, Y: 8 * q.Y} }
	return lattice.Square(sum, eight(p.expected.end())) > lattice.Square(sum, eight(p.unexpected.end()))
}

// defeatsCrow checks an observer that ignores walls and expects the actor to go to the nearer object. near is true if this is
// the preferred object. defeatsCrow reports whether the observer finds the expected trial less surprising than the
// unexpected one if near is true, and more surprising otherwise.
func (p *outline) defeatsCrow(near bool) bool {
	goal := p.expected.object[other]
	if near {
		goal = p.expected.object[preferred]
	}
	e, u := p.expected.openExcess(goal), p.unexpected.openExcess(goal)
	return near && e < u || !near && e > u
}
