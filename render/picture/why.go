package picture

import (
	"math"
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/scenarios/score"
)

// A Why draws why a profile expects what it does of an item.
type Why struct {
	*score.Explanation
	HeldOut float64 // p predicted without the held-out responses; NaN if it is not known
}

// WhyOf returns the Why of an episode. ok is false if nothing is known of it.
func WhyOf(e *replay.Episode) (w Why, ok bool) {
	w = Why{e.Why, math.NaN()}
	if e.HeldOut != nil {
		w.HeldOut = e.HeldOut.P
	}
	return w, e.Why != nil
}

// WhySize is the size of text in which a Why is readable, in pixels per em.
const WhySize = 11

// Sizes of a Why in pixels.
const (
	whyHead  = 20
	whyRow   = 30
	whyLine  = 15
	whyValue = 34 // width of a number
)

// Title returns the question that the Why answers.
func (w Why) Title() string {
	if w.Why != "" {
		return "Why?"
	}
	return "Why p = " + format.Number(w.P, 2) + "?"
}

// turned says what would move p across 0.5.
func (w Why) turned() string {
	t := w.Turn
	switch {
	case t == nil:
		return "No change of one parameter, lapses apart, moves p across 0.5."
	case format.Number(w.P, 2) == format.Number(t.P, 2):
		return "p is so near 0.5 that any small change turns it."
	case t.To == t.From:
		return "The uncertainty about " + t.Parameter + " decides: at its mean, " + format.Number(t.To, 2) + ", p = " + format.Number(t.P, 2) + "."
	}
	to, from := format.Apart(t.To, t.From)
	return "Smallest change that turns it: with " + t.Parameter + " " + to + " instead of " + from + ", p = " + format.Number(t.P, 2) + "."
}

// Sentences says what the hurdles do not: which ones the item does not ask for, what would turn the prediction, and what sets the profile apart
// from the truth.
func (w Why) Sentences() (out []string) {
	if w.Why != "" {
		return []string{"No hurdles: " + w.Why + "."}
	}
	if !math.IsNaN(w.HeldOut) {
		out = append(out, "By all responses; by the training responses alone p = "+format.Number(w.HeldOut, 2)+".")
	}
	if rest := w.notAsked(); rest != nil {
		out = append(out, "Not asked here: "+strings.Join(rest, ", ")+".")
	}
	out = append(out, w.turned())
	if w.Truth == nil {
		if w.Reason != "" {
			out = append(out, "True of the subject: "+strings.TrimSuffix(w.Reason, ".")+".")
		}
		return out
	}
	wrong := format.Number(w.P-*w.Truth, 2)
	if w.P > *w.Truth {
		wrong = "+" + wrong
	}
	text := "p differs from the truth by " + wrong
	if a := w.Apart; a != nil {
		text += ", most by " + a.Hurdle
		if a.Parameter != a.Hurdle {
			text += " (" + a.Parameter + ")"
		}
		text += ": with its true value p = " + format.Number(a.P, 2)
	}
	return append(out, text+".")
}

