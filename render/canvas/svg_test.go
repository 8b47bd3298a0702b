package canvas_test

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

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

// TestGroupedSVG compares elements that share their paint with those that stand here: discs have it once, lines are one path, a
// colour is what the caller says, and neither translucent lines nor a ring join a path.
func TestGroupedSVG(t *testing.T) {
	font := goFont(t)
	c := canvas.New(100, 50)
	c.Disc(canvas.Point{X: 1, Y: 1}, 3, palette.Blue)
	c.Disc(canvas.Point{X: 2, Y: 1}, 3, palette.Blue)
	c.Line(1, palette.Green, canvas.Point{}, canvas.Point{X: 1})
	c.Line(1, palette.Green, canvas.Point{Y: 1}, canvas.Point{X: 1, Y: 1})
	c.Ring(canvas.Point{}, 2, 1, palette.Green)
	c.Line(1, palette.Green.Fade(0.5), canvas.Point{}, canvas.Point{X: 1})
	c.Line(1, palette.Green.Fade(0.5), canvas.Point{}, canvas.Point{X: 2})
	c.Add(canvas.Text{At: canvas.Point{X: 5, Y: 6}, Text: "0.25", Size: 10, Font: font, Turn: -math.Pi / 2}, canvas.Text{Text: "  ", Size: 10})
	got := canvas.GroupedSVG(c, func(c palette.Colour) string {
		if c == palette.Blue {
			return "var(--blue)"
		}
		return c.Hex()
	})
	want := []string{
		"<g fill='var(--blue)'><circle cx='1' cy='1' r='3'/><circle cx='2' cy='1' r='3'/></g>",
		"<g fill='none' stroke-width='1' stroke='#009e73'><path d='M0 0L1 0'/><path d='M0 1L1 1'/><circle cx='0' cy='0' r='2'/></g>",
		"<g fill='none' stroke-width='1' stroke='#009e73' stroke-opacity='0.5'><path d='M0 0L1 0'/><path d='M0 0L2 0'/></g>",
		"<text x='5' y='6' font-size='10' transform='rotate(-90 5 6)' fill='#000000' fill-opacity='0'>0.25</text>",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\ninstead of\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c.Ops = c.Ops[2:4]
	if got := canvas.GroupedSVG(c, palette.Colour.Hex); len(got) != 1 || got[0] != "<path d='M0 0L1 0M0 1L1 1' fill='none' stroke-width='1' stroke='#009e73'/>" {
		t.Errorf("%q", got)
	}
}

func goFont(t *testing.T) *canvas.Font {
	t.Helper()
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	return canvas.NewFont(f)
}

// inked returns the bounds of what differs from the background.
func inked(c *canvas.Canvas) (x0, y0, x1, y1 int) {
	im := canvas.Render(c)
	x0, y0 = im.Rect.Dx(), im.Rect.Dy()
	for y := range im.Rect.Dy() {
		for x := range im.Rect.Dx() {
			if im.At(x, y) != color.Color(color.RGBAModel.Convert(palette.Paper)) {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}
	return x0, y0, x1, y1
}

// TestTurnedText checks that a text that is turned by a quarter is as high as it was wide, and reads downwards from At; and that
// a line without round ends has no pixel beyond them.
func TestTurnedText(t *testing.T) {
	flat, turned := canvas.New(100, 100), canvas.New(100, 100)
	text := canvas.Text{At: canvas.Point{X: 30, Y: 30}, Text: "mmmm", Size: 16, Colour: palette.Ink, Font: goFont(t)}
	flat.Add(text)
	text.Turn = math.Pi / 2
	turned.Add(text)
	x0, y0, x1, y1 := inked(flat)
	u0, v0, u1, v1 := inked(turned)
	if d := (x1 - x0) - (v1 - v0); d < -2 || d > 2 || v0 < 29 || u0 < 29 {
		t.Errorf("flat [%d, %d] × [%d, %d], turned [%d, %d] × [%d, %d]", x0, x1, y0, y1, u0, u1, v0, v1)
	}
	for butt, want := range map[bool][2]int{true: {10, 20}, false: {8, 22}} {
		c := canvas.New(40, 40)
		c.Add(canvas.Polyline{Points: []canvas.Point{{X: 10, Y: 20}, {X: 20, Y: 20}}, Width: 4, Colour: palette.Ink, Butt: butt})
		if a, _, b, _ := inked(c); a != want[0] || b != want[1] {
			t.Errorf("butt %v: from %d to %d, want %v", butt, a, b, want)
		}
	}
}
