package picture

import (
	"math"
	"slices"

	"achilles/infer/voe"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/sim/record"
)

// A sceneDrawing is the picture of one frame of a trial while it is being drawn.
type sceneDrawing struct {
	*canvas.Canvas
	trial *record.SceneTrial
	frame int
	area  canvas.Rect
	scale float32 // pixels of the picture per unit of the scene

	expected string   // identity of the object to which an observer expects the actor to go; empty: none
	ahead    [][2]int // corners of the way that it expects, x and y; empty: none
}

func newSceneDrawing(dst *canvas.Canvas, r canvas.Rect, t *record.SceneTrial, frame int) *sceneDrawing {
	w, h := float32(max(t.Scene.Width, 1)), float32(max(t.Scene.Height, 1))
	area := r.Fit(w, h)
	return &sceneDrawing{Canvas: dst, trial: t, frame: min(frame, len(t.Path)-1), area: area, scale: area.W() / w}
}

// draw draws the frame. shares has, for some things, the probability that an observer gives to the thing being the
// actor's goal; shares may be nil.
func (d *sceneDrawing) draw(shares []voe.Share) {
	d.Fill(d.area, board.Floor)
	d.Clipped(d.area, func() {
		d.walls()
		now := d.trial.At(d.frame)
		d.barriers(now.Barrier)
		d.home()
		d.way()
		d.path()
		things := slices.Concat(now.Objects, now.Locks, now.Keys)
		for i := range things {
			d.goal(&things[i], shares)
			d.object(&things[i])
		}
		d.covers(now.Covers)
		d.agent(now.Away)
		for i := range things {
			d.probability(&things[i], shares)
		}
	})
	d.Frame(d.area.Inset(-1), 1.5, palette.Ink.Mix(palette.Paper, 0.45))
}

func (d *sceneDrawing) walls() {
	for _, w := range d.trial.Scene.Walls {
		d.Fill(d.rect(w), board.Wall)
	}
}

func (d *sceneDrawing) barriers(list []record.Rect) {
	for _, b := range list {
		d.Fill(d.rect(b), palette.Green.Mix(palette.White, 0.35))
		d.Frame(d.rect(b), max(d.scale, 1), palette.Green)
	}
}

// covers draws covers, through which the things under them can be seen.
func (d *sceneDrawing) covers(list []record.Rect) {
	for _, r := range list {
		d.Fill(d.rect(r), palette.Muted.Fade(0.35))
		d.Frame(d.rect(r), max(1.5*d.scale, 1), palette.Muted)
	}
}

// point converts a point of the scene, whose origin is at the bottom left, to the picture.
func (d *sceneDrawing) point(x, y float32) canvas.Point {
	return canvas.Point{X: d.area.X0 + x*d.scale, Y: d.area.Y1 - y*d.scale}
}

func (d *sceneDrawing) rect(r record.Rect) canvas.Rect {
	a, b := d.point(float32(r.X), float32(r.Y)), d.point(float32(r.X)+float32(r.W), float32(r.Y)+float32(r.H))
	return canvas.Rect{X0: snap(a.X), Y0: snap(b.Y), X1: snap(b.X), Y1: snap(a.Y)} // rounded, so that there are no gaps between neighbours
}

func snap(x float32) float32 { return float32(math.Floor(float64(x) + 0.5)) }

func (d *sceneDrawing) middle(s *record.Shape) canvas.Point {
	return d.point(float32(s.X+s.Half), float32(s.Y+s.Half))
}

// position returns the centre of the actor at a frame.
func (d *sceneDrawing) position(frame int) canvas.Point {
	p, half := d.trial.Path[frame], d.trial.Scene.Agent.Half
	return d.point(float32(p.X+half), float32(p.Y+half))
}

func (d *sceneDrawing) home() {
	h := &d.trial.Scene.Home
	if h.Half == 0 {
		return
	}
	m, r := d.middle(h), float32(h.Half)*d.scale
	c := palette.RGB(h.Colour[0], h.Colour[1], h.Colour[2])
	d.Fill(canvas.At(m.X-r, m.Y-r, 2*r, 2*r), c.Fade(0.25))
	d.Frame(canvas.At(m.X-r, m.Y-r, 2*r, 2*r), max(d.scale, 1), c.Fade(0.7))
}

// path draws the actor's path so far.
func (d *sceneDrawing) path() {
	var line []canvas.Point
	for f := 0; f <= d.frame; f++ {
		if f == 0 || d.trial.Path[f] != d.trial.Path[f-1] {
			line = append(line, d.position(f))
		}
	}
	if len(line) < 2 {
		return
	}
	width := max(2.6*d.scale, 1.4)
	d.Line(width+max(1.6*d.scale, 1), palette.White.Fade(0.8), line...)
	d.Line(width, palette.Actual, line...)
}

