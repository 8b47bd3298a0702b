package bib

import (
	"achilles/gridworld/lattice"
	"achilles/sim/rng"
)

// The geometry of the benchmark's scenes, in pixels, as its files have it (docs/theory/bib.md).
const (
	Side      = 200         // side of the square scene
	Cell      = 20          // side of a wall cell
	Cells     = Side / Cell // number of cells along a side of the scene
	Clearance = 10          // smallest distance from the centre of an actor or object to a wall

	actorHalf, objectHalf, keyHalf, lockHalf = 6, 9, 8, 10
)

// Smallest distances in layouts, in pixels. MinExcess is chosen here; the others are the smallest in the benchmark's
// published episodes, rounded down.
const (
	fromStart  = 40 // from the start of the actor to any object
	apart      = 42 // between objects
	closeStart = 17 // from the start to the objects of background tasks
	MinExcess  = 20 // in Telling layouts: least length that the path to the unexpected goal wastes as a way to the expected one
)

// A cell of the wall grid: column x from the left, row y from the bottom.
type cell struct{ x, y int }

// centre returns the centre of the cell in pixels.
func (c cell) centre() lattice.Point {
	return lattice.Point{X: Cell*c.x + Cell/2, Y: Cell*c.y + Cell/2}
}

// inner reports whether the cell is inside the border wall.
func (c cell) inner() bool { return c.x >= 1 && c.y >= 1 && c.x < Cells-1 && c.y < Cells-1 }

// cells is a set of inner cells.
type cells [Cells]uint16

func (s *cells) add(c cell)      { s[c.y] |= 1 << c.x }
func (s *cells) has(c cell) bool { return s[c.y]>>c.x&1 != 0 }

func (s *cells) union(o *cells) (u cells) {
	for y := range s {
		u[y] = s[y] | o[y]
	}
	return u
}

func (s *cells) meets(o *cells) bool {
	for y := range s {
		if s[y]&o[y] != 0 {
			return true
		}
	}
	return false
}

// list returns the cells row by row from the bottom left.
func (s *cells) list() []cell {
	var l []cell
	for y := range s {
		for x := range Cells {
			if c := (cell{x, y}); s.has(c) {
				l = append(l, c)
			}
		}
	}
	return l
}

// frame returns the cells of the square ring round c whose sides are 2r+1 cells long; ok is false if one of them is not
// an inner cell.
func frame(c cell, r int) (s cells, ok bool) {
	for d := -r; d <= r; d++ {
		for _, q := range [4]cell{{c.x + d, c.y + r}, {c.x + d, c.y - r}, {c.x + r, c.y + d}, {c.x - r, c.y + d}} {
			if !q.inner() {
				return s, false
			}
			s.add(q)
		}
	}
	return s, true
}

// block closes the nodes at which an actor would touch cell c. In Ideal motion its sides are at x and x + Cell; in
// Measured motion it is the pixels x to x + Cell − 1, so that the actor comes one pixel closer from the right and the top.
func (o Motion) block(m *lattice.Map, c cell) {
	x, y, last := Cell*c.x, Cell*c.y, Cell-1
	if o == Ideal {
		last = Cell
	}
	m.Block(x-Clearance, y-Clearance, x+last+Clearance, y+last+Clearance)
}

// border returns the map of an empty scene.
func (o Motion) border() *lattice.Map {
	m := lattice.NewMap(Side+1, Side+1)
	for i := range Cells {
		for _, c := range [4]cell{{i, 0}, {i, Cells - 1}, {0, i}, {Cells - 1, i}} {
			o.block(m, c)
		}
	}
	return m
}

// randomWalls draws lo to hi inner cells in short random walks of up to three cells. None of them is in `not`.
func randomWalls(r *rng.Rand, lo, hi int, not *cells) cells {
	var s cells
	for n := lo + r.IntN(hi-lo+1); n > 0; {
		c := cell{1 + r.IntN(Cells-2), 1 + r.IntN(Cells-2)}
		for length := 1 + r.IntN(3); length > 0 && n > 0; length-- {
			if c.inner() && !not.has(c) && !s.has(c) {
				s.add(c)
				n--
			}
			step := [4]cell{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}[r.IntN(4)]
			c = cell{c.x + step.x, c.y + step.y}
		}
	}
	return s
}

// randomPoint draws a point at which an actor does not touch the border wall.
func randomPoint(r *rng.Rand) lattice.Point {
	const low, high = Cell + Clearance, Side - Cell - Clearance
	return lattice.Point{X: low + r.IntN(high-low+1), Y: low + r.IntN(high-low+1)}
}
