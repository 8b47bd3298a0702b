package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// An Estimate is a posterior: its mean and its central 50 % and 90 % intervals. If only one interval is known, it is from Q5 to
// Q95, and Q25 and Q75 are equal. Truth and Published are nil if they are not known.
type Estimate struct {
	Label             string
	Mean              float64
	Q5, Q25, Q75, Q95 float64
	Truth             *float64
	Published         *float64
	Doubtful          bool // whether there is a warning about the posterior; its mean is then drawn as a ring
}

// Forest draws estimates below each other on an axis from min to max. axis is the label of the axis.
func Forest(axis string, min, max float64, rows []Estimate) Figure {
	if len(rows) == 0 || !(max > min) {
		return Figure{}
	}
	p := newForest(axis, min, max, rows, 130)
	return withLegend(p, forestKeys(rows), 560, 62+17*float64(len(rows)))
}

// A ForestPanel has the estimates of one parameter, on an axis from Min to Max.
type ForestPanel struct {
	Name     string
	Min, Max float64
	Rows     []Estimate
}

// Forests draws small forest plots side by side, one for each parameter.
func Forests(panels []ForestPanel) Figure {
	var plots []*plot.Plot
	var all []Estimate
	for _, q := range panels {
		if len(q.Rows) == 0 || !(q.Max > q.Min) {
			continue
		}
		p := newForest("", q.Min, q.Max, q.Rows, 78)
		titled(p, q.Name)
		p.X.Tick.Marker = ticks{2}
		plots, all = append(plots, p), append(all, q.Rows...)
	}
	if len(plots) == 0 {
		return Figure{}
	}
	return panelled(plots, 3, 210, 44+12*float64(len(panels[0].Rows)), forestKeys(all))
}

// newForest returns a plot of estimates. Labels are at most wide points wide.
func newForest(axis string, min, max float64, rows []Estimate, wide float64) *plot.Plot {
	p := newPlot(frame{x: axis, xMin: min, xMax: max, yMin: -0.5, yMax: float64(len(rows)) - 0.5})
	p.Y.Tick.Marker = names(len(rows), wide, func(i int) string { return rows[len(rows)-1-i].Label })
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Color = palette.Ink
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i, r := range rows {
			r.draw(c, x, y(float64(len(rows)-1-i)))
		}
	}))
	return p
}

// forestKeys returns the legend for the signs that appear in rows.
func forestKeys(rows []Estimate) []key {
	sign, name := Estimate{Q5: -8, Q95: 8}, "estimate and its interval"
	if slices.ContainsFunc(rows, func(r Estimate) bool { return r.Q25 < r.Q75 }) {
		sign.Q25, sign.Q75, name = -4, 4, "mean, 50 % and 90 %"
	}
	keys := []key{{name, func(c *draw.Canvas, at vg.Point) {
		sign.draw(c, func(v float64) vg.Length { return at.X + vg.Length(v) }, at.Y)
	}}}
	var truth, published, doubtful bool
	for _, r := range rows {
		truth, published, doubtful = truth || r.Truth != nil, published || r.Published != nil, doubtful || r.Doubtful
	}
	if truth {
		keys = append(keys, dotKey("truth", dot(palette.Truth, 4, diamond)))
	}
	if published {
		keys = append(keys, dotKey("published", dot(palette.Purple, 3, cross)))
	}
	if doubtful {
		keys = append(keys, dotKey("has a warning", dot(palette.Blue, 3, ring{})))
	}
	return keys
}

func (r Estimate) draw(c *draw.Canvas, x func(float64) vg.Length, y vg.Length) {
	in := func(v float64) vg.Length { return min(max(x(v), c.Min.X), c.Max.X) }
	c.StrokeLine2(line(palette.Blue, 1.2), in(r.Q5), y, in(r.Q95), y)
	c.StrokeLine2(line(palette.Blue, 3.6), in(r.Q25), y, in(r.Q75), y)
	if r.Doubtful {
		c.DrawGlyphNoClip(dot(palette.White, 3, draw.CircleGlyph{}), vg.Point{X: in(r.Mean), Y: y})
		c.DrawGlyphNoClip(dot(palette.Blue, 3.4, ring{}), vg.Point{X: in(r.Mean), Y: y})
	} else {
		c.DrawGlyphNoClip(dot(palette.Blue, 3.4, draw.CircleGlyph{}), vg.Point{X: in(r.Mean), Y: y})
	}
	if r.Published != nil {
		c.DrawGlyphNoClip(dot(palette.Purple, 3, cross), vg.Point{X: in(*r.Published), Y: y})
	}
	if r.Truth != nil {
		c.DrawGlyphNoClip(dot(palette.Truth, 4, diamond), vg.Point{X: in(*r.Truth), Y: y})
	}
}

// nominal is a list of ticks with names instead of numbers.
type nominal []plot.Tick

// Ticks implements plot.Ticker.
func (n nominal) Ticks(_, _ float64) []plot.Tick { return n }

// names returns the ticks of n rows. A name is shortened to at most wide points.
func names(n int, wide float64, name func(i int) string) (ticks nominal) {
	for i := range n {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: fit(text(10, palette.Ink), name(i), wide)})
	}
	return ticks
}

// withLegend returns the figure of a plot with a legend above it. height is the height of the plot alone, in points.
func withLegend(p *plot.Plot, keys []key, width, height float64) Figure {
	if len(keys) == 0 {
		return figureOf(p, width, height)
	}
	room := 4 + 14*float64(countRows(keys, width-24))
	return Figure{Width: width, Height: height + room, draw: func(c draw.Canvas) {
		legend(&c, keys, c.Min.X.Points()+12, c.Max.X.Points()-12, c.Max.Y.Points()-9)
		p.Draw(draw.Crop(c, 6, -10, 4, -6-points(room)))
	}}
}

// countRows returns the number of rows that a legend needs in a width in points.
func countRows(keys []key, width float64) int {
	style := text(10, palette.Ink)
	x, rows := 0.0, 1
	for _, k := range keys {
		w := 34 + style.Width(k.label).Points()
		if x+w > width && x > 0 {
			x, rows = 0, rows+1
		}
		x += w
	}
	return rows
}
