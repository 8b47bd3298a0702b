// Package canvas is the display list that everything is drawn as: a flat list of shapes, with regions that can be
// clicked. It knows no graphics; package raster draws it, and tests read it.
//
// Coordinates are pixels, x to the right and y down, from the top left corner.
package canvas

import (
	"image"

	"achilles/render/palette"
)

// A Scene is a picture of W × H pixels. Ops are drawn in their order, later ones over earlier ones.
type Scene struct {
	W, H float32
	Ops  []Op
	Hits []Hit
}

// New returns an empty scene of that size.
func New(w, h float32) *Scene { return &Scene{W: w, H: h} }

// Bounds is the rectangle of the whole scene.
func (s *Scene) Bounds() Rect { return Rect{0, 0, s.W, s.H} }

// A Point is a place in a scene.
type Point struct{ X, Y float32 }

// Add returns the point moved by x and y.
func (p Point) Add(x, y float32) Point { return Point{p.X + x, p.Y + y} }

// An Op is one of FillRect, Polyline, FillCircle, FillPolygon, Text, Image, Clip and Unclip.
type Op interface{ op() }

// FillRect fills a rectangle.
type FillRect struct {
	Rect
	Colour palette.Colour
}

// Polyline strokes a line through the points, with round joints and ends. Where it crosses itself a translucent
// colour is not doubled.
type Polyline struct {
	Points []Point
	Width  float32
	Colour palette.Colour
	Closed bool    // back to the first point
	Dash   float32 // length of dashes and of the gaps between them; 0: solid
}

// FillCircle fills a circle, or a ring where Width is positive.
type FillCircle struct {
	Centre Point
	Radius float32
	Colour palette.Colour
	Width  float32 // of the ring, half of it inside and half outside the radius; 0: a disc
}

// FillPolygon fills a polygon; what it winds round in either direction is inside.
type FillPolygon struct {
	Points []Point
	Colour palette.Colour
}

// A Face is a kind of type.
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

// Image draws a picture, scaled to the rectangle where it has another size. Nobody changes the picture afterwards.
type Image struct {
	Rect
	Picture *image.RGBA
}

// Clip hides what the operations up to the matching Unclip draw outside a rectangle, and outside that of the Clip
// around it.
type Clip struct{ Rect }

// Unclip ends the last Clip.
type Unclip struct{}

func (FillRect) op()    {}
func (Polyline) op()    {}
func (FillCircle) op()  {}
func (FillPolygon) op() {}
func (Text) op()        {}
func (Image) op()       {}
func (Clip) op()        {}
func (Unclip) op()      {}

// A Hit is a region that does something when it is clicked; ID says what.
type Hit struct {
	ID string
	Rect
}

// At returns the last hit region added of those that contain the point.
func (s *Scene) At(x, y float32) (Hit, bool) {
	for i := len(s.Hits) - 1; i >= 0; i-- {
		if s.Hits[i].Contains(x, y) {
			return s.Hits[i], true
		}
	}
	return Hit{}, false
}
