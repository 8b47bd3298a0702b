package chart

import (
	xfont "golang.org/x/image/font"
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

// text returns the style of text of a size in points.
func text(size float64, c palette.Colour) draw.TextStyle {
	return draw.TextStyle{Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: points(size)}, Handler: ptext.Plain{Fonts: font.DefaultCache}}
}

// aligned returns the style of text with an alignment.
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

// polyline strokes a line through points, cut at the borders of the canvas.
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
