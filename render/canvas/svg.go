package canvas

import (
	"html"
	"strconv"
	"strings"

	"achilles/render/palette"
)

// SVG returns the canvas as the inside of an svg element whose viewBox is 0 0 W H, and whose lines have round joints and ends
// (stroke-linejoin, stroke-linecap): one element for each operation but those that show nothing. A Clip is an element that its Unclip
// ends. Lines of text have the widths of the built-in fonts, whatever font the reader has.
func SVG(c *Canvas) (elements []string) {
	for _, op := range joined(c.Ops) {
		if e := element(op); e != "" {
			elements = append(elements, e)
		}
	}
	return elements
}

// joined returns operations in which rectangles beside each other, of the same height and colour, are one.
func joined(ops []Op) (out []Op) {
	for _, op := range ops {
		if r, ok := op.(FillRect); ok && len(out) > 0 {
			last, ok := out[len(out)-1].(FillRect)
			if ok && last.Colour == r.Colour && last.Y0 == r.Y0 && last.Y1 == r.Y1 && last.X1 == r.X0 {
				last.X1 = r.X1
				out[len(out)-1] = last
				continue
			}
		}
		out = append(out, op)
	}
	return out
}

// element returns an operation as an element; "" if it shows nothing.
func element(op Op) string {
	switch o := op.(type) {
	case FillRect:
		if o.W() <= 0 || o.H() <= 0 {
			return ""
		}
		return "<rect" + number("x", o.X0) + number("y", o.Y0) + number("width", o.W()) + number("height", o.H()) + paint("fill", o.Colour) + "/>"
	case FillPolygon:
		return "<path d='" + pathOf(o.Points, true) + "'" + paint("fill", o.Colour) + "/>"
	case Polyline:
		dash := ""
		if o.Dash > 0 {
			dash = number("stroke-dasharray", o.Dash)
		}
		return "<path d='" + pathOf(o.Points, o.Closed) + "' fill='none'" + number("stroke-width", o.Width) + dash + paint("stroke", o.Colour) + "/>"
	case FillCircle:
		at := "<circle" + number("cx", o.Centre.X) + number("cy", o.Centre.Y) + number("r", o.Radius)
		if o.Width > 0 {
			return at + " fill='none'" + number("stroke-width", o.Width) + paint("stroke", o.Colour) + "/>"
		}
		return at + paint("fill", o.Colour) + "/>"
	case Text:
		if o.Text == "" {
			return ""
		}
		anchor := [...]string{"", " text-anchor='middle'", " text-anchor='end'"}[o.Align]
		face := [...]string{" font-family='sans-serif'", " font-family='sans-serif' font-weight='bold'", " font-family='monospace'"}[o.Face]
		return "<text" + number("x", o.At.X) + number("y", o.At.Y) + number("font-size", o.Size) + face + anchor + number("textLength", Measure(o.Face, o.Size, o.Text)) +
			" lengthAdjust='spacingAndGlyphs'" + paint("fill", o.Colour) + ">" + html.EscapeString(o.Text) + "</text>"
	case Clip:
		box := decimal(o.X0) + " " + decimal(o.Y0) + " " + decimal(max(o.W(), 0)) + " " + decimal(max(o.H(), 0))
		return "<svg" + number("x", o.X0) + number("y", o.Y0) + number("width", max(o.W(), 0)) + number("height", max(o.H(), 0)) + " viewBox='" + box + "'>"
	case Unclip:
		return "</svg>"
	}
	return ""
}

// pathOf returns the points as path data, without those that lie between two others on a horizontal or vertical line.
func pathOf(points []Point, closed bool) string {
	var b strings.Builder
	var kept []Point
	for i, p := range points {
		n := len(kept)
		between := n > 1 && i > 0 && (kept[n-1].X == p.X && kept[n-2].X == p.X && (kept[n-1].Y-kept[n-2].Y)*(p.Y-kept[n-1].Y) >= 0 ||
			kept[n-1].Y == p.Y && kept[n-2].Y == p.Y && (kept[n-1].X-kept[n-2].X)*(p.X-kept[n-1].X) >= 0)
		if between {
			kept[n-1] = p
			continue
		}
		kept = append(kept, p)
	}
	for i, p := range kept {
		b.WriteString([...]string{"M", "L"}[min(i, 1)] + decimal(p.X) + " " + decimal(p.Y))
	}
	if closed {
		b.WriteString("Z")
	}
	return b.String()
}

func number(name string, x float32) string { return " " + name + "='" + decimal(x) + "'" }

// decimal writes x with at most one decimal.
func decimal(x float32) string { return short(x, 1) }

func short(x float32, decimals int) string {
	t := strconv.FormatFloat(float64(x), 'f', decimals, 32)
	t = strings.TrimSuffix(strings.TrimRight(t, "0"), ".")
	if t == "-0" {
		return "0"
	}
	return t
}

// paint returns the attributes of a colour.
func paint(name string, c palette.Colour) string {
	out := " " + name + "='#" + hex(uint32(c)>>8, 6) + "'"
	if alpha := uint32(c) & 0xff; alpha != 0xff {
		out += " " + name + "-opacity='" + short(float32(alpha)/0xff, 2) + "'"
	}
	return out
}

func hex(x uint32, digits int) string {
	t := strconv.FormatUint(uint64(x), 16)
	return strings.Repeat("0", digits-len(t)) + t
}
