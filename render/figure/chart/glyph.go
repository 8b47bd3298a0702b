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
	ring     = circle()
)

func circle() outline {
	const corners = 24
	var points [][2]float64
	for k := range corners + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k%corners) / corners)
		points = append(points, [2]float64{cos, sin})
	}
	return outline{points}
}

// DrawGlyph implements draw.GlyphDrawer.
func (o outline) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	for _, stroke := range o {
		var pts []vg.Point
		for _, p := range stroke {
			pts = append(pts, vg.Point{X: at.X + s.Radius*vg.Length(p[0]), Y: at.Y + s.Radius*vg.Length(p[1])})
		}
		c.StrokeLines(draw.LineStyle{Color: s.Color, Width: 1.4}, pts)
	}
}