// notAsked returns the names of the hurdles for which the item does not ask. One that is called by its parameters gives those that no
// other name and no hurdle asked for has.
func (w Why) notAsked() (names []string) {
	asked := map[string]bool{}
	for _, h := range w.Asked() {
		for _, p := range h.Parameters {
			asked[p] = true
		}
	}
	for _, h := range w.Hurdles {
		if h.Asked {
			continue
		}
		parts := []string{h.Name}
		if h.Name == strings.Join(h.Parameters, ", ") {
			parts = slices.DeleteFunc(slices.Clone(h.Parameters), func(p string) bool { return asked[p] })
		}
		for _, p := range parts {
			if !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return names
}

// Asked returns the hurdles for which the item asks.
func (w Why) Asked() (out []score.Cleared) {
	for _, h := range w.Hurdles {
		if h.Asked {
			out = append(out, h)
		}
	}
	return out
}

// Draw draws the Why at the top of r, and returns the rest of r.
func (w Why) Draw(dst *canvas.Canvas, r canvas.Rect) canvas.Rect {
	at, r := r.CutTop(whyHead)
	dst.Add(canvas.Text{At: canvas.Point{X: at.X0, Y: at.Y0 + 14}, Text: canvas.Shorten(canvas.Bold, WhySize+3, w.Title(), at.W()), Size: WhySize + 3, Colour: palette.Ink, Face: canvas.Bold})
	if w.Why == "" {
		r = w.rows(dst, r)
	}
	for _, s := range w.Sentences() {
		for _, line := range canvas.Wrap(canvas.Regular, WhySize, s, r.W()) {
			at, r = r.CutTop(whyLine)
			dst.Write(canvas.Point{X: at.X0, Y: at.Y0 + 11}, WhySize, palette.Ink, canvas.Left, line)
		}
	}
	_, r = r.CutTop(6)
	return r
}

// whyCaption returns what the numbers are, in a width.
func whyCaption(width float32) string {
	const whole, short = "to clear each hurdle: mean, 90 %, truth", "mean, 90 %, truth"
	if canvas.Measure(canvas.Regular, WhySize-1, whole) <= width {
		return whole
	}
	return short
}

// rows draws the hurdles for which the item asks, and what comes of all.
func (w Why) rows(dst *canvas.Canvas, r canvas.Rect) canvas.Rect {
	head, r := r.CutTop(whyLine)
	dst.Write(canvas.Point{X: head.X0, Y: head.Y0 + 10}, WhySize-1, palette.Muted, canvas.Left, whyCaption(head.W()-2*whyValue))
	dst.Write(canvas.Point{X: head.X1 - whyValue, Y: head.Y0 + 10}, WhySize-1, palette.Muted, canvas.Right, "mean")
	dst.Write(canvas.Point{X: head.X1, Y: head.Y0 + 10}, WhySize-1, palette.Muted, canvas.Right, "truth")
	for _, h := range w.Asked() {
		var at canvas.Rect
		at, r = r.CutTop(whyRow)
		w.row(dst, at, h.Name, h.Words(), &h)
	}
	dst.Fill(canvas.At(r.X0, r.Y0+1, r.W(), 1), palette.Edge)
	at, r := r.CutTop(whyRow)
	name, rest := w.All()
	w.row(dst, at, name, rest, &score.Cleared{Mean: w.P, Low: w.Low, High: w.High, Truth: w.Truth})
	return r
}

// All returns the name of what comes of all hurdles, and between which probabilities it lies.
func (w Why) All() (name, limits string) {
	l := w.Lapse
	if l == nil {
		return "all of them", ""
	}
	limits = "from " + format.Number(l.Floor, 2) + " to " + format.Number(l.Ceiling, 2)
	if l.Lapses {
		return "all, and a lapse", limits
	}
	return "all, or else chance", limits
}

// Interval draws the central 90 %, the mean and the truth of a hurdle on a line from at(0) to at(1).
func Interval(dst *canvas.Canvas, at func(p float64) canvas.Point, h *score.Cleared) {
	dst.Line(1, palette.Edge, at(0), at(1))
	dst.Line(4, palette.Blue, at(h.Low), at(h.High))
	dst.Disc(at(h.Mean), 4, palette.Blue)
	if h.Truth != nil {
		c := at(*h.Truth)
		dst.Polygon(palette.Truth, c.Add(0, -6), c.Add(5, 0), c.Add(0, 6), c.Add(-5, 0))
		dst.Polygon(palette.White, c.Add(0, -3), c.Add(2.5, 0), c.Add(0, 3), c.Add(-2.5, 0))
	}
}

// row draws a hurdle: its name above what the item asks, its mean in a bar, and the truth as a diamond.
func (w Why) row(dst *canvas.Canvas, r canvas.Rect, name, demand string, h *score.Cleared) {
	text, bar := r.CutLeft((r.W() - 2*whyValue) * 0.58)
	bar = canvas.Rect{X0: bar.X0 + 6, Y0: bar.Y0, X1: bar.X1 - 2*whyValue - 4, Y1: bar.Y1}
	middle := r.Mid().Y
	dst.Add(canvas.Text{At: canvas.Point{X: text.X0, Y: middle - 2}, Text: canvas.Shorten(canvas.Bold, WhySize, name, text.W()), Size: WhySize, Colour: palette.Ink, Face: canvas.Bold})
	dst.Write(canvas.Point{X: text.X0, Y: middle + 10}, WhySize-1, palette.Muted, canvas.Left, canvas.Shorten(canvas.Regular, WhySize-1, demand, text.W()))
	Interval(dst, func(p float64) canvas.Point { return canvas.Point{X: bar.X0 + bar.W()*float32(p), Y: middle} }, h)
	if h.Truth != nil {
		dst.Write(canvas.Point{X: r.X1, Y: middle + 4}, WhySize, palette.Muted, canvas.Right, format.Number(*h.Truth, 2))
	}
	dst.Write(canvas.Point{X: r.X1 - whyValue, Y: middle + 4}, WhySize, palette.Ink, canvas.Right, format.Number(h.Mean, 2))
}
