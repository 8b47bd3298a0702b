package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// Poster returns a picture of a moment that explains itself: a title, the moment, what its colours mean, and below it
// the timeline with what happens when and the curve that belongs to it.
func (g *Stage) Poster(width, height float32, tick int, show Show) *canvas.Scene {
	s := canvas.New(width, height)
	r := s.Bounds().Inset(16)
	tick = min(max(tick, 0), g.Episode.Last)
	head, r := r.CutTop(40)
	g.title(s, head, tick)
	foot, r := r.CutBottom(66)
	if curve, ok := g.curve(); ok && height >= 360 {
		var at canvas.Rect
		at, r = r.CutBottom(min(height*0.16, 110))
		curve.draw(s, at, tick, g.Episode.Last)
		_, r = r.CutBottom(8)
	}
	lines := g.legend(r.W(), show)
	key, r := r.CutBottom(8 + 20*float32(len(lines)))
	g.Draw(s, r, tick, show)
	for i, line := range lines {
		line.draw(s, canvas.Point{X: key.X0, Y: key.Y0 + 14 + 20*float32(i)})
	}
	g.timeline(s, foot, tick)
	return s
}

// Moment returns the bare picture of a moment with a line above it, for a film strip.
func (g *Stage) Moment(width, height float32, tick int, show Show, caption string) *canvas.Scene {
	s := canvas.New(width, height)
	r := s.Bounds()
	if caption == "" {
		g.Draw(s, r.Inset(2), tick, show)
		return s
	}
	head, r := r.CutTop(24)
	s.Add(canvas.Text{At: canvas.Point{X: head.X0 + 6, Y: head.Y1 - 7}, Text: canvas.Shorten(canvas.Bold, 14, caption, width-12), Size: 14, Colour: palette.Ink, Face: canvas.Bold})
	g.Draw(s, r.Inset(2), tick, show)
	return s
}

// title says what is shown and what came of it.
func (g *Stage) title(s *canvas.Scene, r canvas.Rect, tick int) {
	e := g.Episode
	name := e.Item
	if e.Subject != "" {
		name = e.Subject + " on " + e.Item
	}
	right := fmt.Sprintf("tick %d of %d", tick, e.Last)
	room := r.W() - canvas.Measure(canvas.Regular, 14, right) - 20
	s.Add(canvas.Text{At: canvas.Point{X: r.X0, Y: r.Y0 + 15}, Text: canvas.Shorten(canvas.Bold, 17, name, room), Size: 17, Colour: palette.Ink, Face: canvas.Bold})
	s.Write(canvas.Point{X: r.X1, Y: r.Y0 + 15}, 14, palette.Muted, canvas.Right, right)
	s.Write(canvas.Point{X: r.X0, Y: r.Y0 + 33}, 13, palette.Muted, canvas.Left, canvas.Shorten(canvas.Regular, 13, g.line(), r.W()))
}

// line is what there is to say below the name.
func (g *Stage) line() string {
	e := g.Episode
	text := e.Suite + " · " + e.Paradigm + " · " + e.Task
	if e.Outcome != replay.Watched {
		text += " · " + e.Outcome
	}
	if e.Cause != "" {
		text += " (" + e.Cause + ")"
	}
	if p := g.Predicted; p != nil {
		text += fmt.Sprintf(" · predicted success %.2f · predicted path off by %.1f cells RMSE", p.Success, p.RMSE)
	}
	return text
}

// An entry is a sign with its meaning.
type entry struct {
	text string
	sign func(s *canvas.Scene, at canvas.Rect)
}

// width is the width of an entry with the gap behind it.
func (e *entry) width() float32 { return 32 + canvas.Measure(canvas.Regular, 12, e.text) + 18 }

// A line is entries side by side.
type line []entry

// legend says what the signs mean that are in the picture, in lines of a width.
func (g *Stage) legend(width float32, show Show) (lines []line) {
	room := float32(0)
	for _, e := range g.entries(show) {
		w := e.width()
		if room < w-18 {
			lines, room = append(lines, nil), width
		}
		last := &lines[len(lines)-1]
		*last = append(*last, e)
		room -= w
	}
	return lines
}

