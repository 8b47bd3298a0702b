// Package chart draws figures: forest plots, recovery, reliability, traces of chains, characteristic curves and
// grids, and others. Every function takes plain numbers and returns a Figure, which can be written as SVG or as PNG.
// The same numbers give the same bytes.
package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// A Figure is a drawing of a fixed size. The zero value is empty.
type Figure struct {
	Width, Height float64 // in points, which are pixels of an SVG
	draw          func(c draw.Canvas)
	parts         []Figure // the legend and the panels; nil for a figure without panels
}

// Parts returns the legend, if there is one, and the panels of f, so that a page can arrange them to its width. If f
// has no panels, Parts returns f.
func (f Figure) Parts() []Figure {
	if f.parts == nil {
		return []Figure{f}
	}
	return f.parts
}

// Empty reports whether there is nothing to draw.
func (f Figure) Empty() bool { return f.draw == nil }

// titleHeight is the height of a title above a figure, in points.
const titleHeight = 24

// SVG returns the figure as an SVG file, with a title and a white background.
func (f Figure) SVG(title string) []byte {
	c := f.titled(title)
	return document(c, "", canvas.SVG(c))
}

// Inline returns the figure as an SVG element without background. Colours that differ between light and dark mode are
// CSS variables of the page. label is the text description of the figure.
func (f Figure) Inline(label string) []byte {
	c := newOnto(f.Width, f.Height)
	if f.draw != nil {
		f.draw(draw.NewCanvas(c, points(f.Width), points(f.Height)))
	}
	return document(c.Canvas, fmt.Sprintf(` role="img" aria-label="%s"`, html.EscapeString(label)), canvas.GroupedSVG(c.Canvas, themed))
}

// document returns an svg element.
func document(c *canvas.Canvas, attributes string, elements []string) []byte {
	w, h := short(c.W), short(c.H)
	return fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" font-family=\"%s\"%s>\n%s\n</svg>\n", w, h, w, h, fonts, attributes, strings.Join(elements, "\n"))
}

// short returns a size with one decimal at most.
func short(x float32) string { return strconv.FormatFloat(math.Round(10*float64(x))/10, 'f', -1, 64) }

// themed returns the CSS text of a colour. It is a variable of the page if the colour depends on the page's theme.
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

// PNG returns the figure as a PNG file with a title. scale is the number of pixels per point.
func (f Figure) PNG(title string, scale float64) ([]byte, error) {
	c := f.titled(title).Scaled(float32(scale))
	c.W, c.H = float32(math.Ceil(float64(c.W))), float32(math.Ceil(float64(c.H)))
	var b bytes.Buffer
	err := canvas.EncodePNG(&b, canvas.Render(c))
	return b.Bytes(), err
}

// titled returns the figure with a title on a white background.
func (f Figure) titled(title string) *canvas.Canvas {
	height := f.Height + titleHeight
	on := newOnto(f.Width, height)
	on.Canvas.Fill(on.Bounds().Inset(-1), palette.White) // also where a size is no whole number of pixels
	if f.draw == nil {
		return on.Canvas
	}
	c := draw.NewCanvas(on, points(f.Width), points(height))
	style := text(12, palette.Ink)
	style.Font.Weight = bold
	style.YAlign = middle
	c.FillText(style, vg.Point{X: 8, Y: c.Max.Y - titleHeight/2}, fit(style, title, f.Width-16))
	c.Max.Y -= titleHeight
	f.draw(c)
	return on.Canvas
}

// fit returns s if it is at most width points wide, and otherwise the beginning of s with an ellipsis.
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
