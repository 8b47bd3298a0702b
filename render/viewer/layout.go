package viewer

import (
	"achilles/render/canvas"
	"achilles/render/replay"
)

// MinWidth and MinHeight are the size, in pixels, from which on everything has room. Whoever has less shows this
// smaller.
const (
	MinWidth  = 1024
	MinHeight = 600
)

// Measures of the screen, in pixels.
const (
	gap        = 8
	headHeight = 40
	listWidth  = 320
	sideWidth  = 310
	rowHeight  = 36
	lineHeight = 24 // of a button or a line of filters
	playHeight = 116
	statusLine = 24
	barWidth   = 10 // of the scroll bar
)

// An areas says where everything is.
type areas struct {
	head, status                         canvas.Rect
	search, filters, count, rows, scroll canvas.Rect // empty when the screen is wide
	title, stage, play                   canvas.Rect
	side                                 canvas.Rect // empty when the screen is wide
}

// areas lays the screen out.
func (m Model) areas(w, h float32) (a areas) {
	rest := canvas.At(0, 0, w, h)
	a.head, rest = rest.CutTop(headHeight)
	a.status, rest = rest.CutBottom(statusLine)
	rest = canvas.Rect{X0: rest.X0 + gap, Y0: rest.Y0 + gap, X1: rest.X1 - gap, Y1: rest.Y1}
	if !m.wide {
		var list canvas.Rect
		list, rest = rest.CutLeft(min(listWidth, w/4))
		a.side, rest = rest.CutRight(min(sideWidth, w/4))
		rest = canvas.Rect{X0: rest.X0 + gap, Y0: rest.Y0, X1: rest.X1 - gap, Y1: rest.Y1}
		a.search, list = list.CutTop(28)
		_, list = list.CutTop(gap / 2)
		a.filters, list = list.CutTop(float32((len(m.fields())+2)/2) * lineHeight)
		a.count, list = list.CutTop(lineHeight)
		a.scroll, a.rows = list.CutRight(barWidth)
	}
	a.title, rest = rest.CutTop(lineHeight)
	a.play, rest = rest.CutBottom(playHeight)
	_, a.stage = rest.CutBottom(gap)
	return a
}

// fields are those that there is something to choose from.
func (m Model) fields() (fields []replay.Field) {
	for f := range replay.Fields {
		if m.library.Shelf.Values(f) != nil {
			fields = append(fields, f)
		}
	}
	return fields
}

// page is the number of rows of the list that fit, at least 1.
func (m Model) page() int {
	m.wide = false
	return max(int(m.areas(m.width, m.height).rows.H()/rowHeight), 1)
}
