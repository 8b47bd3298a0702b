package viewer

import (
	"math"
	"slices"
	"strconv"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/picture"
	"achilles/render/replay"
)

// side draws the right column with the selected panel.
func (d *drawing) side(r canvas.Rect) {
	d.panel(r)
	inner := r.Inset(10)
	head, inner := inner.CutTop(22)
	d.write(head, canvas.Bold, large, palette.Ink, canvas.Left, d.m.panel.String())
	switch d.m.panel {
	case episodePanel:
		d.episode(inner)
	case profilePanel:
		d.profile(inner)
	case batteryPanel:
		d.battery(inner)
	}
}

// episode draws the facts about the episode and, below them, its curves.
func (d *drawing) episode(r canvas.Rect) {
	e := d.m.episode
	if e == nil {
		return
	}
	curves := picture.Curves(e.Episode)
	if r.H() < leastWithCurves {
		curves = nil
	}
	for i := len(curves) - 1; i >= 0; i-- {
		var at canvas.Rect
		at, r = r.CutBottom(min(104, r.H()*0.4))
		curves[i].Draw(d.Canvas, at, d.m.Play.Tick)
		_, r = r.CutBottom(4)
	}
	d.scrolled(r, func(d *drawing, r canvas.Rect) canvas.Rect {
		if why, ok := picture.WhyOf(e.Episode); ok {
			r = why.Draw(d.Canvas, r)
		}
		for _, f := range facts(e.Episode, d.m.Play.Tick) {
			var at canvas.Rect
			at, r = r.CutTop(17)
			name, value := at.CutLeft(at.W() * 0.46)
			d.write(name, canvas.Regular, small+1, palette.Muted, canvas.Left, f.name)
			d.write(value, canvas.Regular, small+1, palette.Ink, canvas.Left, f.value)
		}
		if h, ok := picture.HypothesesOf(e.Episode); ok {
			r = h.Draw(d.Canvas, r, e.Episode, d.m.Play.Tick)
		}
		return r
	})
}

// leastWithCurves is the least height, in pixels, of a panel that has room for curves below the facts.
const leastWithCurves = 260

// profile draws the posterior of every parameter of the subject.
func (d *drawing) profile(r canvas.Rect) {
	e := d.m.episode
	if e == nil || e.Profile == nil {
		text, colour := "No profile was inferred for this subject.", palette.Muted
		if note := d.m.library.note(d.m.episode); note != "" {
			text, colour = note, palette.Warning
		}
		d.paragraph(r, colour, text)
		return
	}
	p := e.Profile
	head, r := r.CutTop(20)
	by := ", by the layout " + p.Layout
	averaged := slices.ContainsFunc(p.Parameters, func(x replay.Parameter) bool { return x.Averaged != nil })
	if averaged {
		by = ", averaged over the candidate set"
	}
	d.plain(head, palette.Ink, p.Subject+by)
	foot, r := r.CutBottom(38)
	text := "truth is sealed"
	if d.m.library.unsealed {
		text = "the truth has none of these parameters"
	}
	if slices.ContainsFunc(p.Parameters, func(x replay.Parameter) bool { return x.Truth != nil }) {
		text = "not scored yet"
	}
	if p.RMSE != nil {
		text = "Capability RMSE " + format.Number(*p.RMSE, 3) + ", of this subject"
	}
	upper, lower := foot.CutTop(19)
	d.write(upper, canvas.Bold, small+1, palette.Ink, canvas.Left, text)
	if len(p.Warnings) > 0 {
		d.write(lower, canvas.Regular, small, palette.Warning, canvas.Left, p.Warnings[0])
	} else {
		words := "line: mean; bar: 90 %; diamond: truth"
		if averaged {
			words += "; shape: layout " + p.Layout
		}
		d.write(lower, canvas.Regular, small, palette.Muted, canvas.Left, words)
	}
	height := max(min(r.H()/float32(max(len(p.Parameters), 1)), 64), leastDensity)
	d.scrolled(r, func(d *drawing, r canvas.Rect) canvas.Rect {
		for i := range p.Parameters {
			var at canvas.Rect
			at, r = r.CutTop(height)
			d.density(at, &p.Parameters[i], &e.densities[i])
		}
		return r
	})
}

// leastDensity is the least height, in pixels, at which the posterior of a parameter is drawn.
const leastDensity = 40

