package canvas

import "achilles/render/palette"

// Add appends operations.
func (on *Canvas) Add(ops ...Op) { on.Ops = append(on.Ops, ops...) }

// Fill fills r.
func (on *Canvas) Fill(r Rect, c palette.Colour) { on.Add(FillRect{r, c}) }

// Frame strokes the edge of r. The stroke lies inside r.
func (on *Canvas) Frame(r Rect, width float32, c palette.Colour) {
	on.Fill(Rect{r.X0, r.Y0, r.X1, r.Y0 + width}, c)
	on.Fill(Rect{r.X0, r.Y1 - width, r.X1, r.Y1}, c)
	on.Fill(Rect{r.X0, r.Y0 + width, r.X0 + width, r.Y1 - width}, c)
	on.Fill(Rect{r.X1 - width, r.Y0 + width, r.X1, r.Y1 - width}, c)
}

// Line strokes a line through the points.
func (on *Canvas) Line(width float32, c palette.Colour, points ...Point) {
	on.Add(Polyline{Points: points, Width: width, Colour: c})
}

// Disc fills a circle.
func (on *Canvas) Disc(centre Point, radius float32, c palette.Colour) {
	on.Add(FillCircle{Centre: centre, Radius: radius, Colour: c})
}

// Ring strokes a circle.
func (on *Canvas) Ring(centre Point, radius, width float32, c palette.Colour) {
	on.Add(FillCircle{Centre: centre, Radius: radius, Colour: c, Width: width})
}

// Polygon fills a polygon.
func (on *Canvas) Polygon(c palette.Colour, points ...Point) { on.Add(FillPolygon{points, c}) }

// Write writes a line of text in the regular face.
func (on *Canvas) Write(at Point, size float32, c palette.Colour, align Align, text string) {
	on.Add(Text{At: at, Text: text, Size: size, Colour: c, Align: align})
}

// Clipped calls draw, and limits the operations that draw adds to the rectangle r.
func (on *Canvas) Clipped(r Rect, draw func()) {
	on.Add(Clip{r})
	draw()
	on.Add(Unclip{})
}

// Hit makes r a region that can be clicked. id is the ID of the Hit.
func (on *Canvas) Hit(id string, r Rect) { on.Hits = append(on.Hits, Hit{id, r}) }
