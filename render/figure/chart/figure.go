// Package chart draws the kinds of figures: forest plots, recovery, reliability, traces of chains, characteristic curves and
// grids, and others. Every function takes plain numbers and returns a Figure. A figure looks the same as SVG and as PNG, and
// the same numbers give the same bytes.
package chart

import (
	"bytes"
	"image/png"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"achilles/render/palette"
)

// A Figure is a drawing of a fixed size. The zero value is empty.
type Figure struct {
	Width, Height float64 // in points, which are pixels of an SVG
	draw          func(c draw.Canvas)
	parts         []Figure // the legend and the panels of a figure that has panels
}

// Parts are the figures that f is put together from: a legend, then panels. A page lays them out by its own width. A figure
// without panels is its only part.
func (f Figure) Parts() []Figure {
	if f.parts == nil {
		return []Figure{f}
	}
	return f.parts
}

// Empty reports whether there is nothing to draw.
func (f Figure) Empty() bool { return f.draw == nil }

// titleHeight is the room that a title takes above a figure.
const titleHeight = 24

// SVG is the figure as a file of its own, with a title on a white ground.
func (f Figure) SVG(title string) []byte {
	c := newSVG(f.Width, f.Height+titleHeight, palette.Colour.Hex)
	c.ground(palette.White)
	f.titled(draw.NewCanvas(c, points(f.Width), points(f.Height+titleHeight)), title)
	return c.document("")
}

// Inline is the figure as an SVG element of a page, without a ground. Text, grid lines and truths have the colours --ink,
// --muted, --edge, --blue and --truth of the page, so that the figure can be read on a dark page too. label says in words
// what the figure shows.
func (f Figure) Inline(label string) []byte {
	c := newSVG(f.Width, f.Height, themed)
	if f.draw != nil {
		f.draw(draw.NewCanvas(c, points(f.Width), points(f.Height)))
	}
	return c.document(label)
}

// themed is a colour as a page writes it: a variable of the page where it depends on its theme.
func themed(c palette.Colour) string {
	switch c | 0xff {
	case palette.Ink:
		return "var(--ink)"
	case palette.Muted:
		return "var(--muted)"
	case palette.Edge:
		return "var(--edge)"
	case palette.Blue:
		return "var(--blue)"
	case palette.Truth:
		return "var(--truth)"
	}
	return c.Hex()
}

// PNG is the figure as a picture with a title; scale is the number of pixels to a point.
func (f Figure) PNG(title string, scale float64) ([]byte, error) {
	w, h := f.Width, f.Height+titleHeight
	c := vgimg.NewWith(vgimg.UseWH(points(w), points(h)), vgimg.UseDPI(int(72*scale+0.5)))
	f.titled(draw.NewCanvas(c, points(w), points(h)), title)
	var b bytes.Buffer
	err := png.Encode(&b, c.Image())
	return b.Bytes(), err
}

func (f Figure) titled(c draw.Canvas, title string) {
	if f.draw == nil {
		return
	}
	style := text(12, palette.Ink)
	style.Font.Weight = bold
	style.YAlign = middle
	c.FillText(style, vg.Point{X: 8, Y: c.Max.Y - titleHeight/2}, fit(style, title, f.Width-16))
	c.Max.Y -= titleHeight
	f.draw(c)
}

// fit shortens a text to a width in points, with an ellipsis.
func fit(style draw.TextStyle, s string, width float64) string {
	if style.Width(s).Points() <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && style.Width(string(r)+"…").Points() > width {
		r = r[:len(r)-1]
	}
	return strings.TrimRight(string(r), " ") + "…"
}

func points(x float64) vg.Length { return vg.Points(x) }