// density draws the posterior of a parameter: its density, its mean, the central 90 % and, if it is known, the truth.
func (d *drawing) density(r canvas.Rect, p *replay.Parameter, shape *density) {
	head, plot := r.CutTop(16)
	m, s, q5, q95 := p.Reported()
	mean, sd := format.MeanSD(m, s)
	text := mean + " ± " + sd
	if x, ok := p.Error(); ok {
		sign, size := "+", math.Abs(x)
		if x < 0 {
			sign = "−"
		}
		if _, rounded := format.MeanSD(size, size); size < 0.0005 {
			text += "   error <0.0005"
		} else {
			text += "   error " + sign + rounded
		}
	}
	d.write(head, canvas.Bold, small, palette.Ink, canvas.Left, p.Parameter)
	d.write(head, canvas.Regular, small, palette.Muted, canvas.Right, text)
	_, between := head.CutLeft(canvas.Measure(canvas.Bold, small, p.Parameter) + 5)
	_, between = between.CutRight(canvas.Measure(canvas.Regular, small, text) + 6)
	d.write(between, canvas.Regular, small-1, palette.Muted, canvas.Left, p.Unit)
	low, plot := plot.CutLeft(26)
	high, plot := plot.CutRight(26)
	d.write(low, canvas.Regular, small-1, palette.Muted, canvas.Left, format.Short(shape.low))
	d.write(high, canvas.Regular, small-1, palette.Muted, canvas.Right, format.Short(shape.high))
	base := plot.Y1 - 5
	at := func(v float64) float32 {
		return plot.X0 + plot.W()*float32(min(max((v-shape.low)/(shape.high-shape.low), 0), 1))
	}
	outline := []canvas.Point{{X: plot.X0, Y: base}}
	for i, h := range shape.height {
		outline = append(outline, canvas.Point{X: plot.X0 + plot.W()*float32(i)/(places-1), Y: base - (base-plot.Y0-2)*float32(h)})
	}
	d.Polygon(palette.SkyBlue.Fade(0.55), append(outline, canvas.Point{X: plot.X1, Y: base})...)
	d.Line(1, palette.Edge, canvas.Point{X: plot.X0, Y: base}, canvas.Point{X: plot.X1, Y: base})
	d.Line(3, palette.Blue, canvas.Point{X: at(q5), Y: base}, canvas.Point{X: at(q95), Y: base})
	d.Line(1.5, palette.Blue, canvas.Point{X: at(m), Y: plot.Y0 + 2}, canvas.Point{X: at(m), Y: base})
	if p.Truth != nil {
		c := canvas.Point{X: at(*p.Truth), Y: base}
		d.Polygon(palette.Truth, c.Add(0, -6), c.Add(5, 0), c.Add(0, 6), c.Add(-5, 0))
		d.Polygon(palette.White, c.Add(0, -2.5), c.Add(2, 0), c.Add(0, 2.5), c.Add(-2, 0))
	}
}

// battery draws a table of the errors of predicted paths by paradigm. If there are observers, it writes an explanation
// of the table of observers instead.
func (d *drawing) battery(r canvas.Rect) {
	if !d.m.tabled {
		d.write(r, canvas.Regular, normal, palette.Muted, canvas.Centre, "working it out …")
		return
	}
	if len(d.m.library.observers) > 0 {
		d.scrolled(r, (*drawing).observerWords)
		return
	}
	if d.m.scores == nil {
		d.paragraph(r, palette.Muted, "Nothing is graded yet: achilles score grades predicted paths and observers.")
		return
	}
	d.scrolled(r, func(d *drawing, r canvas.Rect) canvas.Rect {
		if d.m.overview.headline() != "" {
			r = d.paragraph(r, palette.Ink, d.m.overview.headline())
			_, r = r.CutTop(gap)
		}
		if len(d.m.scores.Paths) == 0 {
			return d.paragraph(r, palette.Muted, "No paths were predicted: the layout has no [walking], or no responses were held out.")
		}
		return d.pathErrors(r)
	})
}

// pathErrors draws the table of the errors of predicted paths at the top of r, and returns the rest of r.
func (d *drawing) pathErrors(r canvas.Rect) canvas.Rect {
	heads := []string{"n", "profile", "group", "shortest", "stay-put"}
	few := r.W() < leastWithCounts
	switch {
	case few:
		heads = []string{"", "profile", "group", "short"}
	case r.W() < leastWithHeads:
		heads = []string{"n", "profile", "group", "short", "stay"}
	}
	r = d.tableRow(r, canvas.Bold, "paradigm", heads...)
	d.Fill(canvas.At(r.X0, r.Y0, r.W(), 1), palette.Edge)
	for _, name := range d.m.scores.PathNames() {
		p := d.m.scores.Paths[name]
		cells := []string{strconv.Itoa(p.N), format.Number(p.RMSE, 2), format.Number(p.Pooled, 2), format.Number(p.Direct, 2), format.Number(p.Still, 2)}
		if few {
			cells[0] = ""
		}
		r = d.tableRow(r, canvas.Regular, name, cells[:len(heads)]...)
	}
	_, r = r.CutTop(gap)
	r = d.paragraph(r, palette.Muted, "Root mean square distance in cells between the predicted and the actual path, a tick at a time, averaged over the held-out episodes of a paradigm; predicted from each subject's other responses.")
	return d.paragraph(r, palette.Muted, "profile: the predicted path, the medoid of the sampled ones. group: the same with one profile for all subjects. shortest: straight to the reward. stay-put: no move.")
}

// leastWithHeads is the least width, in pixels, of a table of path errors that has room for whole heads.
const leastWithHeads = 320

// leastWithCounts is the least width, in pixels, of one that has room for its counts and for staying put.
const leastWithCounts = 250

// countWidth is the width, in pixels, of a count of up to five digits.
const countWidth = 36

// tableRow draws a row of a table, whose first cell is a count or, in a table without counts, empty, at the top of r, and returns the rest of r.
func (b *brush) tableRow(r canvas.Rect, face canvas.Face, name string, cells ...string) canvas.Rect {
	at, r := r.CutTop(19)
	left, right := at.CutLeft(at.W() * 0.28)
	b.write(left, face, small, palette.Ink, canvas.Left, name)
	if cells[0] != "" {
		var count canvas.Rect
		count, right = right.CutLeft(max(right.W()*0.11, countWidth))
		b.write(count, face, small, palette.Ink, canvas.Right, cells[0])
	}
	for i, column := range right.Columns(len(cells)-1, 4) {
		b.write(column, face, small, palette.Ink, canvas.Right, cells[i+1])
	}
	return r
}

// paragraph writes a text in lines at the top of r, and returns the rest of r.
func (b *brush) paragraph(r canvas.Rect, c palette.Colour, text string) canvas.Rect {
	for _, line := range canvas.Wrap(canvas.Regular, small, text, r.W()) {
		var at canvas.Rect
		at, r = r.CutTop(15)
		b.write(at, canvas.Regular, small, c, canvas.Left, line)
	}
	return r
}