// draw draws the line; at is the left end of its middle.
func (l line) draw(s *canvas.Scene, at canvas.Point) {
	for _, e := range l {
		e.sign(s, canvas.At(at.X, at.Y-7, 26, 14))
		s.Write(at.Add(32, 4), 12, palette.Ink, canvas.Left, e.text)
		at.X += e.width()
	}
}

func (g *Stage) entries(show Show) (list []entry) {
	stroke := func(width float32, c palette.Colour, dash float32) func(*canvas.Scene, canvas.Rect) {
		return func(s *canvas.Scene, at canvas.Rect) {
			m := at.Mid()
			s.Add(canvas.Polyline{Points: []canvas.Point{{X: at.X0, Y: m.Y}, {X: at.X1, Y: m.Y}}, Width: width, Colour: c, Dash: dash})
		}
	}
	list = append(list, entry{"actual path", stroke(4, palette.Actual, 0)})
	if p := g.Predicted; p != nil && show.Predicted {
		list = append(list, entry{"predicted path", stroke(3.5, palette.Predicted, 5)},
			entry{strconv.Itoa(p.Samples) + " sampled paths and where they end", func(s *canvas.Scene, at canvas.Rect) {
				stroke(6, palette.Predicted.Fade(0.35), 0)(s, at)
				s.Disc(canvas.Point{X: at.X1 - 4, Y: at.Mid().Y}, 6, palette.Predicted.Fade(0.35))
			}})
	}
	if g.Episode.Film != nil {
		if show.Sees {
			list = append(list, entry{"out of sight", func(s *canvas.Scene, at canvas.Rect) {
				s.Fill(at, night.Fade(0.2))
				s.Frame(at, 1, palette.Edge)
			}})
		}
		if show.Believes && g.Believes() {
			list = append(list, entry{"where it holds the reward to be", func(s *canvas.Scene, at canvas.Rect) { mark(s, at.Mid(), 7, false) }})
		}
		if slices.ContainsFunc(g.Episode.Film.Places, func(p gridworld.Pos) bool { return marked(g.Episode.Film.World.At(p)) }) {
			list = append(list, entry{"a place it could be", func(s *canvas.Scene, at canvas.Rect) {
				s.Ring(at.Mid(), 6, 1.2, palette.Ink.Fade(0.4))
			}})
		}
	}
	if w := g.Episode.Watch; w != nil && show.Goals && w.Observer != "" {
		list = append(list, entry{"what the observer takes for the goal", func(s *canvas.Scene, at canvas.Rect) { s.Ring(at.Mid(), 6, 3, palette.Belief) }})
	}
	return list
}

// timeline draws the ticks with what happens at them.
func (g *Stage) timeline(s *canvas.Scene, r canvas.Rect, tick int) {
	y := r.Y1 - 20
	at := func(t int) float32 { return r.X0 + r.W()*float32(t)/float32(max(g.Episode.Last, 1)) }
	s.Fill(canvas.Rect{X0: r.X0, Y0: y - 2, X1: r.X1, Y1: y + 2}, palette.Edge)
	s.Fill(canvas.Rect{X0: r.X0, Y0: y - 2, X1: at(tick), Y1: y + 2}, palette.Muted)
	free := [3]float32{r.X0, r.X0, r.X0} // where there is room for the next word, by line
	for _, e := range g.Episode.Events {
		x := at(e.Tick)
		c := palette.Muted
		if e.Tick <= tick {
			c = palette.Ink
		}
		s.Fill(canvas.At(x-1, y-7, 2, 14), c)
		text := Caption(e)
		w := canvas.Measure(canvas.Regular, 12, text)
		left := min(max(x-w/2, r.X0), r.X1-w)
		for k := range free {
			if left >= free[k] {
				line := [3]float32{y - 12, y - 26, y + 19}[k]
				s.Write(canvas.Point{X: left, Y: line}, 12, c, canvas.Left, text)
				free[k] = left + w + 8
				break
			}
		}
	}
	s.Disc(canvas.Point{X: at(tick), Y: y}, 6, palette.White)
	s.Disc(canvas.Point{X: at(tick), Y: y}, 5, palette.Actual)
}

