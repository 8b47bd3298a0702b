package board

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// upright draws a wall, hole, barrier or lock in a cell.
func (d *Drawing) upright(p gridworld.Pos, c gridworld.Cell) {
	sq := d.Square(p)
	switch c.Kind {
	case gridworld.Wall:
		d.block(p, Wall, 0.34)
	case gridworld.LowWall:
		d.block(p, lowWallColour, 0.18)
	case gridworld.Occluder:
		d.block(p, colourOf(c.Colour, occluderColour), 0.34)
	case gridworld.ClearWall:
		d.glass(p)
	case gridworld.Hole, gridworld.ShallowHole:
		d.pit(sq, c)
	case gridworld.Barrier:
		d.bars(sq)
	case gridworld.Lock:
		d.block(p, palette.Purple.Mix(palette.White, 0.2), 0.18)
		d.keyhole(sq)
	}
}

// colourOf converts the colour c that the world gives a thing. If the world gives the thing no colour, colourOf returns
// the colour otherwise.
func colourOf(c gridworld.Colour, otherwise palette.Colour) palette.Colour {
	if r, g, b, ok := c.RGB(); ok {
		return palette.RGB(r, g, b)
	}
	return otherwise
}

// block draws a solid cell. If the cell to the south has no block, the block has a darker front. The parameter front is
// its height in cells.
func (d *Drawing) block(p gridworld.Pos, c palette.Colour, front float32) {
	sq := d.Square(p)
	d.Fill(sq, c)
	south := p.Add(gridworld.South)
	if !d.World.Inside(south) || !stands(d.CellAt(south).Kind) {
		face, _ := sq.CutBottom(d.Pixels(front))
		d.Fill(face, c.Mix(palette.Black, 0.28))
		if d.World.Inside(south) {
			d.Fill(side(d.Square(south), gridworld.North, d.Pixels(0.12)), palette.Ink.Fade(0.14))
		}
	}
	rim := max(d.Pixels(0.05), 1)
	for _, dir := range []gridworld.Dir{gridworld.North, gridworld.East, gridworld.West} {
		if q := p.Add(dir); !d.World.Inside(q) || !stands(d.CellAt(q).Kind) {
			d.Fill(side(sq, dir, rim), c.Mix(palette.White, 0.35))
		}
	}
}

// stands says whether cells of a kind are drawn as blocks.
func stands(k gridworld.Kind) bool {
	return k == gridworld.Wall || k == gridworld.LowWall || k == gridworld.Occluder || k == gridworld.Lock
}

// glass draws a clear wall.
func (d *Drawing) glass(p gridworld.Pos) {
	sq := d.Square(p)
	d.Fill(sq, palette.SkyBlue.Fade(0.25))
	for _, dir := range []gridworld.Dir{gridworld.North, gridworld.East, gridworld.South, gridworld.West} {
		if q := p.Add(dir); !d.World.Inside(q) || d.CellAt(q).Kind != gridworld.ClearWall {
			d.Fill(side(sq, dir, max(d.Pixels(0.09), 1.5)), palette.Blue.Fade(0.55))
		}
	}
	w := max(d.Pixels(0.05), 1)
	for _, at := range []float32{0.35, 0.55} {
		d.Line(w, palette.White.Fade(0.9), canvas.Point{X: sq.X0 + at*sq.W() - 0.2*sq.W(), Y: sq.Y0 + 0.62*sq.H()}, canvas.Point{X: sq.X0 + at*sq.W() + 0.2*sq.W(), Y: sq.Y0 + 0.22*sq.H()})
	}
}

// pit draws a hole with a coloured rim: a deep one is dark, a shallow one paler.
func (d *Drawing) pit(sq canvas.Rect, c gridworld.Cell) {
	rim := colourOf(c.Colour, occluderColour)
	d.Fill(sq.Inset(d.Pixels(0.03)), rim)
	d.Fill(side(sq.Inset(d.Pixels(0.03)), gridworld.South, d.Pixels(0.08)), rim.Mix(palette.Black, 0.28))
	inside := pitColour
	if c.Kind == gridworld.ShallowHole {
		inside = pitColour.Mix(rim, 0.55)
	}
	m := sq.Mid()
	d.Disc(m, d.Pixels(0.37), inside.Mix(palette.Black, 0.35))
	d.Disc(m.Add(0, d.Pixels(0.04)), d.Pixels(0.33), inside)
}

// bars draws a barrier, which a key opens.
func (d *Drawing) bars(sq canvas.Rect) {
	c := palette.Green.Mix(palette.Black, 0.15)
	d.Fill(sq, c.Fade(0.18))
	for _, x := range []float32{0.2, 0.5, 0.8} {
		at := sq.X0 + x*sq.W()
		d.Line(max(d.Pixels(0.12), 1.5), c, canvas.Point{X: at, Y: sq.Y0 + d.Pixels(0.1)}, canvas.Point{X: at, Y: sq.Y1 - d.Pixels(0.1)})
	}
}

func (d *Drawing) keyhole(sq canvas.Rect) {
	m := sq.Mid().Add(0, -d.Pixels(0.1))
	d.Disc(m, d.Pixels(0.13), palette.Ink)
	d.Polygon(palette.Ink, m, m.Add(d.Pixels(0.11), d.Pixels(0.28)), m.Add(-d.Pixels(0.11), d.Pixels(0.28)))
}

// Marks draws a ring in every cell where the reward could be, except in holes.
func (d *Drawing) Marks() {
	for _, p := range d.places {
		if !Marked(d.CellAt(p)) {
			continue
		}
		d.Ring(d.Centre(p), d.Pixels(0.3), max(d.Pixels(0.05), 1), palette.Ink.Fade(0.28))
	}
}

// Marked says whether a possible place of the reward gets a ring. A hole does not, because it is drawn as a place
// already.
func Marked(c gridworld.Cell) bool {
	return c.Kind != gridworld.Hole && c.Kind != gridworld.ShallowHole
}
