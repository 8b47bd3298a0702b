package board

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// Colours of ground and walls. They are pale, so that paths and things stand out.
const (
	Floor          palette.Colour = 0xfdfdfbff
	gridColour     palette.Colour = 0xebeae4ff
	heightColour   palette.Colour = 0xc9b78eff // the highest ground
	Wall           palette.Colour = 0x6b737bff
	lowWallColour  palette.Colour = 0xa9afb5ff
	occluderColour palette.Colour = 0xb5a58aff // an occluder without a colour of its own
	lavaColour     palette.Colour = 0xf3b061ff
	waveColour     palette.Colour = 0xb8431aff
	pitColour      palette.Colour = 0x2a2e33ff
)

// Ground draws all cells. It draws blocks from north to south, because a block can draw a shadow on its southern
// neighbour.
func (d *Drawing) Ground() {
	d.Fill(d.Area, Floor)
	for y := d.World.Height() - 1; y >= 0; y-- {
		for x := range d.World.Width() {
			p := gridworld.Pos{X: x, Y: y}
			d.surface(p, d.CellAt(p))
		}
	}
	d.lines()
	for y := d.World.Height() - 1; y >= 0; y-- {
		for x := range d.World.Width() {
			p := gridworld.Pos{X: x, Y: y}
			d.upright(p, d.CellAt(p))
		}
	}
}

// CellAt returns the cell at this tick. Locks and barriers that were opened are floor.
func (d *Drawing) CellAt(p gridworld.Pos) gridworld.Cell {
	c := d.World.At(p)
	if d.Open && (c.Kind == gridworld.Barrier || c.Kind == gridworld.Lock) {
		return gridworld.Cell{Height: c.Height}
	}
	return c
}

// groundColour returns the colour of level ground at a height.
func groundColour(height int) palette.Colour {
	return Floor.Mix(heightColour, float64(height)/gridworld.MaxHeight)
}

// surface draws the ground of a cell.
func (d *Drawing) surface(p gridworld.Pos, c gridworld.Cell) {
	sq := d.Square(p)
	switch {
	case c.Kind.Sloped():
		d.slope(sq, c)
	case c.Kind == gridworld.Lava:
		d.Fill(sq, lavaColour)
		d.waves(sq)
	case c.Height > 0:
		d.Fill(sq, groundColour(int(c.Height)))
	case c.Kind == gridworld.Home:
		d.Frame(sq.Inset(d.Pixels(0.1)), d.Pixels(0.06), palette.Muted.Fade(0.6))
	}
	if !c.Kind.Sloped() {
		d.ledge(p, c)
	}
}

// lines draws grid lines over the ground, if cells are at least 8 pixels wide.
func (d *Drawing) lines() {
	if d.cell < 8 {
		return
	}
	for x := 1; x < d.World.Width(); x++ {
		at := d.Area.X0 + float32(x)*d.cell
		d.Fill(canvas.At(at, d.Area.Y0, 1, d.Area.H()), gridColour.Fade(0.6))
	}
	for y := 1; y < d.World.Height(); y++ {
		at := d.Area.Y0 + float32(y)*d.cell
		d.Fill(canvas.At(d.Area.X0, at, d.Area.W(), 1), gridColour.Fade(0.6))
	}
}

// waves draws waves on lava, so that it can be recognised without its colour.
func (d *Drawing) waves(sq canvas.Rect) {
	for _, y := range []float32{0.3, 0.7} {
		var line []canvas.Point
		for k := range 9 {
			rise := [4]float32{0, 0.09, 0, -0.09}[k%4]
			line = append(line, canvas.Point{X: sq.X0 + sq.W()*float32(k)/8, Y: sq.Y0 + sq.H()*(y-rise)})
		}
		d.Line(max(d.Pixels(0.055), 1), waveColour.Fade(0.8), line...)
	}
}