// Caption is an event in words.
func Caption(e replay.Event) string {
	switch {
	case e.Kind == replay.TrialBegins:
		return e.Note
	case e.Note != "":
		return e.Kind.String() + ": " + e.Note
	}
	return e.Kind.String()
}

// A curve is a quantity over the ticks of an episode.
type curve struct {
	title  string
	series []series
}

type series struct {
	name   string
	value  []float64 // by tick; NaN where there is none
	colour palette.Colour
}

// curve is the curve that belongs to the episode: how far the predicted path is from the actual one, or how surprised
// the observer is. It is false where there is neither.
func (g *Stage) curve() (c curve, ok bool) {
	if p := g.Predicted; p != nil {
		return curve{"distance between predicted and actual path, cells", []series{{"", p.Distance, palette.Predicted}}}, true
	}
	w := g.Episode.Watch
	if w == nil {
		return c, false
	}
	c.title = "surprise of the " + w.Observer + " observer, nats"
	for i := range w.Videos {
		if value, known := w.Surprise(i, g.Episode.Last); known {
			v := &w.Videos[i]
			colour := palette.Expected
			if i == 1 {
				colour = palette.Unexpected
			}
			c.series = append(c.series, series{v.Title(), value, colour})
		}
	}
	return c, len(c.series) > 0
}

// draw draws the curve over the ticks 0 … last, with a line at the one that is shown.
func (c *curve) draw(s *canvas.Scene, r canvas.Rect, tick, last int) {
	head, body := r.CutTop(18)
	s.Write(canvas.Point{X: head.X0, Y: head.Y0 + 12}, 12, palette.Muted, canvas.Left, c.title)
	top := 0.0
	for _, x := range c.series {
		for _, v := range x.value {
			if !math.IsNaN(v) {
				top = max(top, v)
			}
		}
	}
	top = ceiling(top)
	s.Fill(body, palette.Panel)
	s.Frame(body, 1, palette.Edge)
	s.Write(canvas.Point{X: body.X0 + 4, Y: body.Y0 + 12}, 11, palette.Muted, canvas.Left, strconv.FormatFloat(top, 'g', 3, 64))
	s.Write(canvas.Point{X: body.X0 + 4, Y: body.Y1 - 4}, 11, palette.Muted, canvas.Left, "0")
	at := func(t int, v float64) canvas.Point {
		return canvas.Point{X: body.X0 + body.W()*float32(t)/float32(max(last, 1)), Y: body.Y1 - 2 - (body.H()-6)*float32(v/top)}
	}
	s.Fill(canvas.At(snap(at(tick, 0).X), body.Y0, 1, body.H()), palette.Ink.Fade(0.5))
	right := body.X1 - 6
	for i := len(c.series) - 1; i >= 0; i-- {
		x := &c.series[i]
		s.Clipped(body, func() { x.draw(s, at) })
		if x.name != "" {
			s.Add(canvas.Text{At: canvas.Point{X: right, Y: head.Y0 + 12}, Text: x.name, Size: 12, Colour: x.colour, Align: canvas.Right, Face: canvas.Bold})
			right -= canvas.Measure(canvas.Bold, 12, x.name) + 12
		}
	}
}

// draw draws the stretches of the series that have values.
func (x *series) draw(s *canvas.Scene, at func(t int, v float64) canvas.Point) {
	var line []canvas.Point
	for t := 0; t <= len(x.value); t++ {
		if t < len(x.value) && !math.IsNaN(x.value[t]) {
			line = append(line, at(t, x.value[t]))
			continue
		}
		if len(line) > 1 {
			s.Line(2, x.colour, line...)
		}
		line = nil
	}
}

// ceiling is the next of 1, 2, 5, 10, 20 … that is not below x.
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
