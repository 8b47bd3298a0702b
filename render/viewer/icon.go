package viewer

import (
	"achilles/render/canvas"
	"achilles/render/palette"
)

// triangle draws a triangle that is side pixels wide and points to the right, or to the left if side is negative.
func (b *brush) triangle(p canvas.Point, side float32) {
	b.Polygon(palette.Ink, p.Add(-side*0.5, -6), p.Add(side*0.5, 0), p.Add(-side*0.5, 6))
}

func (b *brush) bar(p canvas.Point, width float32) {
	b.Fill(canvas.At(p.X-width/2, p.Y-6, width, 12), palette.Ink)
}

func iconPlay(d *drawing, p canvas.Point) {
	if d.m.Play.Playing {
		d.bar(p.Add(-4, 0), 4)
		d.bar(p.Add(4, 0), 4)
		return
	}
	d.triangle(p, 11)
}

func iconBack(d *drawing, p canvas.Point)  { d.triangle(p.Add(-3, 0), -8); d.bar(p.Add(5, 0), 2) }
func iconOn(d *drawing, p canvas.Point)    { d.triangle(p.Add(3, 0), 8); d.bar(p.Add(-5, 0), 2) }
func iconStart(d *drawing, p canvas.Point) { d.triangle(p.Add(2, 0), -9); d.bar(p.Add(-6, 0), 3) }
func iconEnd(d *drawing, p canvas.Point)   { d.triangle(p.Add(-2, 0), 9); d.bar(p.Add(6, 0), 3) }

func iconPreviousEvent(d *drawing, p canvas.Point) {
	d.triangle(p.Add(-4, 0), -8)
	d.triangle(p.Add(4, 0), -8)
}

func iconNextEvent(d *drawing, p canvas.Point) {
	d.triangle(p.Add(-4, 0), 8)
	d.triangle(p.Add(4, 0), 8)
}
