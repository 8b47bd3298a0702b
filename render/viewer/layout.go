package viewer

import (
	"math"

	"achilles/render/canvas"
)

// MinWidth and MinHeight are the least size, in pixels, at which all parts fit beside one another. A smaller window shows a picture of
// this size, scaled down, unless it is narrower than Narrow: then all parts are in one column, down to LeastWidth and LeastHeight.
const (
	MinWidth    = 1024
	MinHeight   = 600
	Narrow      = 700
	LeastWidth  = 320
	LeastHeight = 640
)

// plainWidth and plainHeight are the largest size, in pixels, at which the picture is not enlarged. In a larger window,
// it is enlarged so that it can be read from farther away.
const (
	plainWidth  = 1600
	plainHeight = 900
)

// zoomStep is the factor by which one step of the zoom enlarges the picture.
const zoomStep = 1.15

// mostZoom is the largest number of steps by which the zoom can enlarge the picture, and also reduce it.
const mostZoom = 6

// A window has the size of the picture, and how it is divided.
type window struct {
	width, height float32
	wide          bool // whether only the picture and the controls are shown
	firstPerson   bool // whether the picture has what the actor sees in a corner
	zoom          int  // number of steps of the zoom; negative: smaller
}

// scale returns the number of pixels of a w × h picture for each pixel of the layout. It grows with w, h and the zoom,
// but not so far that parts of the layout would not fit. It is at least ½.
func (n window) scale(w, h float32) float32 {
	k := max(1, min(w/plainWidth, h/plainHeight)) * float32(math.Pow(zoomStep, float64(n.zoom)))
	if w < Narrow {
		return max(min(k, w/LeastWidth, h/LeastHeight), 0.5)
	}
	return max(min(k, w/MinWidth, h/MinHeight), 0.5)
}

// Sizes in pixels of the layout.
const (
	gap            = 8
	headHeight     = 40
	listWidth      = 320
	sideWidth      = 310
	rowHeight      = 36
	lineHeight     = 24 // height of a button or a line of filters
	timelineHeight = 50
	controlsHeight = 66
	statusHeight   = 24
	scrollWidth    = 10
)

// An areas has the rectangles of all parts of the picture.
type areas struct {
	head, status                         canvas.Rect
	search, filters, count, rows, scroll canvas.Rect // empty in the wide layout
	title, picture, timeline, controls   canvas.Rect
	inner                                canvas.Rect // part of picture, above the legend, in which the episode is drawn
	side                                 canvas.Rect // empty in the wide layout
	table                                canvas.Rect // place of the table of observers, over the picture
}

// areas arranges the parts of a picture of w × h pixels, without a legend.
func (n window) areas(w, h float32, l *library) (a areas) {
	if w < Narrow {
		return n.column(w, h)
	}
	rest := canvas.At(0, 0, w, h)
	a.head, rest = rest.CutTop(headHeight)
	a.status, rest = rest.CutBottom(statusHeight)
	rest = canvas.Rect{X0: rest.X0 + gap, Y0: rest.Y0 + gap, X1: rest.X1 - gap, Y1: rest.Y1}
	if !n.wide {
		var list canvas.Rect
		list, rest = rest.CutLeft(min(listWidth, w/4))
		a.side, rest = rest.CutRight(min(sideWidth, w/4))
		rest = canvas.Rect{X0: rest.X0 + gap, Y0: rest.Y0, X1: rest.X1 - gap, Y1: rest.Y1}
		a.search, list = list.CutTop(28)
		_, list = list.CutTop(gap / 2)
		buttons := len(l.fields()) + 1
		if len(l.observers) > 0 {
			buttons++
		}
		a.filters, list = list.CutTop(float32((buttons+1)/2) * lineHeight)
		a.count, list = list.CutTop(lineHeight)
		a.scroll, a.rows = list.CutRight(scrollWidth)
	}
	return n.stand(a, rest)
}

// column arranges all parts below one another. The filters are left out: keys and the search have them.
func (n window) column(w, h float32) (a areas) {
	rest := canvas.At(0, 0, w, h)
	a.head, rest = rest.CutTop(2 * headHeight)
	a.status, rest = rest.CutBottom(statusHeight)
	rest = canvas.Rect{X0: rest.X0 + gap, Y0: rest.Y0 + gap, X1: rest.X1 - gap, Y1: rest.Y1}
	if !n.wide {
		var list canvas.Rect
		a.side, rest = rest.CutBottom(rest.H() * 0.24)
		_, rest = rest.CutBottom(gap)
		list, rest = rest.CutBottom(rest.H() * 0.24)
		a.search, list = list.CutTop(28)
		a.count, list = list.CutTop(lineHeight)
		a.scroll, a.rows = list.CutRight(scrollWidth)
	}
	return n.stand(a, rest)
}

// stand arranges the picture and what is below it in rest.
func (n window) stand(a areas, rest canvas.Rect) areas {
	a.title, rest = rest.CutTop(lineHeight)
	a.controls, rest = rest.CutBottom(controlsHeight)
	a.timeline, rest = rest.CutBottom(timelineHeight)
	_, a.picture = rest.CutBottom(gap)
	a.table = canvas.Rect{X0: a.title.X0, Y0: a.title.Y0, X1: a.picture.X1, Y1: a.picture.Y1}
	a.inner = a.picture.Inset(6)
	return a
}

// page returns the number of rows of the list that fit on the screen, at least 1.
func (n window) page(l *library) int {
	n.wide = false
	return max(int(n.areas(n.width, n.height, l).rows.H()/rowHeight), 1)
}

// areas arranges the parts of a picture of w × h pixels.
func (m model) areas(w, h float32) areas {
	a := m.window.areas(w, h, m.library)
	if m.episode != nil {
		_, a.inner = a.inner.CutBottom(m.moment().LegendHeight(a.inner.W()))
	}
	return a
}
