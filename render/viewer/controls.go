package viewer

import (
	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/picture"
)

// timeline draws the timeline and makes it a hit region.
func (d *drawing) timeline(r canvas.Rect) {
	d.Hit(action{timeline, 0}.String(), r)
	if d.m.episode != nil {
		d.m.timeline(r).Draw(d.Canvas, d.m.Play.Tick)
	}
}

// controls draws the buttons of the playback and, below them, the buttons of the overlays.
func (d *drawing) controls(r canvas.Rect) {
	upper, r := r.CutTop(30)
	_, r = r.CutTop(4)
	lower, _ := r.CutTop(26)
	d.playControls(canvas.Rect{X0: upper.X0, Y0: upper.Y0 + 2, X1: upper.X1, Y1: upper.Y1 - 2})
	d.overlays(lower)
}

// playControls draws the buttons of the playback.
func (d *drawing) playControls(r canvas.Rect) {
	k := min(1, r.W()/448) // all of it is 448 pixels wide
	cut := func(w float32) (at canvas.Rect) {
		at, r = r.CutLeft(w * k)
		_, r = r.CutLeft(4 * k)
		return at
	}
	for _, b := range []struct {
		a    action
		icon func(*drawing, canvas.Point)
	}{
		{action{toStart, 0}, iconStart}, {action{previousEvent, 0}, iconPreviousEvent}, {action{step, -1}, iconBack}, {action{playPause, 0}, iconPlay},
		{action{step, 1}, iconOn}, {action{nextEvent, 0}, iconNextEvent}, {action{toEnd, 0}, iconEnd},
	} {
		width := float32(30)
		if b.a.verb == playPause {
			width = 48
		}
		at := cut(width)
		d.control(at, b.a, b.a.verb == playPause && d.m.Play.Playing)
		b.icon(d, at.Mid())
	}
	_, r = r.CutLeft(6 * k)
	d.symbol(cut(26), action{slower, 0}, "−")
	d.write(cut(46), canvas.Bold, normal, palette.Ink, canvas.Centre, format.Short(d.m.Play.Speed())+"×")
	d.symbol(cut(26), action{faster, 0}, "+")
	_, r = r.CutLeft(6 * k)
	d.button(cut(62), action{loop, 0}, d.m.Play.Loop, "loop")
}

// symbol draws a button with one large character.
func (b *brush) symbol(r canvas.Rect, a action, text string) {
	b.control(r, a, false)
	b.write(r, canvas.Bold, large, palette.Ink, canvas.Centre, text)
}

// overlays draws a button for every overlay, with a dot in the colour of the overlay. The button is grey if the overlay
// has nothing to show in the episode.
func (d *drawing) overlays(r canvas.Rect) {
	buttons := []struct {
		overlay picture.Overlay
		text    string
		colour  palette.Colour
	}{{picture.Sight, "sees", palette.Sight}, {picture.Belief, "believes", palette.Belief}, {picture.Goals, "goals", palette.Belief}, {picture.Prediction, "paths", palette.Predicted}, {picture.Others, "others", palette.Success}}
	if !d.m.library.unsealed {
		buttons[1].text += " (sealed)"
	}
	const between = 4     // pixels between buttons
	beside := float32(41) // pixels of a button beside its text
	room, all := r.W()-between*float32(len(buttons)-1), float32(0)
	for _, b := range buttons {
		all += canvas.Measure(canvas.Regular, normal, b.text) + beside
	}
	keyed := room >= all // a narrow screen has no room for the keys
	if !keyed {
		beside -= 14
		all -= 14 * float32(len(buttons))
	}
	for _, b := range buttons {
		var at canvas.Rect
		at, r = r.CutLeft((canvas.Measure(canvas.Regular, normal, b.text) + beside) * (room / all))
		_, r = r.CutLeft(between)
		a := action{overlay, int(b.overlay)}
		absent := d.m.absent(b.overlay) != ""
		on := d.m.Show[b.overlay] && !absent
		d.control(at, a, on)
		dot, ink, muted := canvas.Point{X: at.X0 + 14, Y: at.Mid().Y}, palette.Ink, palette.Muted
		if absent {
			ink, muted = palette.Greyed, palette.Greyed
		}
		if on {
			d.Disc(dot, 5, b.colour)
		} else {
			d.Ring(dot, 4, 1.5, muted)
		}
		inner := canvas.Rect{X0: at.X0 + 25, Y0: at.Y0, X1: at.X1 - 7, Y1: at.Y1}
		if keyed {
			var cap canvas.Rect
			cap, inner = inner.CutRight(10)
			key, _ := keyOf(a)
			d.write(cap, canvas.Mono, small, muted, canvas.Right, key)
		} else {
			inner.X1 = at.X1
		}
		d.plain(inner, ink, b.text)
	}
}
