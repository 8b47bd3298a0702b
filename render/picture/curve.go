package picture

import (
	"math"
	"strconv"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
)

// A Curve shows a quantity by tick: the distance between the predicted and the actual path, the predicted probability
// of success, or the observer's surprise at each video.
type Curve struct {
	titles []string // the same title in several lengths, from long to short; the first one that fits is written
	series []series
	last   int     // the last tick
	top    float64 // the axis extends at least to this value; 0: only as far as the values need
}

// A series is one line of a curve.
type series struct {
	name   string
	value  []float64 // value by tick; NaN if the tick has none
	colour palette.Colour
}

// Curves returns the curves of an episode, the most important first. It returns nil if the episode has neither a
// prediction nor an observer's surprise.
func Curves(e *replay.Episode) []Curve {
	if p := e.Predicted; p != nil {
		return []Curve{
			{last: e.Last, titles: []string{"distance between predicted and actual path, cells", "predicted to actual path, cells"}, series: []series{{"", p.Distance, palette.Predicted}}},
			{last: e.Last, titles: []string{"p(success) of the sampled paths that went as it did so far", "p(success), matching paths so far", "p(success)"}, top: 1, series: []series{{"", p.Chance, palette.Success}}},
		}
	}
	w := e.Watched
	if w == nil {
		return nil
	}
	name, unit := w.Shift()
	c := Curve{last: e.Last, top: leastSurprise, titles: []string{name + " of the observer " + w.Observer + ", " + unit, name + ", " + unit, name}}
	for i := range w.Videos {
		if value, known := w.Surprise(i, e.Last); known {
			colour := palette.Expected
			if i == 1 {
				colour = palette.Unexpected
			}
			c.series = append(c.series, series{w.Videos[i].Title(), value, colour})
		}
	}
	if c.series == nil {
		return nil
	}
	return []Curve{c}
}

// leastSurprise is the least height of the axis of surprises: differences below it, such as those of rounding, are not enlarged.
const leastSurprise = 0.01

// Draw draws the curve into r, with a vertical line at a tick.
func (c *Curve) Draw(dst *canvas.Canvas, r canvas.Rect, tick int) {
	head, body := r.CutTop(18)
	room := c.names(dst, head)
	dst.Write(canvas.Point{X: head.X0, Y: head.Y0 + 12}, 12, palette.Muted, canvas.Left, fitting(canvas.Regular, 12, c.titles, room))
	top := c.top
	for _, x := range c.series {
		for _, v := range x.value {
			if v > top { // false for NaN
				top = v
			}
		}
	}
	top = ceiling(top)
	below, body := body.CutBottom(14) // labels stand beside the lines, never on them
	beside, body := body.CutLeft(4 + max(canvas.Measure(canvas.Regular, 11, format.Short(top)), canvas.Measure(canvas.Regular, 11, "0")))
	dst.Fill(body, palette.Panel)
	dst.Frame(body, 1, palette.Edge)
	dst.Write(canvas.Point{X: beside.X1 - 4, Y: body.Y0 + 9}, 11, palette.Muted, canvas.Right, format.Short(top))
	dst.Write(canvas.Point{X: beside.X1 - 4, Y: body.Y1}, 11, palette.Muted, canvas.Right, "0")
	dst.Write(canvas.Point{X: body.X0, Y: below.Y1 - 2}, 11, palette.Muted, canvas.Left, "0")
	dst.Write(canvas.Point{X: body.X1, Y: below.Y1 - 2}, 11, palette.Muted, canvas.Right, "tick "+strconv.Itoa(c.last))
	at := func(t int, v float64) canvas.Point {
		return canvas.Point{X: body.X0 + body.W()*float32(t)/float32(max(c.last, 1)), Y: body.Y1 - 2 - (body.H()-6)*float32(v/top)}
	}
	dst.Fill(canvas.At(snap(at(tick, 0).X), body.Y0, 1, body.H()), palette.Ink.Fade(0.5))
	for i := len(c.series) - 1; i >= 0; i-- {
		dst.Clipped(body, func() { c.series[i].draw(dst, at) })
	}
}

// names writes the names of the series from the right, and returns the width that remains to the left of them.
func (c *Curve) names(dst *canvas.Canvas, head canvas.Rect) float32 {
	right := head.X1 - 6
	for i := len(c.series) - 1; i >= 0; i-- {
		if x := &c.series[i]; x.name != "" {
			dst.Add(canvas.Text{At: canvas.Point{X: right, Y: head.Y0 + 12}, Text: x.name, Size: 12, Colour: x.colour, Align: canvas.Right, Face: canvas.Bold})
			right -= canvas.Measure(canvas.Bold, 12, x.name) + 12
		}
	}
	return right - head.X0
}

// draw draws the series. Its line is interrupted where the value is NaN.
func (x *series) draw(dst *canvas.Canvas, at func(t int, v float64) canvas.Point) {
	var line []canvas.Point
	for t := 0; t <= len(x.value); t++ {
		if t < len(x.value) && !math.IsNaN(x.value[t]) {
			line = append(line, at(t, x.value[t]))
			continue
		}
		if len(line) > 1 {
			dst.Line(2, x.colour, line...)
		}
		line = nil
	}
}

// ceiling returns the least number of the form 1, 2 or 5 times a power of ten that is at least x. It returns 1 if x is
// not positive.
func ceiling(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= x {
			return k * unit
		}
	}
	return 10 * unit
}

// fitting returns the first text that is at most width pixels wide. If none is, it returns the last one, shortened.
func fitting(face canvas.Face, size float32, texts []string, width float32) string {
	for _, t := range texts {
		if canvas.Measure(face, size, t) <= width {
			return t
		}
	}
	return canvas.Shorten(face, size, texts[len(texts)-1], width)
}
