package canvas_test

import (
	"image"
	"math"
	"testing"

	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/palette"
	"achilles/sim/rng"
)

func TestGolden(t *testing.T) {
	canvastest.Golden(t, "testdata/shapes.png", canvas.Render(shapes()))
	canvastest.Golden(t, "testdata/text.png", canvas.Render(text()))
}

// shapes returns a canvas with every operation except Text: rectangles with whole and fractional coordinates, a
// translucent line that crosses itself, a ring, and a clip inside a clip.
func shapes() *canvas.Canvas {
	s := canvas.New(240, 160)
	s.Fill(canvas.At(10, 10, 40, 30), palette.Blue)
	s.Fill(canvas.At(60.5, 10.25, 40, 30), palette.Blue.Fade(0.5))
	s.Frame(canvas.At(110, 10, 40, 30), 2, palette.Vermillion)
	s.Line(9, palette.Green.Fade(0.5), canvas.Point{X: 20, Y: 60}, canvas.Point{X: 60, Y: 95}, canvas.Point{X: 20, Y: 95}, canvas.Point{X: 60, Y: 60})
	s.Add(canvas.Polyline{Points: []canvas.Point{{X: 80, Y: 60}, {X: 120, Y: 60}, {X: 100, Y: 95}}, Width: 3, Colour: palette.Purple, Closed: true})
	s.Add(canvas.Polyline{Points: []canvas.Point{{X: 130, Y: 60}, {X: 180, Y: 60}, {X: 180, Y: 95}}, Width: 2, Colour: palette.Ink, Dash: 6})
	s.Disc(canvas.Point{X: 205.5, Y: 30.5}, 20, palette.Orange)
	s.Ring(canvas.Point{X: 205.5, Y: 80.5}, 18, 6, palette.SkyBlue)
	s.Polygon(palette.Ink, canvas.Point{X: 20, Y: 150}, canvas.Point{X: 40, Y: 110}, canvas.Point{X: 60, Y: 150})
	s.Clipped(canvas.At(80, 110, 40, 40), func() {
		s.Disc(canvas.Point{X: 80, Y: 110}, 30, palette.Vermillion)
		s.Clipped(canvas.At(100, 100, 100, 30), func() { s.Fill(s.Bounds(), palette.Yellow) })
	})
	return s
}

func text() *canvas.Canvas {
	s := canvas.New(240, 110)
	for i, face := range []canvas.Face{canvas.Regular, canvas.Bold, canvas.Mono} {
		s.Add(canvas.Text{At: canvas.Point{X: 10, Y: float32(22 + 24*i)}, Text: "Sees 0.25× – σ(m − t) Ω", Size: 16, Colour: palette.Ink, Face: face})
	}
	s.Line(1, palette.Edge, canvas.Point{X: 120.5, Y: 76}, canvas.Point{X: 120.5, Y: 110})
	s.Write(canvas.Point{X: 120, Y: 88}, 11, palette.Muted, canvas.Centre, "in the middle")
	s.Write(canvas.Point{X: 120, Y: 102}, 11, palette.Muted, canvas.Right, "to the right")
	return s
}

// TestLineIsEven checks that a translucent line with joints has the same colour everywhere. It draws the line in a
// small box and in one that is larger than smallBox, where the segments are rasterised one by one.
func TestLineIsEven(t *testing.T) {
	for _, k := range []float32{1, 8} {
		s := canvas.New(60*k, 60*k)
		at := func(x, y float32) canvas.Point { return canvas.Point{X: k * x, Y: k * y} }
		s.Line(12*k, palette.Black.Fade(0.5), at(10, 10), at(30, 30), at(50, 10), at(30, 30), at(30, 55))
		im := canvas.Render(s)
		n := int(k)
		want := im.RGBAAt(20*n, 20*n)
		if want == im.RGBAAt(0, 0) {
			t.Fatal("no line is drawn")
		}
		for _, p := range []image.Point{{30, 30}, {10, 10}, {40, 20}, {50, 10}, {30, 50}, {30, 27}, {30, 33}} {
			if got := im.RGBAAt(p.X*n, p.Y*n); got != want {
				t.Errorf("%g times as large, the line is %v at %v, %v elsewhere", k, got, p, want)
			}
		}
	}
}

