package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Point is a point of a curve or a scatter. Low and High are the ends of the interval of Y, or NaN; Weight is the number of
// responses. XLow and XHigh are those of X in a scatter; they are NaN or equal if there is none.
type Point struct{ X, Y, Low, High, Weight, XLow, XHigh float64 }

// A Curve is the success rate at each value of one feature.
type Curve struct {
	Feature          string
	Labels           []string // values of a text feature, at X = 0, 1, …; nil for a numeric feature
	Values           []Point
	Bins             []Point // means within bins of values; may be empty
	Intercept, Slope float64 // coefficients of the least-squares line; NaN: no line
}

// Curves draws success rates against features, with one panel for each feature.
func Curves(curves []Curve) Figure {
	var plots []*plot.Plot
	binned := false
	for _, q := range curves {
		plots = append(plots, q.plot())
		binned = binned || len(q.Bins) > 0
	}
	keys := []key{dotKey("value (larger: more responses)", dot(palette.Blue.Fade(0.6), 3.4, draw.CircleGlyph{}))}
	if binned {
		keys = append(keys, dotKey("bin with its 95 % interval", dot(palette.Orange, 3.2, draw.BoxGlyph{})))
	}
	return panelled(plots, 3, 190, 160, append(keys, lineKey("least squares", line(palette.Ink, 1, 4, 3))))
}

func (q *Curve) plot() *plot.Plot {
	lo, hi, most := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range q.Values {
		lo, hi, most = min(lo, v.X), max(hi, v.X), max(most, v.Weight)
	}
	p := Feature{q.Feature, q.Labels}.plot(lo, hi)
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for _, v := range q.Values {
			r := 1.6 + 2.6*math.Sqrt(v.Weight/most)
			if len(q.Bins) == 0 && v.High > v.Low {
				c.StrokeLine2(line(palette.Blue.Fade(0.6), 1.4), x(v.X), y(v.Low), x(v.X), y(v.High))
			}
			c.DrawGlyphNoClip(dot(palette.Blue.Fade(0.6), r, draw.CircleGlyph{}), vg.Point{X: x(v.X), Y: y(v.Y)})
		}
		if q.Labels == nil && !math.IsNaN(q.Slope) && !math.IsNaN(q.Intercept) {
			ends := []vg.Point{{X: x(lo), Y: y(q.Intercept + q.Slope*lo)}, {X: x(hi), Y: y(q.Intercept + q.Slope*hi)}}
			polyline(c, line(palette.Ink, 1, 4, 3), ends)
		}
		for _, b := range q.Bins {
			if !math.IsNaN(b.Low) && !math.IsNaN(b.High) {
				c.StrokeLine2(line(palette.Orange, 1.6), x(b.X), y(b.Low), x(b.X), y(b.High))
			}
			c.DrawGlyphNoClip(dot(palette.Orange, 2.8, draw.BoxGlyph{}), vg.Point{X: x(b.X), Y: y(b.Y)})
		}
	}))
	return p
}

// A Series has a name, and two lists of points: a line joins Points, which are in order of X, and no line joins Marks.
type Series struct {
	Name   string
	Points []Point
	Marks  []Point
}

// A Panel is one plot of several that are drawn side by side.
type Panel struct {
	Title  string
	Series []Series
}

// Add adds a point to the series of this name, which is made if there is none.
func (p *Panel) Add(series string, at Point) {
	i := slices.IndexFunc(p.Series, func(s Series) bool { return s.Name == series })
	if i < 0 {
		i = len(p.Series)
		p.Series = append(p.Series, Series{Name: series})
	}
	p.Series[i].Points = append(p.Series[i].Points, at)
}

// LinePanels draws panels of series, at most across panels in a row. All panels have axes of the same range. The k-th
// series has the same colour in all panels and should have the same name, because there is one legend.
func LinePanels(x, y string, panels []Panel, across int, yMin, yMax float64) Figure {
	return linePanels(frame{x: x, y: y, yMin: yMin, yMax: yMax}, panels, across)
}

// LogPanels is LinePanels with logarithmic axes. The coordinates of Points, and of Marks, must be positive; the y axis goes
// from the power of ten below all Points to that above.
func LogPanels(x, y string, panels []Panel, across int) Figure {
	f := frame{x: x, y: y, log: true, yMin: math.Inf(1), yMax: math.Inf(-1)}
	logs := func(list []Point) (out []Point) {
		for _, v := range list {
			out = append(out, Point{X: math.Log10(v.X), Y: math.Log10(v.Y), Low: math.Log10(v.Low), High: math.Log10(v.High)})
		}
		return out
	}
	var all []Panel
	for _, p := range panels {
		converted := Panel{Title: p.Title}
		for _, s := range p.Series {
			s.Points, s.Marks = logs(s.Points), logs(s.Marks)
			for _, v := range s.Points {
				f.yMin, f.yMax = min(f.yMin, math.Floor(v.Y)), max(f.yMax, math.Ceil(v.Y))
			}
			converted.Series = append(converted.Series, s)
		}
		all = append(all, converted)
	}
	return linePanels(f, all, across)
}

