package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// A drawing is the picture of a moment of a trajectory while it is being drawn.
type drawing struct {
	pen
	trajectory *replay.Trajectory
	state      *replay.State
	tick       int
}

func newDrawing(m Moment, dst *canvas.Canvas, r canvas.Rect) *drawing {
	tr := m.Episode.Trajectory
	return &drawing{pen{dst, newBoard(tr.World, r)}, tr, &tr.States[m.Tick], m.Tick}
}

// A pen draws on a board what does not depend on the moment.
type pen struct {
	*canvas.Canvas
	board
}

// A board maps the cells of a world to squares in a rectangle. If squares are larger than 4 pixels, their side is a
// whole number of pixels.
type board struct {
	world *gridworld.World
	area  canvas.Rect
	cell  float32 // side of a cell, in pixels
}

// margin is the free space round the world, in cells.
const margin = 0.3

func newBoard(w *gridworld.World, r canvas.Rect) board {
	columns, rows := float32(w.Width()), float32(w.Height())
	cell := min(r.W()/(columns+2*margin), r.H()/(rows+2*margin))
	if cell > 4 {
		cell = float32(int(cell))
	}
	m := r.Mid()
	x, y := float32(int(m.X-cell*columns/2)), float32(int(m.Y-cell*rows/2))
	return board{w, canvas.At(x, y, cell*columns, cell*rows), cell}
}

// square returns the square of a cell. North is at the top.
func (b *board) square(p gridworld.Pos) canvas.Rect {
	return canvas.At(b.area.X0+float32(p.X)*b.cell, b.area.Y1-float32(p.Y+1)*b.cell, b.cell, b.cell)
}

// centre returns the centre of a cell.
func (b *board) centre(p gridworld.Pos) canvas.Point { return b.square(p).Mid() }

// at returns the cell at a point. ok is false outside the world.
func (b *board) at(x, y float32) (p gridworld.Pos, ok bool) {
	if !b.area.Contains(x, y) {
		return p, false
	}
	p = gridworld.Pos{X: int((x - b.area.X0) / b.cell), Y: int((b.area.Y1 - y) / b.cell)}
	p.Y = min(p.Y, b.world.Height()-1)
	return p, b.world.Inside(p)
}

// pixels converts a length from cells to pixels.
func (b *board) pixels(cells float32) float32 { return cells * b.cell }

// edge draws a border round the world.
func (d *pen) edge() { d.Frame(d.area.Inset(-1), 1.5, palette.Ink.Mix(palette.Paper, 0.45)) }
