package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A key is an entry of a legend.
type key struct {
	label string
	draw  func(c *draw.Canvas, at vg.Point) // draws a sample 16 points wide, with its centre at a point
}

// legend draws keys side by side between the x coordinates from and to, in as many rows as needed. y is the y
// coordinate of the first row.
func legend(c *draw.Canvas, keys []key, from, to, y float64) {
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
