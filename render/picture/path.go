package picture

import (
	"math"

	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// shift is the distance, in cells, by which the actual path is moved to the north-west and the predicted one to the
// south-east, so that both can be seen where they pass through the same cells.
const shift = 0.1

// through returns the line through the centres of the cells of a path. The line is moved to the east and to the south,
// in both directions by the distance by, in cells.
func (d *drawing) through(path []gridworld.Pos, by float32) []canvas.Point {
	var line []canvas.Point
	for i, p := range path {
		if i == 0 || p != path[i-1] {
			line = append(line, d.Centre(p).Add(d.Pixels(by), d.Pixels(by)))
		}
	}
	return line
}

// path draws the actor's path so far.
func (d *drawing) path() {
	line := d.through(d.trajectory.Path()[:d.tick+1], -shift)
	d.Ring(line[0], d.Pixels(0.16), max(d.Pixels(0.07), 1), palette.Actual)
	d.haloed(line, max(d.Pixels(0.13), 2), palette.Actual, 0)
}

// others draws the paths of other subjects up to this tick, and a disc where they are: blue-green of those who passed, orange-red of the
// others. Paths lie beside one another, so that those through the same cells can be counted.
func (d *drawing) others(list []replay.Other) {
	for i, o := range list {
		colour := palette.Warning
		if o.Outcome == replay.OutcomePassed {
			colour = palette.Success
		}
		by := 0.7 * (float32(i) + 0.5 - float32(len(list))/2) / float32(len(list))
		line := d.through(o.Path[:min(d.tick+1, len(o.Path))], by)
		if len(line) > 1 {
			d.Line(max(d.Pixels(0.05), 1.2), colour.Fade(0.75), line...)
		}
		d.Disc(line[len(line)-1], max(d.Pixels(0.09), 2), colour)
	}
}

// haloed draws a line on a wider white one, so that it stands out on any background.
func (d *drawing) haloed(line []canvas.Point, width float32, c palette.Colour, dash float32) {
	if len(line) < 2 {
		return
	}
	d.Line(width+max(d.Pixels(0.08), 1.5), palette.White.Fade(0.85), line...)
	d.Add(canvas.Polyline{Points: line, Width: width, Colour: c, Dash: dash})
}

// sampled draws the sampled paths, the rarest first. A path that was sampled more often is wider. A disc marks each
// cell where paths end; the more paths end there, the larger it is.
func (d *drawing) sampled(p *replay.Predicted) {
	ends := map[gridworld.Pos]int{}
	for i := len(p.Fan) - 1; i >= 0; i-- {
		b := &p.Fan[i]
		share := float32(b.Count) / float32(p.Samples)
		line := d.through(b.Path, shift)
		if len(line) > 1 {
			d.Line(d.Pixels(0.1+0.45*root(share)), palette.Predicted.Fade(float64(0.14+0.36*share)), line...)
		}
		ends[b.Path.End()] += b.Count
	}
	for y := range d.World.Height() { // in a fixed order, because the order of a Go map differs between runs
		for x := range d.World.Width() {
			q := gridworld.Pos{X: x, Y: y}
			if n := ends[q]; n > 0 {
				r := d.Pixels(0.1 + 0.38*root(float32(n)/float32(p.Samples)))
				d.Disc(d.Centre(q).Add(d.Pixels(shift), d.Pixels(shift)), r, palette.Predicted.Fade(0.35))
			}
		}
	}
}

// walkers draws a disc in each cell where sampled paths are at this tick. The more paths are there, the larger it is.
func (d *drawing) walkers(p *replay.Predicted) {
	now := map[gridworld.Pos]int{}
	for i := range p.Fan {
		now[p.Fan[i].Path.At(d.tick)] += p.Fan[i].Count
	}
	for y := range d.World.Height() { // in a fixed order, because the order of a Go map differs between runs
		for x := range d.World.Width() {
			q := gridworld.Pos{X: x, Y: y}
			if n := now[q]; n > 0 {
				at, r := d.Centre(q).Add(d.Pixels(shift), d.Pixels(shift)), d.Pixels(0.08+0.24*root(float32(n)/float32(p.Samples)))
				d.Disc(at, r+max(d.Pixels(0.04), 1), palette.White.Fade(0.85))
				d.Disc(at, r, palette.Predicted)
			}
		}
	}
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// predicted draws the whole predicted path as a thin line, and a thick dashed line over the part up to this tick.
func (d *drawing) predicted(p *replay.Predicted) {
	width := max(d.Pixels(0.11), 1.8)
	whole := d.through(p.Path, shift)
	d.Add(canvas.Polyline{Points: whole, Width: max(width*0.5, 1), Colour: palette.Predicted.Fade(0.7)})
	upto := p.Path[:min(d.tick+1, len(p.Path))]
	d.haloed(d.through(upto, shift), width, palette.Predicted, max(d.Pixels(0.28), 4))
	end := whole[len(whole)-1]
	r := d.Pixels(0.2)
	d.diamond(end, r+max(d.Pixels(0.06), 1), palette.White)
	d.diamond(end, r, palette.Predicted)
	if at := upto[len(upto)-1]; at != p.Path[len(p.Path)-1] {
		d.Ring(d.Centre(at).Add(d.Pixels(shift), d.Pixels(shift)), d.Pixels(0.2), max(d.Pixels(0.08), 1.2), palette.Predicted)
	}
}

func (d *drawing) diamond(m canvas.Point, r float32, c palette.Colour) {
	d.Polygon(c, m.Add(0, -r), m.Add(r, 0), m.Add(0, r), m.Add(-r, 0))
}

// tag writes a word in a box beside a point, inside the world.
func (d *drawing) tag(at canvas.Point, text string, c palette.Colour) {
	size := min(max(d.Pixels(0.5), 11), 16)
	w := canvas.Measure(canvas.Bold, size, text) + size*0.8
	x := at.X + d.Pixels(0.6)
	if x+w > d.Area.X1 {
		x = at.X - d.Pixels(0.6) - w
	}
	x = min(max(x, d.Area.X0), d.Area.X1-w)
	y := max(at.Y-d.Pixels(0.6)-size, d.Area.Y0+2)
	r := canvas.At(float32(int(x)), float32(int(y)), w, size*1.4)
	d.Fill(r, palette.White.Fade(0.92))
	d.Frame(r, 1, c)
	d.Add(canvas.Text{At: canvas.Point{X: r.Mid().X, Y: r.Y1 - size*0.38}, Text: text, Size: size, Colour: c, Align: canvas.Centre, Face: canvas.Bold})
}
