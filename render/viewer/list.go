package viewer

import (
	"fmt"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/sim/num"
)

// list draws the left column: search, filters and the selected episodes.
func (d *drawing) list(a areas) {
	d.searchLine(a.search)
	d.filters(a.filters)
	d.count(a.count)
	d.panel(canvas.Rect{X0: a.rows.X0, Y0: a.rows.Y0, X1: a.scroll.X1, Y1: a.rows.Y1})
	d.Clipped(a.rows, func() {
		for k := range int(a.rows.H()/rowHeight) + 1 {
			if i := d.m.top + k; i < len(d.m.rows) {
				d.row(canvas.At(a.rows.X0, a.rows.Y0+float32(k)*rowHeight, a.rows.W(), rowHeight).Intersect(a.rows), i)
			}
		}
	})
	d.scrollBar(a.scroll)
}

func (d *drawing) searchLine(r canvas.Rect) {
	a := action{search, 0}
	on := d.m.focus == onSearch
	d.control(r, a, on)
	inner := canvas.Rect{X0: r.X0 + 8, Y0: r.Y0, X1: r.X1 - 8, Y1: r.Y1}
	text, colour := d.m.query.Search, palette.Ink
	if on {
		text += "|"
	} else if text == "" {
		text, colour = "search: words of subject, item, task, outcome", palette.Muted
	}
	cap, inner := inner.CutRight(14)
	d.write(cap, canvas.Mono, small, palette.Muted, canvas.Right, "/")
	d.plain(inner, colour, text)
}

// filters draws a button for every field, two in a line, a button for the order of rows, and a button for the observer.
func (d *drawing) filters(r canvas.Rect) {
	var at []canvas.Rect
	for y := r.Y0; y+lineHeight <= r.Y1+1; y += lineHeight {
		at = append(at, canvas.At(r.X0, y, r.W(), lineHeight-3).Columns(2, 4)...)
	}
	fields := d.m.library.fields()
	for i, f := range fields[:min(len(fields), len(at))] {
		text, on := f.String(), false
		if v := d.m.query.Value[f]; v > 0 {
			text, on = nonempty(d.m.library.list.Values(f)[v-1]), true
		}
		d.button(at[i], action{filter, int(f)}, on, text)
	}
	if len(fields) < len(at) {
		d.button(at[len(fields)], action{sortRows, 0}, d.m.query.Order != 0, d.m.query.Order.String())
	}
	if o := d.m.library.observers; len(o) > 0 && len(fields)+1 < len(at) {
		d.button(at[len(fields)+1], action{observe, 1}, false, o[d.m.observer])
	}
}

func (d *drawing) count(r canvas.Rect) {
	text := fmt.Sprintf("%s of %s episodes", num.Count(len(d.m.rows)), num.Count(d.m.library.list.Len()))
	clear, rest := r.CutRight(74)
	d.write(rest, canvas.Regular, small, palette.Muted, canvas.Left, text)
	if d.m.query != (replay.Query{Order: d.m.query.Order}) {
		d.button(canvas.Rect{X0: clear.X0, Y0: clear.Y0 + 1, X1: clear.X1, Y1: clear.Y1 - 4}, action{clearAll, 0}, false, "clear")
	}
}

// row draws row i of the list: a symbol for the episode's outcome, its subject, and its kind.
func (d *drawing) row(r canvas.Rect, i int) {
	row := d.m.library.list.Row(int(d.m.rows[i]))
	a := action{goTo, i}
	switch {
	case i == d.m.cursor:
		d.Fill(r, palette.Selected)
	case d.m.over == a.String():
		d.Fill(r, palette.Hover)
	}
	d.Fill(canvas.Rect{X0: r.X0, Y0: r.Y0 + rowHeight - 1, X1: r.X1, Y1: r.Y0 + rowHeight}, palette.Edge.Fade(0.6))
	d.Hit(a.String(), r)
	d.outcome(canvas.Point{X: r.X0 + 14, Y: r.Y0 + rowHeight/2}, row.Outcome)
	inner := canvas.Rect{X0: r.X0 + 28, Y0: r.Y0 + 1, X1: r.X1 - 6, Y1: r.Y0 + rowHeight - 1}
	upper, lower := inner.CutTop(inner.H() / 2)
	if text := d.m.quantity(row, d.m.library.observer); text != "" {
		var at canvas.Rect
		at, upper = upper.CutRight(84)
		d.write(at, canvas.Regular, small, palette.Muted, canvas.Right, text)
	}
	name, text := row.Subject, row.Paradigm
	if row.Task != row.Paradigm {
		text += " · " + row.Task
	}
	if name == "" { // observers watch the episode
		name = row.Item
	} else {
		text += " · " + row.Item
	}
	d.write(upper, canvas.Regular, normal, palette.Ink, canvas.Left, name)
	if row.Cause != "" {
		text += " · " + row.Cause
	}
	d.write(lower, canvas.Regular, small, palette.Muted, canvas.Left, text)
}

