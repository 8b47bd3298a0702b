package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An outline is a glyph made of strokes. A stroke is a list of corners, in units of the radius.
type outline [][][2]float64

// Outlines of glyphs.
var (
	diamond  = outline{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}}}
	cross    = outline{{{-1, -1}, {1, 1}}, {{-1, 1}, {1, -1}}}
	plus     = outline{{{-1, 0}, {1, 0}}, {{0, -1}, {0, 1}}}
	triangle = outline{{{-1, -0.7}, {1, -0.7}, {0, 1}, {-1, -0.7}}}
	square   = outline{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}}
)

// stroked is the width of the strokes of glyphs, in points.
const stroked = 1.4

// A ring is a glyph: a circle that is stroked.
type ring struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (ring) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: at.X + s.Radius, Y: at.Y})
	p.Arc(at, s.Radius, 0, 2*math.Pi)
	c.SetLineStyle(draw.LineStyle{Color: s.Color, Width: stroked})
	c.Stroke(p)
}

// DrawGlyph implements draw.GlyphDrawer.
func (o outline) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	for _, stroke := range o {
		var pts []vg.Point
		for _, p := range stroke {
			pts = append(pts, vg.Point{X: at.X + s.Radius*vg.Length(p[0]), Y: at.Y + s.Radius*vg.Length(p[1])})
		}
		c.StrokeLines(draw.LineStyle{Color: s.Color, Width: stroked}, pts)
	}
}
