package viewer

import (
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// help draws the list of all keys over the other parts.
func (d *drawing) help() {
	d.Fill(d.Bounds(), palette.Ink.Fade(0.6))
	box := d.Bounds().Fit(d.W, d.H).Inset(min(d.W, d.H) / 16)
	d.panel(box)
	inner := box.Inset(20)
	title, inner := inner.CutTop(30)
	d.write(title, canvas.Bold, 18, palette.Ink, canvas.Left, "Keys")
	d.write(title, canvas.Regular, normal, palette.Muted, canvas.Right, "any key goes back")
	d.Hit(action{leave, 0}.String(), d.Bounds())
	columns, groups := inner.Columns(2, 30), helpGroups()
	if d.W < Narrow {
		columns[0], columns[1] = inner.CutTop(inner.H() / 2)
	}
	k := slices.IndexFunc(groups, func(g []binding) bool { return g[0].group == "Episodes" })
	for i, list := range [2][][]binding{slices.Concat(groups[:k], [][]binding{pointerHelp}), groups[k:]} {
		rows, width := 0, float32(0)
		for _, g := range list {
			rows += len(g)
			for _, b := range g {
				width = max(width, canvas.Measure(canvas.Mono, small+1, b.Key)+20)
			}
		}
		line := min((inner.H()-helpHead*float32(len(list)))/float32(rows), 20)
		for _, g := range list {
			columns[i] = d.helpGroup(columns[i], line, width, g)
		}
	}
}

// helpHead is the height of the name of a group plus the height of the gap below the group's last line.
const helpHead = 34

// helpGroups returns the bindings by group. A binding without a text is added to the line of the binding before it.
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
	return groups
}

// pointerHelp is a group of the help. It says what actions of the pointer do.
var pointerHelp = []binding{
	{Key: "click", Doc: "select episode, button or tick", group: "Pointer"},
	{Key: "drag", Doc: "along the timeline or the scroll bar"},
	{Key: "wheel", Doc: "scroll; on the timeline, step by ticks"},
	{Key: "rest", Doc: "describe the cell and beliefs about it"},
}

// helpGroup draws a group at the top of r, and returns the rest of r. line is the height of a line, and width the width
// of the keys.
func (b *brush) helpGroup(r canvas.Rect, line, width float32, list []binding) canvas.Rect {
	head, r := r.CutTop(24)
	b.write(head, canvas.Bold, normal, palette.Blue, canvas.Left, list[0].group)
	for _, x := range list {
		var at canvas.Rect
		at, r = r.CutTop(line)
		key, doc := at.CutLeft(width)
		b.write(key, canvas.Mono, small+1, palette.Ink, canvas.Left, x.Key)
		b.plain(doc, palette.Ink, x.Doc)
	}
	_, r = r.CutTop(10)
	return r
}
