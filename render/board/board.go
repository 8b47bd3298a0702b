// Package board draws a grid world at one tick: its cells, the things in it, its actor, and what the actor sees. Pictures of episodes
// and the pages of people who act begin with it.
package board

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// A State is a world at one tick, as far as it is drawn.
type State struct {
	Actor        gridworld.Actor
	Things       []gridworld.Thing // by index of the thing
	InSight      []bool            // thing → whether the actor sees it
	Seen         gridworld.Board   // cells that the actor sees
	Dark, Frozen bool
	Open         bool // whether the lock was opened, which removes all locks and barriers
	Outcome      gridworld.Outcome
}

// A Drawing is the picture of a state while it is being drawn: its methods draw one layer each.
type Drawing struct {
	*canvas.Canvas
	Board
	State
	places []gridworld.Pos
}

// Draw begins the picture of a state of a world in a rectangle. places are the cells in which a reward could lie.
func Draw(dst *canvas.Canvas, r canvas.Rect, w *gridworld.World, places []gridworld.Pos, s State) *Drawing {
	return &Drawing{dst, New(w, r), s, places}
}

// A Board maps the cells of a world to squares in a rectangle. If squares are larger than 4 pixels, their side is a
// whole number of pixels.
type Board struct {
	World *gridworld.World
	Area  canvas.Rect
	cell  float32 // side of a cell, in pixels
}

// margin is the free space round the world, in cells.
const margin = 0.3

// New returns the largest board of a world that fits into a rectangle.
func New(w *gridworld.World, r canvas.Rect) Board {
	columns, rows := float32(w.Width()), float32(w.Height())
	cell := min(r.W()/(columns+2*margin), r.H()/(rows+2*margin))
	if cell > 4 {
		cell = float32(int(cell))
	}
	m := r.Mid()
	x, y := float32(int(m.X-cell*columns/2)), float32(int(m.Y-cell*rows/2))
	return Board{w, canvas.At(x, y, cell*columns, cell*rows), cell}
}

// Size returns the size of the board with the free space round it, in pixels.
func (b *Board) Size() canvas.Point {
	return canvas.Point{X: b.Area.W() + 2*margin*b.cell, Y: b.Area.H() + 2*margin*b.cell}
}

// Square returns the square of a cell. North is at the top.
func (b *Board) Square(p gridworld.Pos) canvas.Rect {
	return canvas.At(b.Area.X0+float32(p.X)*b.cell, b.Area.Y1-float32(p.Y+1)*b.cell, b.cell, b.cell)
}

// Centre returns the centre of a cell.
func (b *Board) Centre(p gridworld.Pos) canvas.Point { return b.Square(p).Mid() }

// Under returns the cell at a point. ok is false outside the world.
func (b *Board) Under(x, y float32) (p gridworld.Pos, ok bool) {
	if !b.Area.Contains(x, y) {
		return p, false
	}
	p = gridworld.Pos{X: int((x - b.Area.X0) / b.cell), Y: int((b.Area.Y1 - y) / b.cell)}
	p.Y = min(p.Y, b.World.Height()-1)
	return p, b.World.Inside(p)
}

// Pixels converts a length from cells to pixels.
func (b *Board) Pixels(cells float32) float32 { return cells * b.cell }

// Edge draws a border round the world.
func (d *Drawing) Edge() { d.Frame(d.Area.Inset(-1), 1.5, palette.Ink.Mix(palette.Paper, 0.45)) }

// Shown draws all that somebody sees who acts in the world.
func (d *Drawing) Shown() {
	d.Ground()
	d.Marks()
	d.Unseen()
	d.Darkness()
	d.DrawThings()
	d.DrawActor()
	d.Edge()
}