// way draws the way that an observer expects the actor to take.
func (d *sceneDrawing) way() {
	var line []canvas.Point
	for _, p := range d.ahead {
		line = append(line, d.point(float32(p[0]), float32(p[1])))
	}
	if len(line) > 1 {
		d.Add(canvas.Polyline{Points: line, Width: max(1.6*d.scale, 1.2), Colour: palette.Belief, Dash: max(4*d.scale, 4)})
	}
}

func (d *sceneDrawing) object(s *record.Shape) {
	m, r := d.middle(s), float32(s.Half)*d.scale*0.95
	c := palette.RGB(s.Colour[0], s.Colour[1], s.Colour[2])
	d.form(m, r, outline(s.Icon), c)
}

func (d *sceneDrawing) form(m canvas.Point, r float32, f form, c palette.Colour) {
	f.draw(d.Canvas, m, r, c, max(0.8*d.scale, 1))
}

// draw draws the form around m, with an edge of some width in pixels.
func (f form) draw(dst *canvas.Canvas, m canvas.Point, r float32, c palette.Colour, edge float32) {
	at := make([]canvas.Point, len(f))
	for i, p := range f {
		at[i] = m.Add(p[0]*r, p[1]*r)
	}
	dst.Polygon(c, at...)
	dst.Add(canvas.Polyline{Points: at, Width: edge, Colour: c.Mix(palette.Black, 0.5), Closed: true})
}

// agent draws the actor with two eyes, unless it is away.
func (d *sceneDrawing) agent(away bool) {
	if away {
		return
	}
	a := &d.trial.Scene.Agent
	m, r := d.position(d.frame), float32(a.Half)*d.scale
	c := palette.RGB(a.Colour[0], a.Colour[1], a.Colour[2])
	d.Disc(m, r*1.18, palette.White)
	d.form(m, r, outline(a.Icon), c)
	for _, x := range []float32{-0.28, 0.28} {
		d.Disc(m.Add(x*r, -0.08*r), r*0.22, palette.White)
		d.Disc(m.Add(x*r, -0.08*r), r*0.11, palette.Ink)
	}
}

// around returns the radius of the ring that goal draws round a thing, in pixels.
func (d *sceneDrawing) around(s *record.Shape) float32 { return float32(s.Half) * d.scale * 1.4 }

// goal draws a square round the thing to which an observer expects the actor to go, and a ring round a thing if shares has a probability for the thing. The more probable the thing is as the
// goal, the thicker is the ring.
func (d *sceneDrawing) goal(s *record.Shape, shares []voe.Share) {
	if d.expected != "" && replay.Identity(s) == d.expected {
		m, r := d.middle(s), d.around(s)
		d.Frame(canvas.At(m.X-r, m.Y-r, 2*r, 2*r), max(1.2*d.scale, 1), palette.Belief)
	}
	if p, ok := shareOf(shares, s); ok {
		d.Ring(d.middle(s), d.around(s), max(float32(0.8+3.2*p)*d.scale, 1), palette.Belief.Fade(0.25+0.75*p))
	}
}

// probability writes the probability that a thing is the goal above its ring, or below it if there is no space above.
func (d *sceneDrawing) probability(s *record.Shape, shares []voe.Share) {
	p, ok := shareOf(shares, s)
	if !ok || d.scale < 1 {
		return
	}
	text := format.Percent(p)
	size := min(max(8*d.scale, 10), 15)
	w := canvas.Measure(canvas.Bold, size, text) + 8
	m, r := d.middle(s), d.around(s)+2*d.scale
	at := canvas.At(min(max(m.X-w/2, d.area.X0), d.area.X1-w), m.Y-r-size*1.25, w, size*1.25)
	if at.Y0 < d.area.Y0 {
		at = canvas.At(at.X0, m.Y+r, w, size*1.25)
	}
	d.Fill(at, palette.White.Fade(0.88))
	d.Add(canvas.Text{At: canvas.Point{X: at.Mid().X, Y: at.Y1 - size*0.28}, Text: text, Size: size, Colour: palette.Ink, Align: canvas.Centre, Face: canvas.Bold})
}

func shareOf(shares []voe.Share, s *record.Shape) (p float64, ok bool) {
	name := replay.Identity(s)
	for _, g := range shares {
		if g.Name == name {
			return g.P, true
		}
	}
	return 0, false
}
