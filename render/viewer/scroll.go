package viewer

import (
	"achilles/render/canvas"
	"achilles/render/palette"
)

// moreHeight is the height of the line that says that there is more.
const moreHeight = 18

// A content is a function that draws the contents of a panel at the top of a rectangle, and returns the rest of the
// rectangle.
type content func(d *drawing, r canvas.Rect) (rest canvas.Rect)

// scrolled draws contents in r. If they are higher than r, it draws the part to which the panel is scrolled, and below it a
// line that says that there is more.
func (d *drawing) scrolled(r canvas.Rect, draw content) {
	d.over = overflow(d.m, r, draw)
	if d.over == 0 {
		draw(d, r)
		return
	}
	line, r := r.CutBottom(moreHeight)
	at := min(d.m.scrolledBy, d.over)
	shifted := canvas.Rect{X0: r.X0, Y0: r.Y0 - at, X1: r.X1, Y1: r.Y1 + d.over}
	d.Clipped(r, func() { draw(d, shifted) })
	text := "▼ more below"
	switch {
	case at >= d.over:
		text = "▲ more above"
	case at > 0:
		text = "▲▼ more above and below"
	}
	d.write(line, canvas.Regular, small, palette.Blue, canvas.Left, text+": wheel, or shift page down")
}

// overflow returns by how many pixels contents are higher than r without the line that says that there is more. It
// returns 0 if the contents fit in r.
func overflow(m model, r canvas.Rect, draw content) float32 {
	const enough = 1e5 // height, in pixels, in which all contents fit
	scratch := newDrawing(m, 1, 1)
	height := draw(scratch, canvas.Rect{X0: r.X0, Y0: 0, X1: r.X1, Y1: enough}).Y0
	if height <= r.H() {
		return 0
	}
	return height + moreHeight - r.H()
}

// scrollStep is the number of pixels by which a key scrolls a panel.
const scrollStep = 120

// scrollPanel scrolls the contents of the panel down by a number of pixels, or up if the number is negative. It stops
// at the end and at the beginning of the contents.
func (m model) scrollPanel(by float32) model {
	d := newDrawing(m, m.width, m.height)
	d.side(m.areas(m.width, m.height).side)
	m.scrolledBy = min(max(m.scrolledBy+by, 0), d.over)
	m.Rev++
	return m
}
