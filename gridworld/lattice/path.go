package lattice

// Line appends to dst the nodes of the digital straight line from p to q, without p. These are Chebyshev(p, q) steps to
// neighbours, never further than half a step from the line. Their cost is Octile(p, q).
func Line(dst []Point, p, q Point) []Point {
	n, d := Chebyshev(p, q), q.Sub(p)
	for k := 1; k <= n; k++ {
		dst = append(dst, Point{p.X + share(d.X, k, n), p.Y + share(d.Y, k, n)})
	}
	return dst
}

// share returns d·k/n rounded to the nearest integer, halves away from zero.
func share(d, k, n int) int {
	if d < 0 {
		return -share(-d, k, n)
	}
	return (2*d*k + n) / (2 * n)
}

// free says whether every step of the digital line from p to q is legal.
func (f *Field) free(p, q Point) bool {
	n, d := Chebyshev(p, q), q.Sub(p)
	for at, k := p, 1; k <= n; k++ {
		to := Point{p.X + share(d.X, k, n), p.Y + share(d.Y, k, n)}
		if !f.open(to) || !f.open(Point{at.X, to.Y}) || !f.open(Point{to.X, at.Y}) {
			return false
		}
		at = to
	}
	return true
}

// neighbours are the eight directions. Of equally good steps the first in this order is taken.
var neighbours = [8]Point{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}

// Descend appends to dst the nodes of a cheapest path from p to the nearest source, p first. Of equally good steps it
// takes the one that ends nearest to the straight line from p to `toward`. It returns dst unchanged if there is no
// path.
func (f *Field) Descend(dst []Point, p, toward Point) []Point {
	here, ok := f.Cost(p)
	if !ok {
		return dst
	}
	line := toward.Sub(p)
	for at := p; ; {
		dst = append(dst, at)
		best, off, least := at, -1, 0
		for k, d := range neighbours {
			q := at.Add(d)
			step := Straight
			if k >= 4 {
				step = Diagonal
			}
			c, ok := f.Cost(q)
			if !ok || c+step != here || !f.open(Point{at.X, q.Y}) || !f.open(Point{q.X, at.Y}) {
				continue
			}
			if v := q.Sub(p); off < 0 || abs(v.X*line.Y-v.Y*line.X) < off {
				best, off, least = q, abs(v.X*line.Y-v.Y*line.X), c
			}
		}
		if off < 0 {
			return dst
		}
		at, here = best, least
	}
}

// Taut appends to dst the nodes of a cheapest path from p to the nearest source, p first. It takes the path of Descend,
// and replaces parts of it, as long as possible, by digital straight lines of the same cost. corners are the indices at
// which the lines end, the last one included. It returns dst unchanged if there is no path.
func (f *Field) Taut(dst []Point, p, toward Point) (way []Point, corners []int) {
	start := len(dst)
	dst = f.Descend(dst, p, toward)
	for a := start; a < len(dst)-1; {
		b := len(dst) - 1
		for b > a+1 && !f.direct(dst[a], dst[b]) {
			b--
		}
		Line(dst[:a+1], dst[a], dst[b]) // the line has as many steps as the part that it replaces
		a = b
		corners = append(corners, b)
	}
	return dst, corners
}

// direct says whether the digital straight line from p to q is free and part of a cheapest path to the nearest source.
func (f *Field) direct(p, q Point) bool {
	c, _ := f.Cost(p)
	d, _ := f.Cost(q)
	return c-d == Octile(p, q) && f.free(p, q)
}