// ledge draws the edge of a cell towards lower ground: a dark rim, and a shadow on the lower side.
func (d *Drawing) ledge(p gridworld.Pos, c gridworld.Cell) {
	for _, dir := range []gridworld.Dir{gridworld.North, gridworld.East, gridworld.South, gridworld.West} {
		q := p.Add(dir)
		if !d.World.Inside(q) {
			continue
		}
		below := d.CellAt(q)
		if below.Kind.Sloped() || below.Height >= c.Height {
			continue
		}
		drop := float32(c.Height - below.Height)
		d.Fill(side(d.Square(q), dir.Opposite(), d.Pixels(0.10+0.06*drop)), palette.Ink.Fade(0.16))
		d.Fill(side(d.Square(p), dir, max(d.Pixels(0.07), 1)), groundColour(int(c.Height)).Mix(palette.Ink, 0.45))
	}
}

// side returns the strip of a square along one of its four sides.
func side(sq canvas.Rect, dir gridworld.Dir, width float32) canvas.Rect {
	switch dir {
	case gridworld.North:
		sq, _ = sq.CutTop(width)
	case gridworld.South:
		sq, _ = sq.CutBottom(width)
	case gridworld.East:
		sq, _ = sq.CutRight(width)
	default:
		sq, _ = sq.CutLeft(width)
	}
	return sq
}

// strips is the number of coloured strips on a slope.
const strips = 6

// slope draws a ramp in strips, from the colour of the lower ground to that of the higher. Chevrons point in the
// directions in which an actor can walk on the ramp.
func (d *Drawing) slope(sq canvas.Rect, c gridworld.Cell) {
	low, high := groundColour(int(c.Height)), groundColour(int(c.Height)+1)
	for k := range strips {
		a, b := float32(k)/strips, float32(k+1)/strips
		d.Fill(band(sq, c.Facing, a, b), low.Mix(high, (float64(k)+0.5)/strips))
	}
	ink := palette.Ink.Fade(0.42)
	width := max(d.Pixels(0.07), 1)
	if c.Kind != gridworld.Slide {
		d.chevron(sq, c.Facing, ink, width)
	}
	if c.Kind != gridworld.Climb {
		d.chevron(sq, c.Facing.Opposite(), ink, width)
	}
}

// band returns a part of a square. A walk across the square in direction dir is inside the part from the share a of the
// way to the share b.
func band(sq canvas.Rect, dir gridworld.Dir, a, b float32) canvas.Rect {
	switch dir {
	case gridworld.North:
		return canvas.Rect{X0: sq.X0, Y0: sq.Y1 - b*sq.H(), X1: sq.X1, Y1: sq.Y1 - a*sq.H()}
	case gridworld.South:
		return canvas.Rect{X0: sq.X0, Y0: sq.Y0 + a*sq.H(), X1: sq.X1, Y1: sq.Y0 + b*sq.H()}
	case gridworld.East:
		return canvas.Rect{X0: sq.X0 + a*sq.W(), Y0: sq.Y0, X1: sq.X0 + b*sq.W(), Y1: sq.Y1}
	}
	return canvas.Rect{X0: sq.X1 - b*sq.W(), Y0: sq.Y0, X1: sq.X1 - a*sq.W(), Y1: sq.Y1}
}

// chevron draws an arrow head in the half of the square that lies in a direction.
func (d *Drawing) chevron(sq canvas.Rect, dir gridworld.Dir, c palette.Colour, width float32) {
	m := sq.Mid()
	ahead := unit(dir)
	tip := m.Add(ahead.X*sq.W()*0.34, ahead.Y*sq.H()*0.34)
	back := m.Add(ahead.X*sq.W()*0.12, ahead.Y*sq.H()*0.12)
	wide := sq.W() * 0.22
	d.Line(width, c, back.Add(-ahead.Y*wide, ahead.X*wide), tip, back.Add(ahead.Y*wide, -ahead.X*wide))
}

// unit returns the vector of length 1 in a direction, in canvas coordinates (y down).
func unit(dir gridworld.Dir) canvas.Point {
	q := gridworld.Pos{}.Add(dir)
	k := float32(1)
	if dir.Diagonal() {
		k = 0.70710678
	}
	return canvas.Point{X: k * float32(q.X), Y: -k * float32(q.Y)}
}