// TestRectangleIsAPolygon checks that random rectangles, whose edges cut through pixels, look like the polygons of
// their corners: no component differs by more than 2/255.
func TestRectangleIsAPolygon(t *testing.T) {
	r := rng.Stream(1, "rectangles")
	for i := range 300 {
		x, y := float32(r.Float64()*20), float32(r.Float64()*20)
		w, h := float32(r.Float64()*r.Float64()*12), float32(r.Float64()*r.Float64()*12)
		rect := canvas.At(x, y, w, h)
		a, b := canvas.New(34, 34), canvas.New(34, 34)
		a.Fill(rect, palette.Blue.Fade(0.7))
		b.Polygon(palette.Blue.Fade(0.7), canvas.Point{X: rect.X0, Y: rect.Y0}, canvas.Point{X: rect.X1, Y: rect.Y0}, canvas.Point{X: rect.X1, Y: rect.Y1}, canvas.Point{X: rect.X0, Y: rect.Y1})
		p, q := canvas.Render(a), canvas.Render(b)
		for k := range p.Pix {
			if d := int(p.Pix[k]) - int(q.Pix[k]); d > 2 || d < -2 {
				t.Fatalf("stream 1, rectangle %d, %v: pixel %d, %d is %d, of a polygon %d", i, rect, k/4%34, k/4/34, p.Pix[k], q.Pix[k])
			}
		}
	}
}

func TestClipHides(t *testing.T) {
	s := canvas.New(40, 40)
	s.Clipped(canvas.At(10, 10, 10, 10), func() {
		s.Fill(s.Bounds(), palette.Ink)
		s.Disc(canvas.Point{X: 20, Y: 20}, 30, palette.Ink)
		s.Line(20, palette.Ink, canvas.Point{}, canvas.Point{X: 40, Y: 40})
		s.Write(canvas.Point{X: 0, Y: 30}, 30, palette.Ink, canvas.Left, "MMM")
	})
	im := canvas.Render(s)
	ground := im.RGBAAt(0, 0)
	for y := range 40 {
		for x := range 40 {
			inside := x >= 10 && x < 20 && y >= 10 && y < 20
			if got := im.RGBAAt(x, y); (got != ground) != inside {
				t.Fatalf("at %d, %d there is %v, clipped to 10…19", x, y, got)
			}
		}
	}
}

// TestDrawAtAnOffset checks that a canvas which is drawn into a part of a larger picture gives the same pixels, moved.
func TestDrawAtAnOffset(t *testing.T) {
	var r canvas.Renderer
	s := shapes()
	s.Add(text().Ops...)
	plain, large := image.NewRGBA(image.Rect(0, 0, 240, 160)), image.NewRGBA(image.Rect(0, 0, 300, 200))
	r.Draw(plain, s)
	part := large.SubImage(image.Rect(30, 20, 270, 180)).(*image.RGBA)
	r.Draw(part, s)
	for y := range 160 {
		for x := range 240 {
			if plain.RGBAAt(x, y) != large.RGBAAt(x+30, y+20) {
				t.Fatalf("pixel %d, %d differs", x, y)
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	if got := canvas.Measure(canvas.Mono, 10, "iiiii"); math.Abs(float64(got-canvas.Measure(canvas.Mono, 10, "MMMMM"))) > 1e-4 {
		t.Errorf("mono letters differ in width: %g", got)
	}
	one := canvas.Measure(canvas.Regular, 10, "capability")
	if two := canvas.Measure(canvas.Regular, 20, "capability"); math.Abs(float64(two-2*one)) > 1e-3 {
		t.Errorf("twice the size is %g wide, want twice %g", two, one)
	}
	if got := canvas.Shorten(canvas.Regular, 10, "capability", one); got != "capability" {
		t.Errorf("what fits was cut to %q", got)
	}
	got := canvas.Shorten(canvas.Regular, 10, "capability", one-1)
	if w := canvas.Measure(canvas.Regular, 10, got); w > one-1 || got[:3] != "cap" {
		t.Errorf("cut to %q, %g wide, want at most %g", got, w, one-1)
	}
	if got := canvas.Shorten(canvas.Regular, 10, "capability", 1); got != "…" {
		t.Errorf("cut to a pixel: %q", got)
	}
}
