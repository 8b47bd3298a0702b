package viewer

import (
	"strings"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// help lists all keys over the screen.
func (d *drawing) help() {
	d.Fill(d.Bounds(), palette.Ink.Fade(0.6))
	box := d.Bounds().Fit(d.W, d.H).Inset(min(d.W, d.H) / 16)
	d.panel(box)
	inner := box.Inset(20)
	title, inner := inner.CutTop(30)
	d.write(title, canvas.Bold, 18, palette.Ink, canvas.Left, "Keys")
	d.write(title, canvas.Regular, normal, palette.Muted, canvas.Right, "any key goes back")
	d.Hit(Action{Leave, 0}.String(), d.Bounds())
	columns := inner.Columns(2, 30)
	line := float32(20)
	if inner.H() < 530 { // what the longer column takes at that distance
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

// helpGroups are the bindings by group; keys that do likewise are on one line.
func helpGroups() (groups [][]Binding) {
	for _, b := range Bindings() {
		n := len(groups)
		switch {
		case n == 0 || groups[n-1][0].Group != b.Group:
			groups = append(groups, []Binding{b})
		case b.Doc == "":
			last := &groups[n-1][len(groups[n-1])-1]
			last.Key += "  " + Key(strings.TrimPrefix(string(b.Key), "shift "))
		default:
			groups[n-1] = append(groups[n-1], b)
		}
	}
	return groups
}

func (d *drawing) helpGroup(r canvas.Rect, line float32, list []Binding) canvas.Rect {
	head, r := r.CutTop(24)
	d.write(head, canvas.Bold, normal, palette.Blue, canvas.Left, list[0].Group)
	for _, b := range list {
		var at canvas.Rect
		at, r = r.CutTop(line)
		key, doc := at.CutLeft(215)
		d.write(key, canvas.Mono, small+1, palette.Ink, canvas.Left, string(b.Key))
		d.plain(doc, palette.Ink, b.Doc)
	}
	_, r = r.CutTop(10)
	return r
}

// wrap breaks a text into lines of small type of that width.
func wrap(text string, width float32) (lines []string) {
	line := ""
	for _, w := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + w)
		if line != "" && canvas.Measure(canvas.Regular, small, longer) > width {
			lines = append(lines, line)
			longer = w
		}
		line = longer
	}
	return append(lines, line)
}
