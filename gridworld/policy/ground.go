package policy

import "achilles/gridworld"

// A ground is what stands in a room.
type ground struct {
	layout gridworld.World // cells and rules only

	lavaKnown  bool // the following are computed
	lava       gridworld.Board
	besideLava gridworld.Board // the cells from which a step leads into lava
}

func (g *ground) look(p gridworld.Pos) gridworld.Cell {
	if !g.layout.Inside(p) {
		return gridworld.Cell{Kind: gridworld.Wall}
	}
	return g.layout.At(p)
}

// drop says whether the step from p in direction d leads down a ledge.
func (g *ground) drop(p gridworld.Pos, d gridworld.Dir) bool {
	if !g.layout.CanStep(p, d) {
		return false
	}
	here, there := g.layout.At(p), g.layout.At(p.Add(d))
	return !here.Kind.Sloped() && !there.Kind.Sloped() && here.Height > there.Height
}

// alike says whether the cells p and q and their neighbours look the same.
func (g *ground) alike(p, q gridworld.Pos) bool {
	for y := -1; y <= 1; y++ {
		for x := -1; x <= 1; x++ {
			if g.look(gridworld.Pos{X: p.X + x, Y: p.Y + y}) != g.look(gridworld.Pos{X: q.X + x, Y: q.Y + y}) {
				return false
			}
		}
	}
	return true
}

// allLava returns the cells with lava, and those from which a step leads into lava. Only agents that cannot handle it ask.
func (g *ground) allLava() (lava, beside *gridworld.Board) {
	if !g.lavaKnown {
		g.lavaKnown = true
		g.lava = g.layout.Where(gridworld.Lava)
		g.besideLava = g.layout.Entrances(&g.lava)
	}
	return &g.lava, &g.besideLava
}

// touching returns the cells in which an actor touches a thing at p.
func (g *ground) touching(p gridworld.Pos) gridworld.Board {
	b := g.layout.Contact(p)
	if b.Empty() && g.layout.Inside(p) {
		b.Set(p) // lava has no cell of contact: the actor walks into it
	}
	return b
}

// nearest returns the cell nearest to target by Manhattan distance that can be reached from p and left again; of
// equally near cells the first from the south-west.
func (g *ground) nearest(p, target gridworld.Pos) gridworld.Pos {
	can := g.layout.Reachable(p)
	best := p
	for q := range can.All() {
		if q.Manhattan(target) < best.Manhattan(target) && !g.layout.At(q).Kind.Absorbing() {
			best = q
		}
	}
	return best
}

// isTube says whether p is a cell of a tube: a coloured occluder.
func (g *ground) isTube(p gridworld.Pos) bool {
	c := g.look(p)
	return c.Kind == gridworld.Occluder && c.Colour != gridworld.None
}

// along returns, for each cell of the tube, the number of cells through the tube from p. A tube continues behind a tube
// of another colour that it crosses.
func (g *ground) along(p gridworld.Pos) map[gridworld.Pos]int {
	colour := g.layout.At(p).Colour
	far := map[gridworld.Pos]int{p: 0}
	for next := []gridworld.Pos{p}; len(next) > 0; next = next[1:] {
		for d := gridworld.North; d < gridworld.Directions; d += 2 {
			q, n := next[0].Add(d), far[next[0]]+1
			if g.isTube(q) && g.look(q).Colour != colour {
				q, n = q.Add(d), n+1
			}
			if _, known := far[q]; !known && g.isTube(q) && g.look(q).Colour == colour {
				far[q] = n
				next = append(next, q)
			}
		}
	}
	return far
}

// gap returns the number of cells of the opening at p in a line of direction d, or 0 if there is none.
func (g *ground) gap(p gridworld.Pos, d gridworld.Dir) int {
	n := 0
	for _, side := range [...]gridworld.Dir{d, d.Opposite()} {
		q := p
		for ; g.look(q).Kind == gridworld.Floor; q = q.Add(side) {
			if n++; n > widest+1 { // p itself is counted twice
				return 0
			}
		}
		if !g.isTube(q) {
			return 0
		}
	}
	return max(n-1, 0)
}
