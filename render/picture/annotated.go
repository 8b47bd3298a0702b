package picture

import (
	"fmt"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// leastCurve is the least height, in pixels, of an annotated picture that has room for a curve.
const leastCurve = 360

// Annotated returns a picture of the moment with a title, a legend, a timeline and, if height is at least 360 pixels,
// the first curve of the episode.
func (m Moment) Annotated(width, height float32) *canvas.Canvas {
	dst := canvas.New(width, height)
	r := dst.Bounds().Inset(16)
	m.Tick = min(max(m.Tick, 0), m.Episode.Last)
	head, r := r.CutTop(40)
	m.title(dst, head, fmt.Sprintf("tick %d of %d", m.Tick, m.Episode.Last))
	foot, r := r.CutBottom(66)
	if curves := Curves(m.Episode); curves != nil && height >= leastCurve {
		var at canvas.Rect
		at, r = r.CutBottom(min(height*0.16, 110))
		curves[0].Draw(dst, at, m.Tick)
		_, r = r.CutBottom(8)
	}
	m.Draw(dst, m.Legend(dst, r))
	NewTimeline(foot, m.Episode).Draw(dst, m.Tick)
	return dst
}

// title writes the names of the subject and the item at the left, the text right at the right end of the same line, and
// the subtitle below.
func (m Moment) title(dst *canvas.Canvas, r canvas.Rect, right string) {
	e := m.Episode
	name := e.Item
	if e.Subject != "" {
		name = e.Subject + " on " + e.Item
	}
	room := r.W() - canvas.Measure(canvas.Regular, 14, right) - 20
	dst.Add(canvas.Text{At: canvas.Point{X: r.X0, Y: r.Y0 + 15}, Text: canvas.Shorten(canvas.Bold, 17, name, room), Size: 17, Colour: palette.Ink, Face: canvas.Bold})
	dst.Write(canvas.Point{X: r.X1, Y: r.Y0 + 15}, 14, palette.Muted, canvas.Right, right)
	dst.Write(canvas.Point{X: r.X0, Y: r.Y0 + 33}, 13, palette.Muted, canvas.Left, canvas.Shorten(canvas.Regular, 13, subtitle(e), r.W()))
}

// subtitle returns the line below the title: the kind of episode, its outcome and what was predicted.
func subtitle(e *replay.Episode) string {
	text := e.Suite + " · " + e.Paradigm + " · " + e.Task
	if e.Outcome != replay.OutcomeWatched {
		text += " · " + e.Outcome
	}
	if e.Cause != "" {
		text += " (" + e.Cause + ")"
	}
	if p := e.Predicted; p != nil {
		text += fmt.Sprintf(" · predicted success %.2f · predicted path off by %.1f cells RMSE", p.Success, p.RMSE)
	}
	return text
}

// captioned draws m on a new canvas of the given size, with the caption above it. An empty caption takes no space.
func (m Moment) captioned(width, height float32, caption string) *canvas.Canvas {
	dst := canvas.New(width, height)
	r := dst.Bounds()
	if caption != "" {
		var head canvas.Rect
		head, r = r.CutTop(24)
		dst.Add(canvas.Text{At: canvas.Point{X: head.X0 + 6, Y: head.Y1 - 7}, Text: canvas.Shorten(canvas.Bold, 14, caption, width-12), Size: 14, Colour: palette.Ink, Face: canvas.Bold})
	}
	m.Draw(dst, r.Inset(2))
	return dst
}
