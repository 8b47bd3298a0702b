// Package canvas draws pictures. Drawing on a Canvas adds shapes to a list, and regions that can be clicked; tests can
// read both. A Renderer turns the list into pixels without a graphics card, so that a window, a browser, a file and a
// test show the same picture. On different processor architectures, the components of a pixel's colour can differ by at
// most 1/255. EncodePNG and EncodeGIF write pictures.
//
// Coordinates are pixels from the top left corner, x to the right and y down.
package canvas

import "achilles/render/palette"

// A Canvas is a list of shapes on a picture of W × H pixels. Later shapes are drawn over earlier ones.
type Canvas struct {
	W, H float32
	Ops  []Op
	Hits []Hit
}

// New returns an empty canvas of w × h pixels.
func New(w, h float32) *Canvas { return &Canvas{W: w, H: h} }

// Bounds returns the rectangle of the whole canvas.
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

// Polyline strokes a line through the points, with round joints and ends. A translucent line has the same colour
// everywhere, also where it crosses itself.
type Polyline struct {
	Points []Point
	Width  float32
	Colour palette.Colour
	Closed bool    // whether a segment joins the last point to the first
	Dash   float32 // length of the dashes and of the gaps, in pixels; 0: no gaps
	Butt   bool    // whether the line ends at its first and last point, without a round end
}

// FillCircle fills a disc, or strokes a circle if Width is positive.
type FillCircle struct {
	Centre Point
	Radius float32
	Colour palette.Colour
	Width  float32 // width of the stroke, half of it inside and half outside the radius; 0: a disc
}

// FillPolygon fills a polygon. The non-zero winding rule says which points are inside.
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

// An Align says which part of a Text lies at its point At: the left end, the centre or the right end.
type Align uint8

const (
	Left Align = iota
	Centre
	Right
)

// Text writes one line. The point At is on the line's baseline.
type Text struct {
	At     Point
	Text   string
	Size   float32 // pixels per em
	Colour palette.Colour
	Align  Align
	Face   Face
	Font   *Font   // instead of the built-in font of Face; readers of an SVG have one of these widths
	Turn   float32 // clockwise about At, in radians
}

// Clip limits the operations between it and the matching Unclip to a rectangle. A Clip between the two limits
// operations to the intersection of both rectangles.
type Clip struct{ Rect }

// Unclip ends the last Clip that is still open.
type Unclip struct{}

func (FillRect) op()    {}
func (Polyline) op()    {}
func (FillCircle) op()  {}
func (FillPolygon) op() {}
func (Text) op()        {}
func (Clip) op()        {}
func (Unclip) op()      {}

// A Hit is a region that can be clicked. ID tells the view what a click does.
type Hit struct {
	ID string
	Rect
}

// At returns the topmost hit region that contains a point, which is the one that was added last. ok is false if no
// region contains the point.
func (on *Canvas) At(x, y float32) (h Hit, ok bool) {
	for i := len(on.Hits) - 1; i >= 0; i-- {
		if on.Hits[i].Contains(x, y) {
			return on.Hits[i], true
		}
	}
	return Hit{}, false
}