// outcome draws a disc with a check mark if the trial was passed, a disc with a cross if it was failed, and otherwise a
// ring.
func (b *brush) outcome(p canvas.Point, outcome string) {
	switch outcome {
	case replay.OutcomePassed:
		b.Disc(p, 7, palette.Success)
		b.Line(2, palette.White, p.Add(-3.5, 0), p.Add(-1, 3), p.Add(3.5, -3))
	case replay.OutcomeFailed:
		b.Disc(p, 7, palette.Failure)
		b.Line(2, palette.White, p.Add(-2.5, -2.5), p.Add(2.5, 2.5))
		b.Line(2, palette.White, p.Add(-2.5, 2.5), p.Add(2.5, -2.5))
	default:
		b.Ring(p, 6, 2, palette.Muted)
	}
}

// scrollBar draws a bar that shows which part of the list is visible.
func (d *drawing) scrollBar(r canvas.Rect) {
	n, page := len(d.m.rows), d.m.page(d.m.library)
	if n <= page {
		return
	}
	d.Hit(action{scrollTrack, 0}.String(), r)
	height := max(r.H()*float32(page)/float32(n), 24)
	y := r.Y0 + (r.H()-height)*float32(d.m.top)/float32(n-page)
	d.Fill(canvas.Rect{X0: r.X0 + 3, Y0: y + 2, X1: r.X1 - 2, Y1: y + height - 2}, palette.Muted.Fade(0.55))
}

// menu draws the open menu over the list.
func (d *drawing) menu(a areas) {
	n := &d.m.menu
	r := a.rows
	if d.m.wide || d.W < Narrow {
		r = a.picture
	}
	r = canvas.Rect{X0: r.X0, Y0: r.Y0 - lineHeight, X1: r.X0 + min(listWidth, r.W()), Y1: r.Y1}
	d.Fill(canvas.Rect{X0: r.X0 + 3, Y0: r.Y0 + 3, X1: r.X1 + 3, Y1: r.Y1 + 3}, palette.Ink.Fade(0.25))
	d.panel(r)
	head, rest := r.Inset(1).CutTop(lineHeight)
	d.Fill(head, palette.Selected)
	text := n.field.String() + ":  " + n.typed + "|   (type to narrow, enter takes)"
	d.plain(canvas.Rect{X0: head.X0 + 8, Y0: head.Y0, X1: head.X1, Y1: head.Y1}, palette.Ink, text)
	fit := max(int(rest.H()/lineHeight), 1)
	first := max(0, min(n.at-fit/2, len(n.entries)-fit))
	for k := 0; k < fit && first+k < len(n.entries); k++ {
		d.entry(canvas.At(rest.X0, rest.Y0+float32(k)*lineHeight, rest.W(), lineHeight), first+k)
	}
}

func (d *drawing) entry(r canvas.Rect, i int) {
	e, id := d.m.menu.entries[i], action{pick, i}.String()
	d.Fill(r, d.ground(id, i == d.m.menu.at))
	d.Hit(id, r)
	number, rest := r.Inset(2).CutRight(70)
	if e.count >= 0 {
		d.write(number, canvas.Regular, small, palette.Muted, canvas.Right, num.Count(e.count)+" ")
	}
	rest.X0 += 6
	d.plain(rest, palette.Ink, e.text)
}
