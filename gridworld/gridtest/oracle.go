// Package gridtest is for tests that use worlds: slow, obvious versions of sight, steps and distances, a generator of
// random worlds, film strips (texts that say what must happen in a world), and a conformance suite for agents.
package gridtest

import "achilles/gridworld"

// Top returns the height up to which c blocks sight; 99 is higher than everything.
func Top(c gridworld.Cell) int {
	switch c.Kind {
	case gridworld.Wall, gridworld.Occluder:
		return 99
	case gridworld.LowWall, gridworld.Barrier, gridworld.Lock, gridworld.Ramp, gridworld.Climb, gridworld.Slide:
		return int(c.Height) + 1
	}
	return int(c.Height)
}

// Sees does what World.Sees does, by plane geometry and cell by cell.
func Sees(w *gridworld.World, a, b gridworld.Pos) bool {
	if !w.Inside(a) || !w.Inside(b) {
		return false
	}
	if w.At(a).Kind == gridworld.Hole || w.At(b).Kind == gridworld.Hole {
		return a == b
	}
	eye := max(int(w.At(a).Height), int(w.At(b).Height)) + 1
	blocks := func(x, y int) bool { return Top(w.At(gridworld.Pos{X: x, Y: y})) > eye }
	for y := range w.Height() {
		for x := range w.Width() {
			p := gridworld.Pos{X: x, Y: y}
			if p != a && p != b && blocks(x, y) && crosses(a, b, x, y) {
				return false
			}
		}
	}
	for y := 1; y < w.Height(); y++ {
		for x := 1; x < w.Width(); x++ {
			if !through(a, b, x, y) {
				continue
			}
			// The line passes between two of the four cells around the corner; the other two are beside it.
			rising := (b.X > a.X) == (b.Y > a.Y)
			if rising && blocks(x-1, y) && blocks(x, y-1) || !rising && blocks(x-1, y-1) && blocks(x, y) {
				return false
			}
		}
	}
	return true
}

// crosses says whether the segment between the centres of a and b meets the interior of cell (x, y). Lengths are
// doubled, so that centres are odd numbers and corners even ones.
func crosses(a, b gridworld.Pos, x, y int) bool {
	// The parameter runs from 0 to 1 along the segment; each axis restricts it to an open interval.
	low, high := fraction{0, 1}, fraction{1, 1}
	for _, axis := range [2][3]int{{2*a.X + 1, 2 * (b.X - a.X), 2 * x}, {2*a.Y + 1, 2 * (b.Y - a.Y), 2 * y}} {
		start, delta, side := axis[0], axis[1], axis[2]
		if delta == 0 {
			if start <= side || start >= side+2 {
				return false
			}
			continue
		}
		in, out := fraction{side - start, delta}.plain(), fraction{side + 2 - start, delta}.plain()
		if delta < 0 {
			in, out = out, in
		}
		if low.less(in) {
			low = in
		}
		if out.less(high) {
			high = out
		}
	}
	return low.less(high)
}

// through says whether the corner at the south-west of cell (x, y) is on the segment between the centres of a and b.
func through(a, b gridworld.Pos, x, y int) bool {
	dx, dy := 2*(b.X-a.X), 2*(b.Y-a.Y)
	px, py := 2*x-2*a.X-1, 2*y-2*a.Y-1
	along := px*dx + py*dy
	return px*dy == py*dx && along > 0 && along < dx*dx+dy*dy
}

type fraction struct{ n, d int }

func (f fraction) plain() fraction {
	if f.d < 0 {
		return fraction{-f.n, -f.d}
	}
	return f
}

func (f fraction) less(g fraction) bool { return f.n*g.d < g.n*f.d }

// CanStep does what World.CanStep does, from the two or four cells concerned.
func CanStep(w *gridworld.World, p gridworld.Pos, d gridworld.Dir) bool {
	q := p.Add(d)
	if !d.Diagonal() {
		return w.Inside(p) && w.Inside(q) && straight(w.At(p), w.At(q), d)
	}
	if w.Rules().Move != gridworld.Eight {
		return false
	}
	one, other := d.Turn(-1), d.Turn(1)
	return CanStep(w, p, one) && CanStep(w, p.Add(one), other) && CanStep(w, p, other) && CanStep(w, p.Add(other), one)
}

// straight says whether an orthogonal step from a in direction d to b is legal.
func straight(a, b gridworld.Cell, d gridworld.Dir) bool {
	switch a.Kind {
	case gridworld.Lava, gridworld.Hole, gridworld.ShallowHole:
		return false
	}
	for _, c := range []gridworld.Cell{a, b} {
		switch {
		case c.Kind == gridworld.Climb && c.Facing == d.Opposite(), c.Kind == gridworld.Slide && c.Facing == d:
			return false
		case c.Kind == gridworld.Wall, c.Kind == gridworld.Occluder, c.Kind == gridworld.ClearWall,
			c.Kind == gridworld.LowWall, c.Kind == gridworld.Barrier, c.Kind == gridworld.Lock:
			return false
		}
	}
	a.Colour, b.Colour = gridworld.None, gridworld.None
	if a == b && sloped(a) {
		return true
	}
	if sideways(a, d) || sideways(b, d) {
		return false
	}
	return ground(b, d.Opposite()) <= ground(a, d)
}

func sloped(c gridworld.Cell) bool {
	return c.Kind == gridworld.Ramp || c.Kind == gridworld.Climb || c.Kind == gridworld.Slide
}

func sideways(c gridworld.Cell, d gridworld.Dir) bool {
	return sloped(c) && d != c.Facing && d != c.Facing.Opposite()
}

// ground returns the height of the side of c in direction d.
func ground(c gridworld.Cell, d gridworld.Dir) int {
	if sloped(c) && d == c.Facing {
		return int(c.Height) + 1
	}
	return int(c.Height)
}

// Distances returns the number of steps to the nearest goal from every cell from which one can be reached, by trying
// every step until nothing becomes shorter. The cells of avoid count as walls; nil: none.
func Distances(w *gridworld.World, goals, avoid *gridworld.Board) map[gridworld.Pos]int {
	if avoid == nil {
		avoid = &gridworld.Board{}
	}
	dist := map[gridworld.Pos]int{}
	for p := range goals.All() {
		if w.Inside(p) && w.At(p).Kind.Passable() && !avoid.Has(p) {
			dist[p] = 0
		}
	}
	for better := true; better; {
		better = false
		for p := range Cells(w) {
			for d := gridworld.North; d < gridworld.Directions; d++ {
				there, ok := dist[p.Add(d)]
				if !ok || !CanStep(w, p, d) || avoid.Has(p) || d.Diagonal() && (avoid.Has(p.Add(d.Turn(1))) || avoid.Has(p.Add(d.Turn(-1)))) {
					continue
				}
				if here, ok := dist[p]; !ok || there+1 < here {
					dist[p] = there + 1
					better = true
				}
			}
		}
	}
	return dist
}
