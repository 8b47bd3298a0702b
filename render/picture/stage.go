// Package picture draws the moments of episodes: a grid world or a scene in pixels, with what was seen, believed and
// predicted over it. Drawing is a pure function of an episode, a tick and a rectangle.
package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// A Show says which overlays are wanted.
type Show struct {
	Sees      bool // what the actor sees
	Believes  bool // what it believes, once unsealed
	Goals     bool // what an observer thinks it wants
	Predicted bool // the paths that its profile predicts
}

// Everything is all overlays.
func Everything() Show { return Show{true, true, true, true} }

// A Stage draws one episode. It only reads what it has.
type Stage struct {
	Episode   *replay.Episode
	Predicted *replay.Predicted // nil where nothing is predicted
}

// Draw draws the moment of a tick into r. Ticks outside the episode are its first or last.
func (g *Stage) Draw(s *canvas.Scene, r canvas.Rect, tick int, show Show) {
	tick = min(max(tick, 0), g.Episode.Last)
	s.Clipped(r, func() {
		if g.Episode.Film != nil {
			g.film(s, r, tick, show)
			return
		}
		g.watch(s, r, tick, show)
	})
}

// film draws a grid world, from the ground up.
func (g *Stage) film(s *canvas.Scene, r canvas.Rect, tick int, show Show) {
	f := g.Episode.Film
	d := drawing{Scene: s, film: f, frame: &f.Frames[tick], tick: tick, board: newBoard(f.World, r)}
	d.ground()
	d.places()
	if show.Sees {
		d.unseen()
	}
	d.darkness()
	if show.Predicted && g.Predicted != nil {
		d.fan(g.Predicted)
	}
	d.trail()
	if show.Predicted && g.Predicted != nil {
		d.predicted(g.Predicted)
	}
	d.things()
	if show.Believes {
		d.belief()
	}
	d.actor()
	d.stop(g.Episode)
	d.edge()
}

// A drawing is one moment of a film on its way into a scene.
type drawing struct {
	*canvas.Scene
	board
	film  *replay.Film
	frame *replay.Frame
	tick  int
}

// A board places the cells of a world in a scene: squares of whole pixels where there is room for that.
type board struct {
	world *gridworld.World
	area  canvas.Rect
	cell  float32
}

// margin is the part of a cell that stays free round the world.
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

// square is the square of a cell; north is at the top.
func (b *board) square(p gridworld.Pos) canvas.Rect {
	return canvas.At(b.area.X0+float32(p.X)*b.cell, b.area.Y1-float32(p.Y+1)*b.cell, b.cell, b.cell)
}

// mid is the middle of a cell.
func (b *board) mid(p gridworld.Pos) canvas.Point { return b.square(p).Mid() }

// at is the cell at a point; ok is false outside.
func (b *board) at(x, y float32) (p gridworld.Pos, ok bool) {
	if !b.area.Contains(x, y) {
		return p, false
	}
	p = gridworld.Pos{X: int((x - b.area.X0) / b.cell), Y: int((b.area.Y1 - y) / b.cell)}
	p.Y = min(p.Y, b.world.Height()-1)
	return p, b.world.Inside(p)
}

// pixels is a length in cells.
func (b *board) pixels(cells float32) float32 { return cells * b.cell }

// edge frames the world.
func (d *drawing) edge() { d.Frame(d.area.Inset(-1), 1.5, palette.Ink.Mix(palette.Paper, 0.45)) }

// Locate is the middle of a cell in the picture that Draw would draw into r; ok is false outside, and where there are
// no cells.
func (g *Stage) Locate(r canvas.Rect, p gridworld.Pos) (at canvas.Point, ok bool) {
	if g.Episode.Film == nil || !g.Episode.Film.World.Inside(p) {
		return at, false
	}
	b := newBoard(g.Episode.Film.World, r)
	return b.mid(p), true
}
