// Package canvas draws pictures. What is drawn on a Canvas becomes a list of shapes, with regions that can be clicked, which
// tests can read; a Renderer makes pixels of the list on the processor. So a window, a browser, a file and a test show the
// same bytes, to within 1/255 of a component between processor architectures. EncodePNG and EncodeGIF write pictures.
//
// Coordinates are pixels, x to the right and y down, from the top left corner.
package canvas

import "achilles/render/palette"

// A Canvas is a list of shapes on a picture of W × H pixels. Later shapes are drawn over earlier ones.
type Canvas struct {
	W, H float32
	Ops  []Op
	Hits []Hit
}

// New returns an empty canvas of that size.
func New(w, h float32) *Canvas { return &Canvas{W: w, H: h} }

// Bounds is the rectangle of the whole canvas.
func (on *Canvas) Bounds() Rect { return Rect{0, 0, on.W, on.H} }

// A Point is a place on a canvas.
type Point struct{ X, Y float32 }

// Add returns the point moved by x and y.
func (p Point) Add(x, y float32) Point { return Point{p.X + x, p.Y + y} }

// An Op is one of FillRect, Polyline, FillCircle, FillPolygon, Text, Clip and Unclip.
type Op interface{ op() }

// FillRect fills a rectangle.
type FillRect struct {
	Rect
	Colour palette.Colour
}

// Polyline strokes a line through the points, with round joints and ends. A translucent line that crosses itself is not
// darker there.
type Polyline struct {
	Points []Point
	Width  float32
	Colour palette.Colour
	Closed bool    // also from the last point to the first
	Dash   float32 // length of the dashes, and of the gaps between them; 0: no gaps
}

// FillCircle fills a circle, or a ring where Width is positive.
type FillCircle struct {
	Centre Point
	Radius float32
	Colour palette.Colour
	Width  float32 // of the ring, half of it inside and half outside the radius; 0: a disc
}

// FillPolygon fills a polygon, by the non-zero winding rule.
type FillPolygon struct {
	Points []Point
	Colour palette.Colour
}

// A Face is a typeface.
type Face uint8

const (
	Regular Face = iota
	Bold
	Mono
)

// An Align says which part of a text lies at its point.
type Align uint8

const (
	Left Align = iota
	Centre
	Right
)

// Text writes one line; At is on the baseline.
type Text struct {
	At     Point
	Text   string
	Size   float32 // pixels an em
	Colour palette.Colour
	Align  Align
	Face   Face
}

// Clip cuts what the operations up to the matching Unclip draw to a rectangle, and to that of the Clip around it.
type Clip struct{ Rect }

// Unclip ends the last Clip.
type Unclip struct{}

func (FillRect) op()    {}
func (Polyline) op()    {}
func (FillCircle) op()  {}
func (FillPolygon) op() {}
func (Text) op()        {}
func (Clip) op()        {}
func (Unclip) op()      {}

// A Hit is a region that can be clicked; ID says what a click does.
type Hit struct {
	ID string
	Rect
}

// At returns the topmost hit region at a point: the one added last. ok is false where there is none.
func (on *Canvas) At(x, y float32) (h Hit, ok bool) {
	for i := len(on.Hits) - 1; i >= 0; i-- {
		if on.Hits[i].Contains(x, y) {
			return on.Hits[i], true
		}
	}
	return Hit{}, false
}
