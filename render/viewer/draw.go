package viewer

import (
	"fmt"
	"strings"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// Draw returns the picture of the screen at that size.
func (m Model) Draw(w, h float32) *canvas.Scene {
	d := &drawing{canvas.New(w, h), m}
	d.Fill(d.Bounds(), palette.Paper)
	a := m.areas(w, h)
	d.head(a.head)
	d.stage(a)
	d.transport(a.play)
	if !m.wide {
		d.list(a)
		d.side(a.side)
	}
	d.status(a.status)
	switch m.focus {
	case OnMenu:
		d.menu(a)
	case OnHelp:
		d.help()
	}
	return d.Scene
}

// head draws the line on top: what is shown, and the panels to choose from.
func (d *drawing) head(r canvas.Rect) {
	d.Fill(r, palette.Ink)
	inner := canvas.Rect{X0: r.X0 + gap + 4, Y0: r.Y0 + 7, X1: r.X1 - gap, Y1: r.Y1 - 7}
	for _, b := range []struct {
		text  string
		width float32
		a     Action
		on    bool
	}{
		{"Keys", 66, Action{Help, 0}, d.m.focus == OnHelp},
		{"Wide", 66, Action{Wide, 0}, d.m.wide},
		{"Battery", 84, Action{ShowPanel, int(BatteryPanel)}, !d.m.wide && d.m.panel == BatteryPanel},
		{"Profile", 84, Action{ShowPanel, int(ProfilePanel)}, !d.m.wide && d.m.panel == ProfilePanel},
		{"Episode", 84, Action{ShowPanel, int(EpisodePanel)}, !d.m.wide && d.m.panel == EpisodePanel},
	} {
		var at canvas.Rect
		at, inner = inner.CutRight(b.width)
		_, inner = inner.CutRight(6)
		d.button(at, b.a, b.on, b.text)
	}
	name, inner := inner.CutLeft(78)
	d.write(name, canvas.Bold, large, palette.White, canvas.Left, "Achilles")
	seal := "sealed: what subjects are and believe is not shown"
	if d.m.library.Unsealed {
		seal = "unsealed"
	}
	d.write(inner, canvas.Regular, normal, palette.Edge, canvas.Left, d.m.library.Title+"   ·   "+seal)
}

// stage draws the title and the picture of the episode.
func (d *drawing) stage(a areas) {
	e := d.m.exhibit
	switch {
	case e != nil:
		tick, title := a.title.CutRight(110)
		d.write(tick, canvas.Regular, normal, palette.Muted, canvas.Right, fmt.Sprintf("tick %d of %d", d.m.Play.Tick, d.m.Play.Last))
		d.write(title, canvas.Bold, large, palette.Ink, canvas.Left, e.Title)
	case d.m.Row() < 0:
		d.write(a.title, canvas.Bold, large, palette.Ink, canvas.Left, "No episode")
	}
	d.panel(a.stage)
	inner := a.stage.Inset(6)
	switch {
	case e != nil:
		d.Hit(Action{stageArea, 0}.String(), inner)
		d.Clipped(inner, func() { e.Picture.Draw(d.Scene, inner, d.m.Play.Tick, d.m.Show) })
		d.probeMark(inner)
	case d.m.trouble != "":
		d.write(inner, canvas.Regular, normal, palette.Warning, canvas.Centre, d.m.trouble)
	case d.m.library.Shelf.Len() == 0:
		d.write(inner, canvas.Regular, normal, palette.Muted, canvas.Centre, d.note())
	case d.m.Row() < 0:
		d.write(inner, canvas.Regular, normal, palette.Muted, canvas.Centre, "nothing is left: press x to clear search and filters")
	default:
		d.write(inner, canvas.Regular, normal, palette.Muted, canvas.Centre, "opening …")
	}
}

// probeMark draws a frame round the cell that is asked about.
func (d *drawing) probeMark(r canvas.Rect) {
	if !d.m.probe {
		return
	}
	if p, ok := d.m.exhibit.Picture.Locate(r, d.m.cell, d.m.Play.Tick); ok {
		d.Ring(p, 9, 2, palette.Black)
		d.Ring(p, 9, 1, palette.Yellow)
	}
}

// status draws the line at the bottom: what the pointer is at.
func (d *drawing) status(r canvas.Rect) {
	text, colour := d.m.hint(), palette.Ink
	if text == "" {
		text, colour = strings.TrimSpace(d.note()+"    ? lists the keys"), palette.Muted
	}
	d.plain(canvas.Rect{X0: r.X0 + gap, Y0: r.Y0, X1: r.X1 - gap, Y1: r.Y1}, colour, text)
}

func (d *drawing) note() string {
	if len(d.m.library.Notes) > 0 {
		return d.m.library.Notes[0]
	}
	return ""
}

// hint says what the pointer or the probe is at.
func (m Model) hint() string {
	if m.told != "" {
		return m.told
	}
	a, ok := ParseAction(m.over)
	if !ok {
		return ""
	}
	switch a.Verb {
	case timeline:
		return "seek: click or drag;  left and right step,  [ and ] go to events"
	case GoTo:
		return m.rowHint(a.N)
	case Overlay:
		return m.overlayHint(a)
	}
	if key, doc := keyOf(a); key != "" {
		return string(key) + ": " + doc
	}
	return ""
}

// overlayHint says what an overlay is, and why there is none.
func (m Model) overlayHint(a Action) string {
	key, text := keyOf(a)
	if why := m.absent(a.N); why != "" {
		text += ": " + why
	}
	return string(key) + ": " + text
}

func (m Model) rowHint(i int) string {
	if i >= len(m.left) {
		return ""
	}
	r := m.library.Shelf.Row(int(m.left[i]))
	text := fmt.Sprintf("%s · %s · %s · %s · item %s · trial %d · repetition %d", r.Subject, r.Suite, r.Paradigm, r.Task, r.Item, r.Trial, r.Repetition)
	if r.Cause != "" {
		text += " · " + r.Outcome + ": " + r.Cause
	}
	return text
}
