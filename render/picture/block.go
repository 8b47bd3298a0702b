package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// upright draws a wall, hole, barrier or lock in a cell.
func (d *drawing) upright(p gridworld.Pos, c gridworld.Cell) {
	sq := d.square(p)
	switch c.Kind {
	case gridworld.Wall:
		d.block(p, wallColour, 0.34)
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
func (d *drawing) block(p gridworld.Pos, c palette.Colour, front float32) {
	sq := d.square(p)
	d.Fill(sq, c)
	south := p.Add(gridworld.South)
	if !d.world.Inside(south) || !stands(d.cellAt(south).Kind) {
		face, _ := sq.CutBottom(d.pixels(front))
		d.Fill(face, c.Mix(palette.Black, 0.28))
		if d.world.Inside(south) {
			d.Fill(side(d.square(south), gridworld.North, d.pixels(0.12)), palette.Ink.Fade(0.14))
		}
	}
	rim := max(d.pixels(0.05), 1)
	for _, dir := range []gridworld.Dir{gridworld.North, gridworld.East, gridworld.West} {
		if q := p.Add(dir); !d.world.Inside(q) || !stands(d.cellAt(q).Kind) {
			d.Fill(side(sq, dir, rim), c.Mix(palette.White, 0.35))
		}
	}
}

// stands says whether cells of a kind are drawn as blocks.
func stands(k gridworld.Kind) bool {
	return k == gridworld.Wall || k == gridworld.LowWall || k == gridworld.Occluder || k == gridworld.Lock
}

// glass draws a clear wall.
func (d *drawing) glass(p gridworld.Pos) {
	sq := d.square(p)
	d.Fill(sq, palette.SkyBlue.Fade(0.25))
	for _, dir := range []gridworld.Dir{gridworld.North, gridworld.East, gridworld.South, gridworld.West} {
		if q := p.Add(dir); !d.world.Inside(q) || d.cellAt(q).Kind != gridworld.ClearWall {
			d.Fill(side(sq, dir, max(d.pixels(0.09), 1.5)), palette.Blue.Fade(0.55))
		}
	}
	w := max(d.pixels(0.05), 1)
	for _, at := range []float32{0.35, 0.55} {
		d.Line(w, palette.White.Fade(0.9), canvas.Point{X: sq.X0 + at*sq.W() - 0.2*sq.W(), Y: sq.Y0 + 0.62*sq.H()}, canvas.Point{X: sq.X0 + at*sq.W() + 0.2*sq.W(), Y: sq.Y0 + 0.22*sq.H()})
	}
}

// pit draws a hole with a coloured rim: a deep one is dark, a shallow one paler.
func (d *drawing) pit(sq canvas.Rect, c gridworld.Cell) {
	rim := colourOf(c.Colour, occluderColour)
	d.Fill(sq.Inset(d.pixels(0.03)), rim)
	d.Fill(side(sq.Inset(d.pixels(0.03)), gridworld.South, d.pixels(0.08)), rim.Mix(palette.Black, 0.28))
	inside := pitColour
	if c.Kind == gridworld.ShallowHole {
		inside = pitColour.Mix(rim, 0.55)
	}
	m := sq.Mid()
	d.Disc(m, d.pixels(0.37), inside.Mix(palette.Black, 0.35))
	d.Disc(m.Add(0, d.pixels(0.04)), d.pixels(0.33), inside)
}

// bars draws a barrier, which a key opens.
func (d *pen) bars(sq canvas.Rect) {
	c := palette.Green.Mix(palette.Black, 0.15)
	d.Fill(sq, c.Fade(0.18))
	for _, x := range []float32{0.2, 0.5, 0.8} {
		at := sq.X0 + x*sq.W()
		d.Line(max(d.pixels(0.12), 1.5), c, canvas.Point{X: at, Y: sq.Y0 + d.pixels(0.1)}, canvas.Point{X: at, Y: sq.Y1 - d.pixels(0.1)})
	}
}

func (d *pen) keyhole(sq canvas.Rect) {
	m := sq.Mid().Add(0, -d.pixels(0.1))
	d.Disc(m, d.pixels(0.13), palette.Ink)
	d.Polygon(palette.Ink, m, m.Add(d.pixels(0.11), d.pixels(0.28)), m.Add(-d.pixels(0.11), d.pixels(0.28)))
}

// places draws a ring in every cell where the reward could be, except in holes.
func (d *drawing) places() {
	for _, p := range d.trajectory.Places {
		if !marked(d.cellAt(p)) {
			continue
		}
		d.Ring(d.centre(p), d.pixels(0.3), max(d.pixels(0.05), 1), palette.Ink.Fade(0.28))
	}
}

// marked says whether a possible place of the reward gets a ring. A hole does not, because it is drawn as a place
// already.
func marked(c gridworld.Cell) bool {
	return c.Kind != gridworld.Hole && c.Kind != gridworld.ShallowHole
}
