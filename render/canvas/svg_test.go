package canvas_test

import (
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// TestSVG compares elements with those that stand here.
func TestSVG(t *testing.T) {
	c := canvas.New(100, 50)
	c.Fill(canvas.Rect{X0: 1, Y0: 2, X1: 3, Y1: 4}, palette.Blue)
	c.Fill(canvas.Rect{X0: 3, Y0: 2, X1: 6.25, Y1: 4}, palette.Blue) // beside the first: one rectangle
	c.Fill(canvas.Rect{X0: 5, Y0: 5, X1: 5, Y1: 9}, palette.Blue)    // no width: nothing
	c.Clipped(canvas.Rect{X0: 0, Y0: 0, X1: 10, Y1: 10}, func() {
		c.Line(2, palette.Green.Fade(0.5), canvas.Point{}, canvas.Point{X: 1}, canvas.Point{X: 2}, canvas.Point{X: 2, Y: 3})
	})
	c.Ring(canvas.Point{X: 1, Y: 1}, 3, 2, palette.Black)
	c.Disc(canvas.Point{X: 1, Y: 1}, 3, palette.Black)
	c.Polygon(palette.White, canvas.Point{}, canvas.Point{X: 1}, canvas.Point{Y: 1})
	got := canvas.SVG(c)
	want := []string{
		"<rect x='1' y='2' width='5.2' height='2' fill='#0072b2'/>",
		"<svg x='0' y='0' width='10' height='10' viewBox='0 0 10 10'>",
		"<path d='M0 0L2 0L2 3' fill='none' stroke-width='2' stroke='#009e73' stroke-opacity='0.5'/>",
		"</svg>",
		"<circle cx='1' cy='1' r='3' fill='none' stroke-width='2' stroke='#000000'/>",
		"<circle cx='1' cy='1' r='3' fill='#000000'/>",
		"<path d='M0 0L1 0L0 1Z' fill='#ffffff'/>",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\ninstead of\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c = canvas.New(10, 10)
	c.Write(canvas.Point{X: 1, Y: 9}, 10, palette.Ink, canvas.Right, "a < b")
	if got := canvas.SVG(c); len(got) != 1 || !strings.Contains(got[0], "text-anchor='end'") || !strings.HasSuffix(got[0], ">a &lt; b</text>") {
		t.Errorf("%q", got)
	}
}