// DoublingPanels is LinePanels with an x axis of doublings. X of all points and marks must be positive.
func DoublingPanels(x, y string, panels []Panel, across int, yMin, yMax float64) Figure {
	logs := func(list []Point) []Point {
		list = slices.Clone(list)
		for i := range list {
			list[i].X = math.Log2(list[i].X)
		}
		return list
	}
	var all []Panel
	for _, p := range panels {
		p.Series = slices.Clone(p.Series)
		for k := range p.Series {
			s := &p.Series[k]
			s.Points, s.Marks = logs(s.Points), logs(s.Marks)
		}
		all = append(all, p)
	}
	return linePanels(frame{x: x, y: y, yMin: yMin, yMax: yMax, xDoubles: true}, all, across)
}

// linePanels draws panels of series in frames that are f except for the x axis, which shows all points and marks.
func linePanels(f frame, panels []Panel, across int) Figure {
	var all []Series
	for _, p := range panels {
		all = append(all, p.Series...)
	}
	if len(all) == 0 {
		return Figure{}
	}
	f.xMin, f.xMax = reach(all)
	var plots []*plot.Plot
	var keys []key
	for _, p := range panels {
		one := linesPlot(f, p.Series)
		titled(one, p.Title)
		plots = append(plots, one)
		for k := len(keys); k < len(p.Series); k++ {
			keys = append(keys, seriesKey(k, p.Series[k].Name))
		}
	}
	return panelled(plots, across, 240, 190, keys)
}

// Lines draws series over common axes, with intervals as vertical bars. The series differ in colour, dashes and
// marks.
func Lines(x, y string, series []Series, yMin, yMax float64) Figure {
	if len(series) == 0 {
		return Figure{}
	}
	lo, hi := reach(series)
	var keys []key
	for k, s := range series {
		keys = append(keys, seriesKey(k, s.Name))
	}
	return withLegend(linesPlot(frame{x: x, y: y, xMin: lo, xMax: hi, yMin: yMin, yMax: yMax}, series), keys, 520, 260)
}

// reach returns the range of an x axis that shows all points and marks.
func reach(series []Series) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, v := range append(s.Points[:len(s.Points):len(s.Points)], s.Marks...) {
			lo, hi = min(lo, v.X), max(hi, v.X)
		}
	}
	if !(hi > lo) {
		lo, hi = lo-1, lo+1
	}
	room := 0.04 * (hi - lo)
	return lo - room, hi + room
}

func linesPlot(f frame, series []Series) *plot.Plot {
	p := newPlot(f)
	for k, s := range series {
		// offset of series k, so that the intervals of two series do not overlap
		aside := points(3 * (float64(k) - float64(len(series)-1)/2))
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) { s.draw(c, k, aside, x, y) }))
	}
	return p
}

// manyPoints is the least number of points of a series that are not drawn as glyphs. If the series has Marks, the
// glyphs would be drawn there, and the number of Marks counts instead.
const manyPoints = 30

// draw draws the k-th series of a plot. It moves Marks to the right by aside, and also Points if any of them has an
// interval.
func (s *Series) draw(c *draw.Canvas, k int, aside vg.Length, x, y func(float64) vg.Length) {
	places := func(list []Point, aside vg.Length) (pts []vg.Point) {
		for _, v := range list {
			pts = append(pts, vg.Point{X: x(v.X) + aside, Y: y(v.Y)})
			if v.hasInterval() {
				c.StrokeLine2(line(palette.Category(k), 1), x(v.X)+aside, y(v.Low), x(v.X)+aside, y(v.High))
			}
		}
		return pts
	}
	onLine := aside
	if !slices.ContainsFunc(s.Points, Point.hasInterval) {
		onLine = 0
	}
	pts := places(s.Points, onLine)
	c.StrokeLines(seriesLine(k), pts)
	if len(s.Marks) > 0 {
		pts = places(s.Marks, aside)
	}
	if len(pts) >= manyPoints {
		return
	}
	for _, q := range pts {
		c.DrawGlyphNoClip(dot(palette.Category(k), 2.8, shapes[k%len(shapes)]), q)
	}
}

func (p Point) hasInterval() bool { return !math.IsNaN(p.Low) && !math.IsNaN(p.High) && p.High > p.Low }

var shapes = [...]draw.GlyphDrawer{draw.CircleGlyph{}, triangle, draw.BoxGlyph{}, draw.PyramidGlyph{}, ring{}, square, cross, plus}

func seriesLine(k int) draw.LineStyle {
	dashes := [...][]float64{nil, {5, 2}, {2, 2}, {7, 2, 2, 2}}
	return line(palette.Category(k), 1.5, dashes[k%len(dashes)]...)
}

func seriesKey(k int, name string) key {
	return key{name, func(c *draw.Canvas, at vg.Point) {
		c.StrokeLine2(seriesLine(k), at.X-8, at.Y, at.X+8, at.Y)
		c.DrawGlyphNoClip(dot(palette.Category(k), 2.6, shapes[k%len(shapes)]), at)
	}}
}
