package bib

import (
	"achilles/gridworld/lattice"
)

// roomy is the number of nodes that must be within reach for a layout to be worth a try: a third of an empty scene.
const roomy = 6600

// drawScene draws walls and a start with room to move.
func (d *draft) drawScene(lo, hi int) (t trial, ways *lattice.Field, ok bool) {
	t.walls = randomWalls(&d.Rand, lo, hi, &cells{})
	m := d.open(t.walls)
	for tries := 0; !m.Open(t.start); tries++ {
		if tries == 20 {
			return t, nil, false
		}
		t.start = randomPoint(&d.Rand)
	}
	ways = d.planner.From(m, t.start)
	return t, ways, ways.Reached() >= roomy
}

// farFrom says whether p is at least distance pixels from all of q, as the crow flies.
func farFrom(p lattice.Point, distance int, q ...lattice.Point) bool {
	for _, o := range q {
		if lattice.Square(p, o) < distance*distance {
			return false
		}
	}
	return true
}

// reached says whether the way to p is known.
func reached(f *lattice.Field, p lattice.Point) bool {
	_, ok := f.Cost(p)
	return ok
}

// cost is the cost of the way to p, which must be known.
func cost(f *lattice.Field, p lattice.Point) int {
	c, ok := f.Cost(p)
	if !ok {
		panic("bib: cost of a place out of reach")
	}
	return c
}

// pixel is the cost of a pixel.
const pixel = lattice.Straight

// nearer says whether p is nearer to the start than q, and whether the difference is beyond doubt: the same by way and
// as the crow flies, and at least two pixels.
func nearer(ways *lattice.Field, start, p, q lattice.Point) (near, decided bool) {
	const margin = 2 * 2 * fromStart // (r+2)² − r² is at least that for r ≥ fromStart
	way := cost(ways, p) - cost(ways, q)
	air := lattice.Square(start, p) - lattice.Square(start, q)
	near = way < 0
	return near, max(way, -way) >= 2*pixel && max(air, -air) >= margin && (air < 0) == near
}

// twoAnywhere draws places for two objects anywhere, the first nearer to the start or farther from it.
func (d *draft) twoAnywhere(t *trial, ways *lattice.Field, firstNear bool) bool {
	for range 60 {
		p, q := randomPoint(&d.Rand), randomPoint(&d.Rand)
		if !farFrom(p, fromStart, t.start) || !farFrom(q, fromStart, t.start) || !farFrom(p, apart, q) || !reached(ways, p) || !reached(ways, q) {
			continue
		}
		if near, decided := nearer(ways, t.start, p, q); decided && near == firstNear {
			t.object = []lattice.Point{p, q}
			return true
		}
	}
	return false
}

// sidetrack is how far from a cheapest way to the farther object the nearer one may be in Collinear layouts, in pixels.
const sidetrack = 2

// telling says whether the walk of t to the goal suits the split: in Default layouts its way wastes MinExcess on the
// way to the rival; in Collinear ones the nearer of the two lies on a cheapest way to the farther. Walls are those
// that stand.
func (d *draft) telling(t *trial, goal, rival lattice.Point) bool {
	walls := t.shut()
	ways := d.from(walls, t.start)
	if d.design.Split == Default {
		return t.excess(d.from(walls, rival)) >= MinExcess*pixel
	}
	near, far := goal, rival
	if cost(ways, rival) < cost(ways, goal) {
		near, far = rival, goal
	}
	return d.onTheWay(ways, walls, near, far)
}

// onTheWay says whether a cheapest way from the start to far leads past near.
func (d *draft) onTheWay(ways *lattice.Field, walls cells, near, far lattice.Point) bool {
	slack := cost(ways, far) + sidetrack*pixel - cost(ways, near)
	return lattice.Octile(near, far) <= slack && cost(d.from(walls, far), near) <= slack
}
