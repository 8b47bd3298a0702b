package viewer

import (
	"math"
	"strconv"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// transport draws the timeline, the controls of the replay and the overlays.
func (d *drawing) transport(r canvas.Rect) {
	track, rest := r.CutTop(50)
	d.timeline(track)
	controls, rest := rest.CutTop(30)
	d.controls(canvas.Rect{X0: controls.X0, Y0: controls.Y0 + 2, X1: controls.X1, Y1: controls.Y1 - 2})
	_, rest = rest.CutTop(4)
	d.overlays(canvas.Rect{X0: rest.X0, Y0: rest.Y0, X1: rest.X1, Y1: rest.Y0 + 26})
}

// line is where on the track of the timeline ticks lie.
func (m Model) line(track canvas.Rect) canvas.Rect {
	return canvas.Rect{X0: track.X0 + 10, Y0: track.Y1 - 18, X1: track.X1 - 10, Y1: track.Y1 - 10}
}

// at is the place of a tick on the line.
func (m Model) at(line canvas.Rect, tick int) float32 {
	return line.X0 + line.W()*float32(tick)/float32(max(m.Play.Last, 1))
}

// tickAt is the tick at a place of the line, or the nearest there is.
func (m Model) tickAt(line canvas.Rect, x float32) int {
	share := float64((x - line.X0) / line.W())
	return int(math.Round(min(max(share, 0), 1) * float64(m.Play.Last)))
}

// timeline draws the ticks gone and to come, and the events with their names where there is room for them.
func (d *drawing) timeline(track canvas.Rect) {
	line := d.m.line(track)
	d.Hit(Action{timeline, 0}.String(), track)
	d.Fill(line.Inset(2), palette.Edge)
	now := d.m.at(line, d.m.Play.Tick)
	d.Fill(canvas.Rect{X0: line.X0, Y0: line.Y0 + 2, X1: now, Y1: line.Y1 - 2}, palette.Blue)
	if d.m.exhibit != nil {
		d.events(line)
	}
	d.Disc(canvas.Point{X: now, Y: line.Mid().Y}, 7, palette.Blue)
	d.Disc(canvas.Point{X: now, Y: line.Mid().Y}, 3, palette.White)
}

// events marks every event; a name that would run into the one before is left out, the nearest event's never.
func (d *drawing) events(line canvas.Rect) {
	free := [2]float32{line.X0 - 10, line.X0 - 10} // from here on there is room, in the lower and the upper line
	for _, e := range d.m.exhibit.Events {
		x := d.m.at(line, e.Tick)
		d.Polygon(palette.Orange, canvas.Point{X: x, Y: line.Y0 - 1}, canvas.Point{X: x - 4, Y: line.Y0 - 8}, canvas.Point{X: x + 4, Y: line.Y0 - 8})
		width := canvas.Measure(canvas.Regular, small, e.Name)
		left := min(max(x-width/2, line.X0-10), line.X1+10-width)
		for k := range free {
			if left >= free[k] {
				d.Write(canvas.Point{X: left, Y: line.Y0 - 10 - float32(k)*11}, small, palette.Muted, canvas.Left, e.Name)
				free[k] = left + width + 6
				break
			}
		}
	}
}

// controls draws the buttons of the replay.
func (d *drawing) controls(r canvas.Rect) {
	cut := func(w float32) (at canvas.Rect) {
		at, r = r.CutLeft(w)
		_, r = r.CutLeft(4)
		return at
	}
	for _, b := range []struct {
		a    Action
		icon func(*drawing, canvas.Point)
	}{
		{Action{ToStart, 0}, iconStart}, {Action{PrevEvent, 0}, iconPrevEvent}, {Action{Step, -1}, iconBack}, {Action{PlayPause, 0}, iconPlay},
		{Action{Step, 1}, iconOn}, {Action{NextEvent, 0}, iconNextEvent}, {Action{ToEnd, 0}, iconEnd},
	} {
		width := float32(30)
		if b.a.Verb == PlayPause {
			width = 48
		}
		at := cut(width)
		d.control(at, b.a, b.a.Verb == PlayPause && d.m.Play.Playing)
		b.icon(d, at.Mid())
	}
	_, r = r.CutLeft(6)
	d.control(cut(26), Action{Slower, 0}, false)
	d.write(lastRect(d), canvas.Bold, large, palette.Ink, canvas.Centre, "−")
	d.write(cut(46), canvas.Bold, normal, palette.Ink, canvas.Centre, strconv.FormatFloat(d.m.Play.Speed(), 'g', -1, 64)+"×")
	d.control(cut(26), Action{Faster, 0}, false)
	d.write(lastRect(d), canvas.Bold, large, palette.Ink, canvas.Centre, "+")
	_, r = r.CutLeft(6)
	d.button(cut(62), Action{Loop, 0}, d.m.Play.Loop, "loop")
}

// lastRect is the region of the control drawn last.
func lastRect(d *drawing) canvas.Rect { return d.Hits[len(d.Hits)-1].Rect }

// overlays draws the controls of what is laid over the picture, each with the colour it is drawn in.
func (d *drawing) overlays(r canvas.Rect) {
	names := [Overlays]string{"sees", "believes", "goals", "routes"}
	colours := [Overlays]palette.Colour{palette.Sight, palette.Belief, palette.Belief, palette.Predicted}
	for i, at := range r.Columns(Overlays, 6) {
		a := Action{Overlay, i}
		absent := d.m.absent(i) != ""
		on := d.m.Show.on(i) && !absent
		d.control(at, a, on)
		dot, ink, muted := canvas.Point{X: at.X0 + 14, Y: at.Mid().Y}, palette.Ink, palette.Muted
		if absent {
			ink, muted = palette.Greyed, palette.Greyed
		}
		if on {
			d.Disc(dot, 5, colours[i])
		} else {
			d.Ring(dot, 4, 1.5, muted)
		}
		inner := canvas.Rect{X0: at.X0 + 25, Y0: at.Y0, X1: at.X1 - 7, Y1: at.Y1}
		key, _ := keyOf(a)
		cap, inner := inner.CutRight(10)
		d.write(cap, canvas.Mono, small, muted, canvas.Right, string(key))
		text := names[i]
		if i == 1 && !d.m.library.Unsealed {
			text += " (sealed)"
		}
		d.plain(inner, ink, text)
	}
}

// absent says why there is no such overlay of what is shown; empty where there is.
func (m Model) absent(overlay int) string {
	if m.exhibit == nil {
		return ""
	}
	return m.exhibit.Absent[overlay]
}
