package viewer

import (
	"fmt"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// Draw returns a picture of the viewer with w × h pixels.
func (m model) Draw(w, h float32) *canvas.Canvas {
	d := newDrawing(m, w, h)
	d.Fill(d.Bounds(), palette.Paper)
	a := m.areas(w, h)
	d.head(a.head)
	d.picture(a)
	d.timeline(a.timeline)
	d.controls(a.controls)
	if !m.wide {
		d.list(a)
		d.side(a.side)
	}
	d.status(a.status)
	switch {
	case m.tabular():
		d.observers(a.table)
	case m.overviewed():
		glance{d}.draw(a.table)
	}
	switch m.focus {
	case onMenu:
		d.menu(a)
	case onHelp:
		d.help()
	}
	return d.Canvas
}

// head draws the bar at the top: the name of the directory, and buttons for the panels, the wide layout and the help.
func (d *drawing) head(r canvas.Rect) {
	d.Fill(r, palette.Ink)
	inner := canvas.Rect{X0: r.X0 + gap + 4, Y0: r.Y0 + 7, X1: r.X1 - gap, Y1: r.Y1 - 7}
	buttons := []struct {
		text  string
		width float32
		a     action
		on    bool
	}{
		{"Keys", 66, action{help, 0}, d.m.focus == onHelp},
		{"Wide", 66, action{wide, 0}, d.m.wide},
		{"Battery", 84, action{showPanel, int(batteryPanel)}, !d.m.wide && d.m.panel == batteryPanel},
		{"Profile", 84, action{showPanel, int(profilePanel)}, !d.m.wide && d.m.panel == profilePanel},
		{"Episode", 84, action{showPanel, int(episodePanel)}, !d.m.wide && d.m.panel == episodePanel},
	}
	if d.W < Narrow {
		var below canvas.Rect
		inner, below = inner.CutTop(headHeight - 14)
		_, below = below.CutTop(14)
		for i, at := range below.Columns(len(buttons), 4) {
			b := buttons[len(buttons)-1-i]
			d.button(at, b.a, b.on, b.text)
		}
		buttons = nil
	}
	for _, b := range buttons {
		var at canvas.Rect
		at, inner = inner.CutRight(b.width)
		_, inner = inner.CutRight(6)
		d.button(at, b.a, b.on, b.text)
	}
	name, inner := inner.CutLeft(78)
	d.write(name, canvas.Bold, large, palette.White, canvas.Left, "Achilles")
	of, result := d.m.library.caption(d.m.overview)
	d.caption(canvas.Rect{X0: inner.X0, Y0: r.Y0, X1: inner.X1, Y1: r.Y0 + headHeight}, of, result)
}

// caption writes the directory and the result in one line or, where that is too short, in two of smaller type: each in the longest of its
// lengths that has room.
func (d *drawing) caption(r canvas.Rect, of, result []string) {
	one := of[0]
	if result != nil {
		one += separator + result[0]
	}
	if result == nil || canvas.Measure(canvas.Regular, normal, one) <= r.W() {
		d.write(r, canvas.Regular, normal, palette.Edge, canvas.Left, fitting(canvas.Regular, normal, r.W(), append([]string{one}, of[1:]...)...))
		return
	}
	upper, lower := canvas.Rect{X0: r.X0, Y0: r.Mid().Y - captionLine, X1: r.X1, Y1: r.Mid().Y}, canvas.Rect{X0: r.X0, Y0: r.Mid().Y, X1: r.X1, Y1: r.Mid().Y + captionLine}
	d.write(upper, canvas.Regular, small, palette.Edge, canvas.Left, fitting(canvas.Regular, small, r.W(), of...))
	d.write(lower, canvas.Regular, small, palette.Edge, canvas.Left, fitting(canvas.Regular, small, r.W(), result...))
}

// captionLine is the height of one of two lines of the bar, in pixels.
const captionLine = 15

// eyeShare is the part of the picture's width or height that what the actor sees takes.
const eyeShare = 0.42

// picture draws the title and the picture of the episode. If there is no episode, it writes the reason.
func (d *drawing) picture(a areas) {
	e := d.m.episode
	switch {
	case e != nil:
		tick, name := a.title.CutRight(110)
		d.write(tick, canvas.Regular, normal, palette.Muted, canvas.Right, fmt.Sprintf("tick %d of %d", d.m.Play.Tick, d.m.Play.Last))
		d.write(name, canvas.Bold, large, palette.Ink, canvas.Left, title(e.Episode))
	case d.m.Row() < 0:
		d.write(a.title, canvas.Bold, large, palette.Ink, canvas.Left, "No episode")
	}
	d.panel(a.picture)
	inner := a.inner
	switch {
	case e != nil:
		d.Hit(action{pictureArea, 0}.String(), inner)
		d.m.moment().Legend(d.Canvas, a.picture.Inset(6))
		d.m.moment().Draw(d.Canvas, inner)
		d.probeMark(inner)
		if d.m.firstPerson {
			d.m.moment().FirstPerson(d.Canvas, canvas.Rect{X0: inner.X1 - inner.W()*eyeShare, Y0: inner.Y0, X1: inner.X1, Y1: inner.Y0 + inner.H()*eyeShare})
		}
	case d.m.problem != "":
		d.paragraph(inner.Inset(12), palette.Warning, d.m.problem)
	case d.m.library.reading:
		d.write(inner, canvas.Regular, normal, palette.Muted, canvas.Centre, "reading the directory …")
	case d.m.Row() < 0:
		text := "No episode matches. Press escape, then x, to clear search and filters."
		if !d.m.library.unsealed {
			text += " Names and causes are sealed until the result is scored: search by the opaque ids of subjects and items."
		}
		d.paragraph(inner.Inset(12), palette.Muted, text)
	default:
		d.write(inner, canvas.Regular, normal, palette.Muted, canvas.Centre, "opening …")
	}
}

// probeMark draws a ring at the cell of the probe.
func (d *drawing) probeMark(r canvas.Rect) {
	if !d.m.probe {
		return
	}
	if p, ok := d.m.moment().CellCentre(r, d.m.cell); ok {
		d.Ring(p, 9, 2, palette.Black)
		d.Ring(p, 9, 1, palette.Yellow)
	}
}

// status draws the line at the bottom, with a description of what is under the pointer, or a note.
func (d *drawing) status(r canvas.Rect) {
	text, colour := d.hint(), palette.Ink
	if text == "" {
		text, colour = "? lists the keys", palette.Muted
	}
	if note := d.m.library.note(d.m.episode); note != "" && d.hint() == "" {
		text, colour = note, palette.Warning
	}
	d.plain(canvas.Rect{X0: r.X0 + gap, Y0: r.Y0, X1: r.X1 - gap, Y1: r.Y1}, colour, text)
}

// hint returns a description of what is under the pointer or at the probe.
func (d *drawing) hint() string {
	if d.m.description != "" {
		return d.m.description
	}
	a, ok := parseAction(d.m.over)
	if !ok {
		return ""
	}
	switch a.verb {
	case timeline:
		return "seek: click or drag;  left and right step,  [ and ] go to events"
	case goTo:
		return d.m.hint(a.n, d.m.library.list)
	case overlay:
		return d.m.overlayHint(a)
	case cell:
		return d.m.overview.hint(a.n)
	}
	if key, doc := keyOf(a); key != "" {
		return key + ": " + doc
	}
	return ""
}
