package gridworld

// A Gaze answers which cells of a world one can see from one cell, and remembers it. It is invalid once a cell of the world changes.
// The zero Gaze is ready for From.
type Gaze struct {
	world       *World
	at          Pos
	known, free Board // the cells about which the answer is known, and those that are in sight
	height      int   // number of rows of known that are in use
	between     [MaxHeight + 1]between
}

// A between has, for an actor at some height and every row, the columns in which a cell blocks sight in any row from the one of the gaze
// to this one.
type between struct {
	known   bool
	columns Board
}

// From makes g the gaze from a cell of w, which must be inside.
func (g *Gaze) From(w *World, at Pos) {
	clear(g.known[:max(g.height, w.height)])
	g.world, g.at, g.height = w, at, w.height
	for eye := range g.between {
		g.between[eye].known = false
	}
}

// At returns the cell from which g is.
func (g *Gaze) At() Pos { return g.at }

// Sees says what World.Sees says of p and the cell from which g is.
func (g *Gaze) Sees(p Pos) bool {
	if !g.world.Inside(p) {
		return false
	}
	y, bit := p.Y&63, uint64(1)<<(uint(p.X)&63)
	if g.known[y]&bit == 0 {
		g.known[y] |= bit
		g.free[y] &^= bit
		if g.looks(p) {
			g.free[y] |= bit
		}
	}
	return g.free[y]&bit != 0
}

// looks finds out whether p is in sight. Most often nothing that blocks is in the rectangle between the cells.
func (g *Gaze) looks(p Pos) bool {
	w, a := g.world, g.at
	if w.planes[planeDeep].Has(a) || w.planes[planeDeep].Has(p) {
		return a == p
	}
	eye := w.eye(a, p)
	b, screen := &g.between[eye], &w.planes[planeOpaque+eye]
	if !b.known {
		b.look(w, screen, a.Y)
	}
	low, high := min(a.X, p.X), max(a.X, p.X)
	if columns := ^uint64(0) >> uint(MaxSide-1-high+low) << uint(low); b.columns[p.Y&63]&columns == 0 {
		return true
	}
	return free(screen, a, p)
}

// look computes b for a gaze from row y.
func (b *between) look(w *World, screen *Board, y int) {
	b.known = true
	columns := uint64(0)
	for row := y; row < w.height; row++ {
		columns |= screen[row&63]
		b.columns[row&63] = columns
	}
	columns = 0
	for row := y; row >= 0; row-- {
		columns |= screen[row&63]
		b.columns[row&63] = columns
	}
}
