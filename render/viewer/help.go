package viewer

import (
	"strings"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// help draws the list of all keys over everything else.
func (d *drawing) help() {
	d.Fill(d.Bounds(), palette.Ink.Fade(0.6))
	box := d.Bounds().Fit(d.W, d.H).Inset(min(d.W, d.H) / 16)
	d.panel(box)
	inner := box.Inset(20)
	title, inner := inner.CutTop(30)
	d.write(title, canvas.Bold, 18, palette.Ink, canvas.Left, "Keys")
	d.write(title, canvas.Regular, normal, palette.Muted, canvas.Right, "any key goes back")
	d.Hit(action{leave, 0}.String(), d.Bounds())
	columns := inner.Columns(2, 30)
	line := float32(20)
	if inner.H() < 530 { // the height of the longer column
		line = 17
	}
	k, at := 0, columns[0]
	for _, g := range helpGroups() {
		if at.H() < float32(len(g))*line+24 && k+1 < len(columns) {
			k++
			at = columns[k]
		}
		at = d.helpGroup(at, line, g)
	}
}

// helpGroups returns the bindings by group. A key without a text is added to the line of the key before.
func helpGroups() (groups [][]binding) {
	for _, b := range bindings() {
		n := len(groups)
		switch {
		case n == 0 || groups[n-1][0].group != b.group:
			groups = append(groups, []binding{b})
		case b.Doc == "":
			last := &groups[n-1][len(groups[n-1])-1]
			last.Key += "  " + strings.TrimPrefix(b.Key, "shift ")
		default:
			groups[n-1] = append(groups[n-1], b)
		}
	}
	return append(groups, pointerHelp)
}

// pointerHelp lists what the pointer does. It is the last group of the help.
var pointerHelp = []binding{
	{Key: "click", Doc: "what is under it: an episode, a button, a tick", group: "Pointer"},
	{Key: "drag", Doc: "along the timeline or the scroll bar"},
	{Key: "wheel", Doc: "scrolls the list; over the timeline, ticks"},
	{Key: "rest", Doc: "what a cell is, and who believes what of it"},
}

func (d *drawing) helpGroup(r canvas.Rect, line float32, list []binding) canvas.Rect {
	head, r := r.CutTop(24)
	d.write(head, canvas.Bold, normal, palette.Blue, canvas.Left, list[0].group)
	for _, b := range list {
		var at canvas.Rect
		at, r = r.CutTop(line)
		key, doc := at.CutLeft(215)
		d.write(key, canvas.Mono, small+1, palette.Ink, canvas.Left, b.Key)
		d.plain(doc, palette.Ink, b.Doc)
	}
	_, r = r.CutTop(10)
	return r
}
