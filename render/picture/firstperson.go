package picture

import (
	"achilles/gridworld/eye"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// FirstPerson draws what the actor sees at the moment into a square of r, in first person, with a frame. Its eyes are perfect where they are sealed.
// ok is false if nobody acts in the episode.
func (m Moment) FirstPerson(dst *canvas.Canvas, r canvas.Rect) (ok bool) {
	tr := m.Episode.Trajectory
	if tr == nil {
		return false
	}
	p := eye.Picture{Size: eye.DefaultSize}
	var eyes eye.Eyes
	if tr.Eyes != nil {
		eyes = eye.Eyes(*tr.Eyes)
	}
	p.Draw(tr.At(m.Tick), eyes)
	side := min(r.W(), r.H())
	r = canvas.Rect{X0: r.X1 - side, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + side}
	dst.Fill(r, palette.Ink)
	r = r.Inset(2)
	pixel := r.W() / float32(p.Size)
	for y := range p.Size {
		row := p.Pix[y*p.Size*3:][:p.Size*3]
		for from := 0; from < p.Size; {
			to, c := from+1, [3]byte(row[from*3:])
			for to < p.Size && [3]byte(row[to*3:]) == c {
				to++
			}
			// A pixel more on the right and below, which the next ones cover, leaves no seams.
			dst.Fill(canvas.Rect{X0: r.X0 + float32(from)*pixel, Y0: r.Y0 + float32(y)*pixel, X1: min(r.X1, r.X0+float32(to)*pixel+1), Y1: min(r.Y1, r.Y0+float32(y+1)*pixel+1)},
				palette.Colour(c[0])<<24|palette.Colour(c[1])<<16|palette.Colour(c[2])<<8|0xff)
			from = to
		}
	}
	return true
}
