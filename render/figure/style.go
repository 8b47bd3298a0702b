package figure

import (
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	ptext "gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

const (
	bold   = xfont.WeightBold
	middle = ptext.YCenter
	centre = ptext.XCenter
	right  = ptext.XRight
	left   = ptext.XLeft
	top    = ptext.YTop
	bottom = ptext.YBottom
)

// text is the style of writing of that size.
func text(size float64, c palette.Colour) draw.TextStyle {
	return draw.TextStyle{Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: points(size)}, Handler: ptext.Plain{Fonts: font.DefaultCache}}
}

// aligned is text with both alignments.
func aligned(size float64, c palette.Colour, x ptext.XAlignment, y ptext.YAlignment) draw.TextStyle {
	s := text(size, c)
	s.XAlign, s.YAlign = x, y
	return s
}

func line(c palette.Colour, width float64, dashes ...float64) draw.LineStyle {
	s := draw.LineStyle{Color: c, Width: points(width)}
	for _, d := range dashes {
		s.Dashes = append(s.Dashes, points(d))
	}
	return s
}

func dot(c palette.Colour, radius float64, shape draw.GlyphDrawer) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: points(radius), Shape: shape}
}

// A frame is the axes of a plot.
type frame struct {
	x, y       string // labels
	xMin, xMax float64
	yMin, yMax float64
	noX, noY   bool // without that axis
}

// newPlot has our fonts and colours, a light grid, and no title: that is written where the figure is shown.
func newPlot(f frame) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []struct {
		axis     *plot.Axis
		label    string
		min, max float64
	}{{&p.X, f.x, f.xMin, f.xMax}, {&p.Y, f.y, f.yMin, f.yMax}} {
		rotation := a.axis.Label.TextStyle.Rotation
		a.axis.Label.Text = a.label
		a.axis.Label.TextStyle = aligned(11, palette.Ink, centre, a.axis.Label.TextStyle.YAlign)
		a.axis.Label.TextStyle.Rotation = rotation
		a.axis.Label.Padding = 4
		label := text(10, palette.Muted)
		label.XAlign, label.YAlign = a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign
		a.axis.Tick.Label = label
		a.axis.Tick.LineStyle = line(palette.Muted, 0.7)
		a.axis.Tick.Length = 4
		a.axis.Tick.Marker = ticks{}
		a.axis.LineStyle = line(palette.Muted, 0.7)
		a.axis.Padding = 0
		a.axis.Min, a.axis.Max = a.min, a.max
	}
	p.Add(gridLines{})
	if f.noX {
		p.HideX()
	}
	if f.noY {
		p.HideY()
	}
	return p
}

// figureOf is a plot with some room around it.
func figureOf(p *plot.Plot, width, height float64) Figure {
	return Figure{width, height, func(c draw.Canvas) { p.Draw(draw.Crop(c, 6, -10, 4, -6)) }}
}

// ticks are round numbers, at least so many spaces between them (four where it is 0) and at most twice as many, with no
// more digits than tell them apart.
type ticks struct{ spaces float64 }

// Ticks implements plot.Ticker.
func (t ticks) Ticks(min, max float64) (out []plot.Tick) {
	if !(max > min) {
		return nil
	}
	spaces := t.spaces
	if spaces == 0 {
		spaces = 4
	}
	step := math.Pow(10, math.Floor(math.Log10((max-min)/spaces)))
	for _, m := range []float64{5, 2} {
		if (max-min)/(step*m) >= spaces {
			step *= m
			break
		}
	}
	digits := 0
	if step < 1 {
		digits = int(math.Ceil(-math.Log10(step) - 1e-9))
	}
	for k := math.Ceil(min/step - 1e-9); k*step <= max+1e-9*step; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: number(k*step, digits)})
	}
	return out
}

// number writes x with so many decimals, with a proper minus and never a negative zero.
func number(x float64, decimals int) string {
	t := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(t, "-0.") == "" {
		t = strings.TrimPrefix(t, "-")
	}
	return strings.Replace(t, "-", "−", 1)
}

// gridLines are light lines at the ticks of both axes.
type gridLines struct{}

// Plot implements plot.Plotter.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := line(palette.Edge, 0.6)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !t.IsMinor() && t.Value >= p.X.Min && t.Value <= p.X.Max {
			c.StrokeLine2(style, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() && t.Value >= p.Y.Min && t.Value <= p.Y.Max {
			c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
		}
	}
}

// A mark draws on the canvas of a plot with the two axes' positions.
type mark func(c *draw.Canvas, x, y func(float64) vg.Length)

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m(&c, x, y)
}

// polyline strokes points of a plot, cut at its borders.
func polyline(c *draw.Canvas, s draw.LineStyle, pts []vg.Point) {
	c.StrokeLines(s, c.ClipLinesXY(pts)...)
}

// box fills a rectangle.
func box(c *draw.Canvas, colour palette.Colour, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(colour, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// frameBox strokes a rectangle.
func frameBox(c *draw.Canvas, s draw.LineStyle, x0, y0, x1, y1 vg.Length) {
	c.StrokeLines(s, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y0}})
}

// A key is an entry of a legend.
type key struct {
	label string
	draw  func(c *draw.Canvas, at vg.Point) // a sample, 16 points wide, centred there
}

// legend writes keys in a row from the left, at a height; it begins another row below where they do not fit, and returns
// how many rows it took.
func legend(c *draw.Canvas, keys []key, from, to, y float64) int {
	style := aligned(10, palette.Ink, left, middle)
	x, rows := from, 1
	for _, k := range keys {
		w := 22 + style.Width(k.label).Points() + 12
		if x+w > to && x > from {
			x, rows = from, rows+1
		}
		at := vg.Point{X: points(x + 8), Y: points(y - 14*float64(rows-1))}
		k.draw(c, at)
		c.FillText(style, vg.Point{X: at.X + 12, Y: at.Y}, k.label)
		x += w
	}
	return rows
}

func lineKey(label string, s draw.LineStyle) key {
	return key{label, func(c *draw.Canvas, at vg.Point) { c.StrokeLine2(s, at.X-8, at.Y, at.X+8, at.Y) }}
}

func dotKey(label string, s draw.GlyphStyle) key {
	return key{label, func(c *draw.Canvas, at vg.Point) { c.DrawGlyphNoClip(s, at) }}
}

func boxKey(label string, colour palette.Colour) key {
	return key{label, func(c *draw.Canvas, at vg.Point) { box(c, colour, at.X-6, at.Y-4, at.X+6, at.Y+4) }}
}
