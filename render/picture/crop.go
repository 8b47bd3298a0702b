package picture

import (
	"achilles/render/board"
	"achilles/render/canvas"
)

// leastCropped is the least width, in pixels, of a picture that is cropped: titles and the timeline need it.
const leastCropped = 480

// Cropped returns the size, at most width × height pixels, of an annotated picture that has no empty room beside its grid world. A picture
// without one has the size that is given.
func (m Moment) Cropped(width, height float32) (w, h float32) {
	if m.Episode.Trajectory == nil {
		return width, height
	}
	world, wide := m.Episode.Trajectory.World, float32(0)
	for at := min(width, leastCropped); at <= width; at += 16 { // a wider picture has a lower legend, and more room for the world
		r := m.room(at, height)
		b := board.New(world, r)
		if x := b.Area.W(); x > wide {
			wide, w, h = x, at, min(height, height-r.H()+b.Size().Y)
		}
	}
	if wide == 0 {
		return width, height // there is no room for the world
	}
	if height >= leastCurve && h < leastCurve { // the curve stays
		h = leastCurve
	}
	return float32(int(w) &^ 1), float32(int(h) &^ 1)
}

// room returns the rectangle in which Annotated draws the moment itself.
func (m Moment) room(width, height float32) canvas.Rect {
	r := canvas.At(0, 0, width, height).Inset(16)
	_, r = r.CutTop(40)
	_, r = r.CutBottom(66)
	if Curves(m.Episode) != nil && height >= leastCurve {
		_, r = r.CutBottom(min(height*0.16, 110) + 8)
	}
	_, r = r.CutBottom(m.LegendHeight(r.W()))
	return r
}
