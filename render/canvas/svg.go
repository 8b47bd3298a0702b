package canvas

import (
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/render/palette"
)

// SVG returns the canvas as the inside of an svg element whose viewBox is 0 0 W H, and whose lines have round joints and ends
// (stroke-linejoin, stroke-linecap) unless all are Butt: one element for each operation but those that show nothing. A Clip is an element
// that its Unclip ends. Lines of text have the widths of their fonts, whatever font the reader has.
func SVG(c *Canvas) (elements []string) {
	for _, e := range listed(c, palette.Colour.Hex) {
		elements = append(elements, "<"+e.open+e.paint+e.end)
	}
	return elements
}

// GroupedSVG does as SVG, but operations that follow one another with the same paint have it once, and opaque lines among them are one
// path. colour returns the text of a colour without its opacity.
func GroupedSVG(c *Canvas, colour func(palette.Colour) string) (elements []string) {
	all := listed(c, colour)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].paint == all[0].paint && all[0].paint != "" {
			n++
		}
		run := all[:n]
		all = all[n:]
		var b strings.Builder
		switch paint := run[0].paint; {
		case n == 1:
			b.WriteString("<" + run[0].open + paint + run[0].end)
		case strings.HasPrefix(paint, " fill='none'") && !strings.Contains(paint, "opacity") && !slices.ContainsFunc(run, func(e element) bool { return !strings.HasPrefix(e.open, "path ") }):
			b.WriteString("<path d='")
			for _, e := range run {
				b.WriteString(strings.TrimSuffix(strings.TrimPrefix(e.open, "path d='"), "'"))
			}
			b.WriteString("'" + paint + "/>")
		default:
			b.WriteString("<g" + paint + ">")
			for _, e := range run {
				b.WriteString("<" + e.open + e.end)
			}
			b.WriteString("</g>")
		}
		elements = append(elements, b.String())
	}
	return elements
}

// listed returns the elements of the operations that show something.
func listed(c *Canvas, colour func(palette.Colour) string) (out []element) {
	for _, op := range joined(c.Ops) {
		if e := elementOf(op, colour); e.open != "" {
			out = append(out, e)
		}
	}
	return out
}

// An element is the text of an element without and with its paint, which several may share.
type element struct {
	open  string // from the name of the tag on
	paint string
	end   string // what follows the attributes
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

// elementOf returns an operation as an element; an empty one if it shows nothing.
func elementOf(op Op, colour func(palette.Colour) string) element {
	fill := func(name string, c palette.Colour) string { return paint(name, c, colour) }
	switch o := op.(type) {
	case FillRect:
		if o.W() <= 0 || o.H() <= 0 {
			return element{}
		}
		return element{"rect" + number("x", o.X0) + number("y", o.Y0) + number("width", o.W()) + number("height", o.H()), fill("fill", o.Colour), "/>"}
	case FillPolygon:
		return element{"path d='" + pathOf(o.Points, true) + "'", fill("fill", o.Colour), "/>"}
	case Polyline:
		dash := ""
		if o.Dash > 0 {
			dash = number("stroke-dasharray", o.Dash)
		}
		return element{"path d='" + pathOf(o.Points, o.Closed) + "'", " fill='none'" + number("stroke-width", o.Width) + dash + fill("stroke", o.Colour), "/>"}
	case FillCircle:
		at := "circle" + number("cx", o.Centre.X) + number("cy", o.Centre.Y) + number("r", o.Radius)
		if o.Width > 0 {
			return element{at, " fill='none'" + number("stroke-width", o.Width) + fill("stroke", o.Colour), "/>"}
		}
		return element{at, fill("fill", o.Colour), "/>"}
	case Text:
		if strings.TrimSpace(o.Text) == "" {
			return element{}
		}
		return element{"text" + textOf(&o), fill("fill", o.Colour), ">" + html.EscapeString(o.Text) + "</text>"}
	case Clip:
		box := decimal(o.X0) + " " + decimal(o.Y0) + " " + decimal(max(o.W(), 0)) + " " + decimal(max(o.H(), 0))
		return element{"svg" + number("x", o.X0) + number("y", o.Y0) + number("width", max(o.W(), 0)) + number("height", max(o.H(), 0)) + " viewBox='" + box + "'", "", ">"}
	case Unclip:
		return element{"/svg", "", ">"}
	}
	return element{}
}

// shortText is the number of bytes of a text, a number most often, that need no width where the reader's font has the widths of the text's own.
const shortText = 4

// textOf returns the attributes of a text without its paint.
func textOf(o *Text) string {
	out := number("x", o.At.X) + number("y", o.At.Y) + number("font-size", o.Size)
	if o.Font == nil {
		out += [...]string{" font-family='sans-serif'", " font-family='sans-serif'", " font-family='monospace'"}[o.Face]
	}
	if o.Face == Bold {
		out += " font-weight='bold'"
	}
	out += [...]string{"", " text-anchor='middle'", " text-anchor='end'"}[o.Align]
	if o.Font == nil || len(o.Text) > shortText {
		out += number("textLength", o.Size*o.font().measure(o.Text)) + " lengthAdjust='spacingAndGlyphs'"
	}
	if o.Turn != 0 {
		out += " transform='rotate(" + decimal(o.Turn*180/math.Pi) + " " + decimal(o.At.X) + " " + decimal(o.At.Y) + ")'"
	}
	return out
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
func paint(name string, c palette.Colour, colour func(palette.Colour) string) string {
	out := " " + name + "='" + colour(c|0xff) + "'"
	if alpha := uint32(c) & 0xff; alpha != 0xff {
		out += " " + name + "-opacity='" + short(float32(alpha)/0xff, 2) + "'"
	}
	return out
}
