package picture

import (
	"math"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// A Timeline shows the ticks of an episode as a line, with its events.
type Timeline struct {
	episode *replay.Episode
	x0, x1  float32 // x coordinates of the first and the last tick
	y       float32
	lines   []float32 // y coordinates of the lines of captions; a caption is written on the first one with room for it
}

// NewTimeline places a timeline in r, which should be at least 50 pixels high. If r is at least 56 pixels high, the
// timeline has three lines of captions, otherwise two.
func NewTimeline(r canvas.Rect, e *replay.Episode) Timeline {
	t := Timeline{episode: e, x0: r.X0, x1: r.X1, y: r.Y1 - 20}
	t.lines = []float32{t.y - 12, t.y + 19}
	if r.H() >= 56 {
		t.lines = []float32{t.y - 12, t.y - 26, t.y + 19}
	}
	return t
}

// x returns the x coordinate of a tick.
func (t Timeline) x(tick int) float32 {
	return t.x0 + (t.x1-t.x0)*float32(tick)/float32(max(t.episode.Last, 1))
}

// Tick returns the tick nearest to an x coordinate.
func (t Timeline) Tick(x float32) int {
	share := float64((x - t.x0) / (t.x1 - t.x0))
	return int(math.Round(min(max(share, 0), 1) * float64(t.episode.Last)))
}

// Draw draws the timeline with a marker at a tick. A caption that fits in no line is left out.
func (t Timeline) Draw(dst *canvas.Canvas, tick int) {
	dst.Fill(canvas.Rect{X0: t.x0, Y0: t.y - 2, X1: t.x1, Y1: t.y + 2}, palette.Edge)
	dst.Fill(canvas.Rect{X0: t.x0, Y0: t.y - 2, X1: t.x(tick), Y1: t.y + 2}, palette.Muted)
	free := make([]float32, len(t.lines)) // by line of captions: x coordinate from which on the line is empty
	for k := range free {
		free[k] = t.x0
	}
	for _, e := range t.episode.Events {
		x := t.x(e.Tick)
		c := palette.Muted
		if e.Tick <= tick {
			c = palette.Ink
		}
		dst.Fill(canvas.At(x-1, t.y-7, 2, 14), c)
		text := e.Caption()
		w := canvas.Measure(canvas.Regular, 12, text)
		left := min(max(x-w/2, t.x0), t.x1-w)
		for k := range free {
			if left >= free[k] {
				dst.Write(canvas.Point{X: left, Y: t.lines[k]}, 12, c, canvas.Left, text)
				free[k] = left + w + 8
				break
			}
		}
	}
	dst.Disc(canvas.Point{X: t.x(tick), Y: t.y}, 6, palette.White)
	dst.Disc(canvas.Point{X: t.x(tick), Y: t.y}, 5, palette.Actual)
}
