package viewer

import (
	"fmt"
	"math"
	"strconv"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// side draws the panel that was chosen.
func (d *drawing) side(r canvas.Rect) {
	d.panel(r)
	inner := r.Inset(10)
	title, inner := inner.CutTop(22)
	d.write(title, canvas.Bold, large, palette.Ink, canvas.Left, d.m.panel.String())
	switch d.m.panel {
	case EpisodePanel:
		d.episode(inner)
	case ProfilePanel:
		d.profile(inner)
	case BatteryPanel:
		d.battery(inner)
	}
}

// episode draws the facts of the episode, and its curves.
func (d *drawing) episode(r canvas.Rect) {
	e := d.m.exhibit
	if e == nil {
		return
	}
	const chart = 104
	facts, charts := r, canvas.Rect{}
	if n := len(e.Curves); n > 0 {
		charts, facts = r.CutBottom(min(float32(n)*chart, r.H()*0.6))
	}
	for _, f := range e.Facts {
		var at canvas.Rect
		if facts.H() < 17 {
			break
		}
		at, facts = facts.CutTop(17)
		name, value := at.CutLeft(at.W() * 0.46)
		d.write(name, canvas.Regular, small+1, palette.Muted, canvas.Left, f.Name)
		d.write(value, canvas.Regular, small+1, palette.Ink, canvas.Left, f.Value)
	}
	for i := range e.Curves {
		var at canvas.Rect
		at, charts = charts.CutTop(min(chart, r.H()*0.6/float32(len(e.Curves))))
		d.curve(at, &e.Curves[i])
	}
}

// curve draws a quantity over the ticks, with the present one marked.
func (d *drawing) curve(r canvas.Rect, c *Curve) {
	title, plot := r.CutTop(18)
	text := c.Name
	if !math.IsNaN(c.Mean) {
		text += fmt.Sprintf(", in all %.2f %s", c.Mean, c.Unit)
	}
	d.write(title, canvas.Bold, small, palette.Ink, canvas.Left, text)
	_, plot = plot.CutBottom(8)
	_, plot = plot.CutTop(4)
	_, plot = plot.CutLeft(30)
	top := 0.0
	for _, series := range [][]float64{c.Value, c.Second} {
		for _, v := range series {
			if v > top { // not NaN
				top = v
			}
		}
	}
	if top == 0 {
		top = 1
	}
	for k := range 3 {
		y := plot.Y1 - plot.H()*float32(k)/2
		d.Line(1, palette.Edge, canvas.Point{X: plot.X0, Y: y}, canvas.Point{X: plot.X1, Y: y})
		d.Write(canvas.Point{X: plot.X0 - 4, Y: y + 4}, small-1, palette.Muted, canvas.Right, strconv.FormatFloat(top*float64(k)/2, 'g', 2, 64))
	}
	first, second := palette.Predicted, palette.Unexpected
	if c.Second != nil {
		first = palette.Expected
	}
	d.series(plot, c.Value, top, first)
	d.series(plot, c.Second, top, second)
	x := plot.X0 + plot.W()*float32(d.m.Play.Tick)/float32(max(d.m.Play.Last, 1))
	d.Line(1, palette.Ink, canvas.Point{X: x, Y: plot.Y0}, canvas.Point{X: x, Y: plot.Y1})
}

// series draws a line that breaks off where there is no value.
func (d *drawing) series(plot canvas.Rect, values []float64, top float64, c palette.Colour) {
	var run []canvas.Point
	flush := func() {
		switch {
		case len(run) > 1:
			d.Line(1.5, c, run...)
		case len(run) == 1:
			d.Disc(run[0], 1.5, c)
		}
		run = nil
	}
	for t, v := range values {
		if math.IsNaN(v) {
			flush()
			continue
		}
		run = append(run, canvas.Point{X: plot.X0 + plot.W()*float32(t)/float32(max(d.m.Play.Last, 1)), Y: plot.Y1 - plot.H()*float32(v/top)})
	}
	flush()
}

// profile draws the posterior of every parameter of the subject.
func (d *drawing) profile(r canvas.Rect) {
	if d.m.exhibit == nil || d.m.exhibit.Profile == nil {
		d.write(r, canvas.Regular, normal, palette.Muted, canvas.Centre, "nothing inferred of this subject")
		return
	}
	p := d.m.exhibit.Profile
	head, r := r.CutTop(20)
	d.plain(head, palette.Ink, p.Subject)
	foot, r := r.CutBottom(38)
	line := "truth is sealed"
	if p.Overall != nil {
		line = fmt.Sprintf("RMSE over all: %.3f of the maximum", *p.Overall)
	}
	upper, lower := foot.CutTop(19)
	d.write(upper, canvas.Bold, small+1, palette.Ink, canvas.Left, line)
	d.write(lower, canvas.Regular, small, palette.Muted, canvas.Left, "line: mean; bar: 90 %; diamond: sealed truth")
	if p.Note != "" {
		d.write(lower, canvas.Regular, small, palette.Warning, canvas.Left, p.Note)
	}
	height := min(r.H()/float32(max(len(p.Densities), 1)), 64)
	for i := range p.Densities {
		var at canvas.Rect
		at, r = r.CutTop(height)
		d.density(at, &p.Densities[i])
	}
}

// density draws one posterior: its shape, its mean with the 90 % interval, and the truth once it is known.
func (d *drawing) density(r canvas.Rect, p *Density) {
	title, plot := r.CutTop(16)
	text := fmt.Sprintf("%.3g ± %.2g", p.Mean, p.SD)
	if p.RMSE != nil {
		text += fmt.Sprintf("   RMSE %.2g", *p.RMSE)
	}
	d.write(title, canvas.Bold, small, palette.Ink, canvas.Left, p.Name)
	d.write(title, canvas.Regular, small, palette.Muted, canvas.Right, text)
	low, plot := plot.CutLeft(26)
	high, plot := plot.CutRight(26)
	d.write(low, canvas.Regular, small-1, palette.Muted, canvas.Left, strconv.FormatFloat(p.Low, 'g', 3, 64))
	d.write(high, canvas.Regular, small-1, palette.Muted, canvas.Right, strconv.FormatFloat(p.High, 'g', 3, 64))
	base := plot.Y1 - 5
	at := func(v float64) float32 {
		return plot.X0 + plot.W()*float32(min(max((v-p.Low)/(p.High-p.Low), 0), 1))
	}
	shape := []canvas.Point{{X: plot.X0, Y: base}}
	for i, h := range p.Height {
		shape = append(shape, canvas.Point{X: plot.X0 + plot.W()*float32(i)/float32(max(len(p.Height)-1, 1)), Y: base - (base-plot.Y0-2)*float32(h)})
	}
	shape = append(shape, canvas.Point{X: plot.X1, Y: base})
	d.Polygon(palette.SkyBlue.Fade(0.55), shape...)
	d.Line(1, palette.Edge, canvas.Point{X: plot.X0, Y: base}, canvas.Point{X: plot.X1, Y: base})
	d.Line(3, palette.Blue, canvas.Point{X: at(p.Q5), Y: base}, canvas.Point{X: at(p.Q95), Y: base})
	d.Line(1.5, palette.Blue, canvas.Point{X: at(p.Mean), Y: plot.Y0 + 2}, canvas.Point{X: at(p.Mean), Y: base})
	if p.Truth != nil {
		c := canvas.Point{X: at(*p.Truth), Y: base}
		d.Polygon(palette.Truth, c.Add(0, -6), c.Add(5, 0), c.Add(0, 6), c.Add(-5, 0))
		d.Polygon(palette.White, c.Add(0, -2.5), c.Add(2, 0), c.Add(0, 2.5), c.Add(-2, 0))
	}
}

// battery draws the table over the whole battery.
func (d *drawing) battery(r canvas.Rect) {
	b := d.m.battery
	if b == nil {
		d.write(r, canvas.Regular, normal, palette.Muted, canvas.Centre, "working it out …")
		return
	}
	line := func(face canvas.Face, c palette.Colour, cells []string) {
		var at canvas.Rect
		at, r = r.CutTop(19)
		name, rest := at.CutLeft(at.W() * 0.27)
		d.write(name, face, small, c, canvas.Left, cells[0])
		for i, col := range rest.Columns(max(len(cells)-1, 1), 4) {
			if i+1 < len(cells) {
				d.write(col, face, small, c, canvas.Right, cells[i+1])
			}
		}
	}
	line(canvas.Bold, palette.Ink, b.Columns)
	d.Fill(canvas.At(r.X0, r.Y0, r.W(), 1), palette.Edge)
	for _, row := range b.Rows {
		line(canvas.Regular, palette.Ink, row)
	}
	_, r = r.CutTop(gap)
	for _, n := range b.Notes {
		for _, l := range wrap(n, r.W()) {
			var at canvas.Rect
			at, r = r.CutTop(15)
			d.write(at, canvas.Regular, small, palette.Muted, canvas.Left, l)
		}
	}
}
