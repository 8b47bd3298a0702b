package picture

import (
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// An entry is one sign of a legend and its text, with a short form of it for narrow pictures; "": the same. The function sign draws the sign
// into a rectangle.
type entry struct {
	text, short string
	sign        func(dst *canvas.Canvas, at canvas.Rect)
}

// A setting is how a legend is set, in pixels.
type setting struct {
	size, pitch float32 // of the text, and from line to line
	sign, gap   float32 // from a sign to its text, and to the next
	short       bool
}

// settingOf returns how a legend is set that is width pixels wide. In a narrow picture it must leave room for the world.
func settingOf(width float32) setting {
	if width < 440 {
		return setting{11, 16, 32, 8, true}
	}
	return setting{12, 20, 32, 18, false}
}

// width returns the width of an entry and the gap after it, in pixels.
func (s *setting) width(e *entry) float32 {
	return s.sign + canvas.Measure(canvas.Regular, s.size, e.text) + s.gap
}

// A line is a row of entries.
type line []entry

// LegendHeight returns the height of the legend, in pixels, if it is width pixels wide.
func (m Moment) LegendHeight(width float32) float32 {
	return 8 + settingOf(width).pitch*float32(len(m.legend(width)))
}

// Legend draws the legend at the bottom of r, and returns the rest of r.
func (m Moment) Legend(dst *canvas.Canvas, r canvas.Rect) (rest canvas.Rect) {
	key, rest := r.CutBottom(m.LegendHeight(r.W()))
	s := settingOf(r.W())
	for i, l := range m.legend(r.W()) {
		l.draw(dst, s, canvas.Point{X: key.X0, Y: key.Y0 + 14 + s.pitch*float32(i)})
	}
	return rest
}

// legend returns the entries for the signs in the picture of the moment, in rows that are at most width pixels wide.
func (m Moment) legend(width float32) (lines []line) {
	room, s := float32(0), settingOf(width)
	for _, e := range m.entries() {
		if s.short && e.short != "" {
			e.text = e.short
		}
		w := s.width(&e)
		if room < w-s.gap {
			lines, room = append(lines, nil), width
		}
		last := &lines[len(lines)-1]
		*last = append(*last, e)
		room -= w
	}
	return lines
}

// draw draws the row. at is the point at its left end, at half its height.
func (l line) draw(dst *canvas.Canvas, s setting, at canvas.Point) {
	for _, e := range l {
		e.sign(dst, canvas.At(at.X, at.Y-7, 26, 14))
		dst.Write(at.Add(s.sign, 4), s.size, palette.Ink, canvas.Left, e.text)
		at.X += s.width(&e)
	}
}

func (m Moment) entries() []entry {
	list := []entry{{"actual path", "", stroke(4, palette.Actual, 0)}}
	if p := m.predicted(); p != nil {
		list = append(list,
			entry{"predicted path (medoid) and its end", "predicted (medoid)", func(dst *canvas.Canvas, at canvas.Rect) {
				stroke(3.5, palette.Predicted, 5)(dst, at)
				end := canvas.Point{X: at.X1 - 2, Y: at.Mid().Y}
				dst.Polygon(palette.Predicted, end.Add(0, -5), end.Add(5, 0), end.Add(0, 5), end.Add(-5, 0))
			}},
			entry{strconv.Itoa(p.Samples) + " sampled paths and where they end", strconv.Itoa(p.Samples) + " sampled", func(dst *canvas.Canvas, at canvas.Rect) {
				stroke(6, palette.Predicted.Fade(0.35), 0)(dst, at)
				dst.Disc(canvas.Point{X: at.X1 - 4, Y: at.Mid().Y}, 6, palette.Predicted.Fade(0.35))
			}},
			entry{"their current positions", "their positions", func(dst *canvas.Canvas, at canvas.Rect) { dst.Disc(at.Mid(), 4, palette.Predicted) }})
	}
	if m.Show[Others] && len(m.Episode.Others) > 0 {
		list = append(list, entry{"other subjects who passed", "others who passed", stroke(2, palette.Success, 0)}, entry{"who did not", "", stroke(2, palette.Warning, 0)})
	}
	if m.Episode.Trajectory != nil {
		list = append(list, m.worldEntries()...)
	}
	if w := m.Episode.Watched; w != nil && m.Show[Goals] && w.Observer != "" {
		list = append(list, entry{"what the observer " + w.Observer + " infers as the goal", "goal by " + w.Observer, func(dst *canvas.Canvas, at canvas.Rect) { dst.Ring(at.Mid(), 6, 3, palette.Belief) }})
		if slices.ContainsFunc(w.Videos, func(v replay.Video) bool { return v.Expected != "" }) {
			list = append(list, entry{"where it expected the actor to go", "expected", func(dst *canvas.Canvas, at canvas.Rect) {
				m := at.Mid()
				dst.Frame(canvas.At(m.X-6, m.Y-6, 12, 12), 1.5, palette.Belief)
			}})
		}
		if slices.ContainsFunc(w.Videos, func(v replay.Video) bool { return len(v.Path) > 0 }) {
			list = append(list, entry{"by which way", "", stroke(2, palette.Belief, 4)})
		}
	}
	return list
}

// worldEntries returns the entries for the signs of a grid world.
func (m Moment) worldEntries() (list []entry) {
	tr := m.Episode.Trajectory
	if m.Show[Sight] {
		list = append(list, entry{"out of sight", "", func(dst *canvas.Canvas, at canvas.Rect) {
			dst.Fill(at, board.Night.Fade(0.2))
			dst.Frame(at, 1, palette.Edge)
		}})
	}
	if m.Show[Belief] && tr.HasBeliefs() {
		list = append(list, entry{"believed position of the reward", "believed position", func(dst *canvas.Canvas, at canvas.Rect) { mark(dst, at.Mid(), 7, false) }})
	}
	if slices.ContainsFunc(tr.Places, func(p gridworld.Pos) bool { return board.Marked(tr.World.At(p)) }) {
		list = append(list, entry{"possible position of the reward", "possible position", func(dst *canvas.Canvas, at canvas.Rect) {
			dst.Ring(at.Mid(), 6, 1.2, palette.Ink.Fade(0.4))
		}})
	}
	return list
}

// stroke returns a function that draws a sample of a line.
func stroke(width float32, c palette.Colour, dash float32) func(*canvas.Canvas, canvas.Rect) {
	return func(dst *canvas.Canvas, at canvas.Rect) {
		m := at.Mid()
		dst.Add(canvas.Polyline{Points: []canvas.Point{{X: at.X0, Y: m.Y}, {X: at.X1, Y: m.Y}}, Width: width, Colour: c, Dash: dash})
	}
}
