package canvas

import "achilles/render/palette"

// Add appends operations.
func (s *Scene) Add(ops ...Op) { s.Ops = append(s.Ops, ops...) }

// Fill fills r.
func (s *Scene) Fill(r Rect, c palette.Colour) { s.Add(FillRect{r, c}) }

// Frame strokes the edge of r, inside it.
func (s *Scene) Frame(r Rect, width float32, c palette.Colour) {
	s.Fill(Rect{r.X0, r.Y0, r.X1, r.Y0 + width}, c)
	s.Fill(Rect{r.X0, r.Y1 - width, r.X1, r.Y1}, c)
	s.Fill(Rect{r.X0, r.Y0 + width, r.X0 + width, r.Y1 - width}, c)
	s.Fill(Rect{r.X1 - width, r.Y0 + width, r.X1, r.Y1 - width}, c)
}

// Line strokes a line through the points.
func (s *Scene) Line(width float32, c palette.Colour, points ...Point) {
	s.Add(Polyline{Points: points, Width: width, Colour: c})
}

// Disc fills a circle.
func (s *Scene) Disc(centre Point, radius float32, c palette.Colour) {
	s.Add(FillCircle{Centre: centre, Radius: radius, Colour: c})
}

// Ring strokes a circle.
func (s *Scene) Ring(centre Point, radius, width float32, c palette.Colour) {
	s.Add(FillCircle{Centre: centre, Radius: radius, Colour: c, Width: width})
}

// Polygon fills a polygon.
func (s *Scene) Polygon(c palette.Colour, points ...Point) { s.Add(FillPolygon{points, c}) }

// Write writes a line of text in the regular face.
func (s *Scene) Write(at Point, size float32, c palette.Colour, align Align, text string) {
	s.Add(Text{At: at, Text: text, Size: size, Colour: c, Align: align})
}

// Clipped draws what draw adds, cut to r.
func (s *Scene) Clipped(r Rect, draw func()) {
	s.Add(Clip{r})
	draw()
	s.Add(Unclip{})
}

// Hit makes r a region that can be clicked.
func (s *Scene) Hit(id string, r Rect) { s.Hits = append(s.Hits, Hit{id, r}) }
