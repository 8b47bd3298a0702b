package chart

import (
	"image"
	"image/color"
	"math"
	"sync"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// An onto is a vg.Canvas that draws on a canvas.Canvas, one pixel per point.
type onto struct {
	*canvas.Canvas
	state
	stack []state
}

var _ vg.CanvasSizer = (*onto)(nil)

// A state is the part of a vg.Canvas that Push saves and Pop restores. The transform to pixels is x' = a x + c y + e, y' = b x + d y + f.
type state struct {
	a, b, c, d, e, f float64
	width, dash      float64
	ink              palette.Colour
}

// newOnto returns a vg.Canvas of width × height points.
func newOnto(width, height float64) *onto {
	on := canvas.New(float32(width), float32(height))
	return &onto{Canvas: on, state: state{a: 1, d: -1, f: height, width: 1, ink: palette.Black}}
}

// Size returns the size of the canvas.
func (o *onto) Size() (x, y vg.Length) { return points(float64(o.W)), points(float64(o.H)) }

// SetLineWidth sets the width of strokes.
func (o *onto) SetLineWidth(w vg.Length) { o.width = w.Points() }

// SetLineDash sets the dashes of strokes: dashes and gaps are as long as those of the pattern are on average.
func (o *onto) SetLineDash(pattern []vg.Length, _ vg.Length) {
	o.dash = 0
	for _, l := range pattern {
		o.dash += l.Points() / float64(len(pattern))
	}
}

// SetColor sets the colour of strokes, fills and text.
func (o *onto) SetColor(c color.Color) {
	if own, ok := c.(palette.Colour); ok {
		o.ink = own
		return
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	o.ink = palette.RGB(n.R, n.G, n.B)&^0xff | palette.Colour(n.A)
}

// Rotate turns the axes by an angle in radians.
func (o *onto) Rotate(radians float64) {
	sin, cos := math.Sincos(radians)
	t := o.state
	o.a, o.c = t.a*cos+t.c*sin, t.c*cos-t.a*sin
	o.b, o.d = t.b*cos+t.d*sin, t.d*cos-t.b*sin
}

// Translate moves the origin.
func (o *onto) Translate(p vg.Point) { o.e, o.f = o.at(p) }

// Scale stretches the axes.
func (o *onto) Scale(x, y float64) { o.a, o.b, o.c, o.d = o.a*x, o.b*x, o.c*y, o.d*y }

// Push saves the state.
func (o *onto) Push() { o.stack = append(o.stack, o.state) }

// Pop restores the state that was saved last.
func (o *onto) Pop() {
	o.state = o.stack[len(o.stack)-1]
	o.stack = o.stack[:len(o.stack)-1]
}

func (o *onto) at(p vg.Point) (x, y float64) {
	px, py := p.X.Points(), p.Y.Points()
	return o.a*px + o.c*py + o.e, o.b*px + o.d*py + o.f
}

func (o *onto) point(p vg.Point) canvas.Point {
	x, y := o.at(p)
	return canvas.Point{X: float32(x), Y: float32(y)}
}

// Stroke draws a path as a line.
func (o *onto) Stroke(path vg.Path) {
	if o.width <= 0 || o.ink&0xff == 0 {
		return
	}
	o.each(path, func(line []canvas.Point) {
		n, closed := len(line), false
		if n > 3 && line[0] == line[n-1] {
			line, closed = line[:n-1], true
		}
		o.Add(canvas.Polyline{Points: line, Width: float32(o.width), Colour: o.ink, Closed: closed, Dash: float32(o.dash), Butt: true})
	}, func(centre canvas.Point, radius float32) { o.Ring(centre, radius, float32(o.width), o.ink) })
}

// Fill fills a path. Its parts may not be holes in each other.
func (o *onto) Fill(path vg.Path) {
	if o.ink&0xff == 0 {
		return
	}
	o.each(path, func(line []canvas.Point) { o.Polygon(o.ink, line...) }, func(centre canvas.Point, radius float32) { o.Disc(centre, radius, o.ink) })
}

// each calls line for every part of a path that is a polygon, and circle for each that is a whole turn. Charts have no other curves.
func (o *onto) each(path vg.Path, line func([]canvas.Point), circle func(centre canvas.Point, radius float32)) {
	var now []canvas.Point
	end := func() {
		if len(now) > 1 {
			line(now)
		}
		now = nil
	}
	for _, p := range path {
		switch {
		case p.Type == vg.MoveComp:
			end()
			now = append(now, o.point(p.Pos))
		case p.Type == vg.LineComp:
			now = append(now, o.point(p.Pos))
		case p.Type == vg.CloseComp && len(now) > 0:
			now = append(now, now[0])
		case p.Type == vg.ArcComp && math.Abs(p.Angle) >= 2*math.Pi-1e-9:
			circle(o.point(p.Pos), float32(p.Radius.Points()))
			now = nil
		case p.Type != vg.CloseComp:
			panic("chart: a curve that is no circle")
		}
	}
	end()
}

// fonts lists the fonts that a browser tries in order. All except the last have the widths of the font by which texts are laid out.
const fonts = "Liberation Sans,Arial,Helvetica,sans-serif"

// faces has the fonts of texts, regular and bold.
var faces = sync.OnceValue(func() (out [2]*canvas.Font) {
	style := text(10, palette.Ink)
	for i := range out {
		out[i] = canvas.NewFont(font.DefaultCache.Lookup(style.Font, style.Font.Size).Face)
		style.Font.Weight = bold
	}
	return out
})

// FillString writes text.
func (o *onto) FillString(f font.Face, p vg.Point, str string) {
	t := canvas.Text{At: o.point(p), Text: str, Size: float32(f.Font.Size.Points()), Colour: o.ink, Font: faces()[0]}
	if f.Font.Weight == bold {
		t.Face, t.Font = canvas.Bold, faces()[1]
	}
	if angle := math.Atan2(o.b, o.a); math.Abs(angle) > 1e-6 {
		t.Turn = float32(angle)
	}
	o.Add(t)
}

// DrawImage is for canvases of pictures; charts have none.
func (o *onto) DrawImage(vg.Rectangle, image.Image) { panic("chart: a picture in a chart") }
