package gridworld

// A Gaze answers which cells of a world one can see from one cell, and remembers it. It is invalid once a cell of the world changes.
// The zero Gaze is ready for From.
type Gaze struct {
	world       *World
	at          Pos
	known, free Board // the cells about which the answer is known, and those that are in sight
	height      int   // number of rows of known that are in use
}

// From makes g the gaze from a cell of w, which must be inside.
func (g *Gaze) From(w *World, at Pos) {
	clear(g.known[:max(g.height, w.height)])
	g.world, g.at, g.height = w, at, w.height
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
		if g.world.Sees(g.at, p) {
			g.free[y] |= bit
		}
	}
	return g.free[y]&bit != 0
}
