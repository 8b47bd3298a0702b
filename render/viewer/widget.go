package viewer

import (
	"achilles/render/canvas"
	"achilles/render/palette"
)

// Text sizes, in pixels per em.
const (
	small  = 11
	normal = 13
	large  = 15
)

// A drawing is the picture of a model while it is being drawn.
type drawing struct {
	brush
	m    model
	over float32 // number of pixels by which the panel's contents are higher than the panel
}

// newDrawing returns a drawing of a model on an empty canvas.
func newDrawing(m model, w, h float32) *drawing {
	return &drawing{brush: brush{canvas.New(w, h), m.over}, m: m}
}

// A brush draws text and controls.
type brush struct {
	*canvas.Canvas
	under string // id of the hit region under the pointer; empty: none
}

// write writes a line of text in the middle of the height of r. The text is shortened if it is wider than r.
func (b *brush) write(r canvas.Rect, face canvas.Face, size float32, c palette.Colour, align canvas.Align, text string) {
	at := canvas.Point{X: r.X0, Y: r.Mid().Y + size*0.36}
	switch align {
	case canvas.Centre:
		at.X = r.Mid().X
	case canvas.Right:
		at.X = r.X1
	}
	b.Add(canvas.Text{At: at, Text: canvas.Shorten(face, size, text, r.W()), Size: size, Colour: c, Align: align, Face: face})
}

// fitting returns the first of several texts that fits into a width, or the last.
func fitting(face canvas.Face, size, width float32, texts ...string) string {
	for _, t := range texts {
		if canvas.Measure(face, size, t) <= width {
			return t
		}
	}
	return texts[len(texts)-1]
}

// plain writes text of normal size at the left side of r.
func (b *brush) plain(r canvas.Rect, c palette.Colour, text string) {
	b.write(r, canvas.Regular, normal, c, canvas.Left, text)
}

// panel draws the background and the border of a group of controls.
func (b *brush) panel(r canvas.Rect) {
	b.Fill(r, palette.Panel)
	b.Frame(r, 1, palette.Edge)
}

// ground returns the colour of the background of a control. The colour depends on whether the control is on, and on
// whether the pointer is over the control.
func (b *brush) ground(id string, on bool) palette.Colour {
	switch {
	case on:
		return palette.Selected
	case b.under == id:
		return palette.Hover
	}
	return palette.Panel
}

// control draws the background and border of a control, and adds the hit region of its action.
func (b *brush) control(r canvas.Rect, a action, on bool) {
	id := a.String()
	b.Fill(r, b.ground(id, on))
	edge := palette.Edge
	if on {
		edge = palette.Blue
	}
	b.Frame(r, 1, edge)
	b.Hit(id, r)
}

// button draws a control with a text and its key.
func (b *brush) button(r canvas.Rect, a action, on bool, text string) {
	b.control(r, a, on)
	inner := canvas.Rect{X0: r.X0 + 7, Y0: r.Y0, X1: r.X1 - 7, Y1: r.Y1}
	if key, _ := keyOf(a); key != "" {
		var cap canvas.Rect
		cap, inner = inner.CutRight(canvas.Measure(canvas.Mono, small, key) + 2)
		b.write(cap, canvas.Mono, small, palette.Muted, canvas.Right, key)
	}
	b.plain(inner, palette.Ink, text)
}
