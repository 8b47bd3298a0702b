package bib

import (
	"achilles/gridworld/lattice"
)

// roomy is the least number of nodes that the actor must be able to reach in a usable layout: about a third of those in an
// empty scene.
const roomy = 6600

// drawScene draws lo to hi wall cells and a start. ok is false if there is no start, or fewer than roomy nodes can be
// reached from it.
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

// farFrom reports whether p is at least `distance` pixels, in a straight line, from every point of q.
func farFrom(p lattice.Point, distance int, q ...lattice.Point) bool {
	for _, o := range q {
		if lattice.Square(p, o) < distance*distance {
			return false
		}
	}
	return true
}

// reached reports whether there is a path to p.
func reached(f *lattice.Field, p lattice.Point) bool {
	_, ok := f.Cost(p)
	return ok
}

// cost returns the cost of the way to p. It panics if there is none.
func cost(f *lattice.Field, p lattice.Point) int {
	c, ok := f.Cost(p)
	if !ok {
		panic("bib: cost of a place out of reach")
	}
	return c
}

// pixel is the cost of a straight step of one pixel.
const pixel = lattice.Straight

// nearer reports whether p is nearer to the start than q by path cost. decided is true if path costs and straight
// distances agree on which point is nearer, the path costs differ by at least two pixels, and the squares of the straight
// distances differ by at least margin.
func nearer(ways *lattice.Field, start, p, q lattice.Point) (near, decided bool) {
	const margin = 2 * 2 * fromStart // (r + 2)² − r² = 4r + 4 is larger for all distances r ≥ fromStart
	way := cost(ways, p) - cost(ways, q)
	air := lattice.Square(start, p) - lattice.Square(start, q)
	near = way < 0
	return near, max(way, -way) >= 2*pixel && max(air, -air) >= margin && (air < 0) == near
}

// twoAnywhere draws places for two objects; firstNear says whether the first is the nearer one. It returns false after
// 60 failures.
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

// sidetrack is a length in pixels: in Collinear layouts, a path to the farther object that passes the nearer one may be at
// most so much longer than the shortest path.
const sidetrack = 2

// suitsSplit reports whether the walk of t to `goal` suits the split. In Telling layouts its path is at least MinExcess
// pixels longer than needed for reaching `rival`; in Collinear ones the nearer of the two places is on a shortest path
// to the farther one. Natural layouts all suit. The barrier counts as walls.
func (d *draft) suitsSplit(t *trial, goal, rival lattice.Point) bool {
	if d.design.Split == Natural {
		return true
	}
	walls := t.shut()
	ways := d.waysFrom(walls, t.start)
	if d.design.Split == Telling {
		return t.excess(d.waysFrom(walls, rival)) >= MinExcess*pixel
	}
	near, far := goal, rival
	if cost(ways, rival) < cost(ways, goal) {
		near, far = rival, goal
	}
	return d.onTheWay(ways, walls, near, far)
}

// onTheWay reports whether a path from the start past near to far is at most sidetrack pixels longer than the shortest.
func (d *draft) onTheWay(ways *lattice.Field, walls cells, near, far lattice.Point) bool {
	slack := cost(ways, far) + sidetrack*pixel - cost(ways, near)
	return lattice.Octile(near, far) <= slack && cost(d.waysFrom(walls, far), near) <= slack
}
