package picture

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/infer/voe"
	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
)

// Hypotheses are the probabilities that an observer gives to all its hypotheses about an actor, after each trial: where it goes, which object it
// likes best, and how it goes there (with which rationality).
type Hypotheses struct {
	columns []hypothesesAfter
	groups  []hypothesesOf
}

// A hypothesesAfter is a column: a trial of a video.
type hypothesesAfter struct {
	head         string
	video, trial int
}

// A hypothesesOf is a group of rows.
type hypothesesOf struct {
	title string
	names []string
	p     []map[string]float64 // by column: probability by name
}

// HypothesesOf returns the Hypotheses of an episode that an observer watched. ok is false if it has no beliefs.
func HypothesesOf(e *replay.Episode) (h Hypotheses, ok bool) {
	w := e.Watched
	if w == nil {
		return h, false
	}
	for v := range w.Videos {
		for k := range w.Videos[v].Beliefs {
			switch {
			case k < w.Test() && v == 0:
				h.columns = append(h.columns, hypothesesAfter{strconv.Itoa(k + 1), v, k})
			case k == w.Test():
				h.columns = append(h.columns, hypothesesAfter{w.Videos[v].Title()[:1], v, k})
			}
		}
	}
	for _, g := range []struct {
		title string
		of    func(b *replay.ObserverBelief) []voe.Share
	}{
		{"goal", func(b *replay.ObserverBelief) []voe.Share { return b.Goals }},
		{"likes best", func(b *replay.ObserverBelief) []voe.Share { return b.Preference }},
		{"manner", func(b *replay.ObserverBelief) []voe.Share { return b.Manner }},
	} {
		group := hypothesesOf{title: g.title}
		seen := map[string]bool{}
		for _, c := range h.columns {
			at := map[string]float64{}
			for _, s := range g.of(&w.Videos[c.video].Beliefs[c.trial]) {
				if at[s.Name] += s.P; !seen[s.Name] {
					seen[s.Name] = true
					group.names = append(group.names, s.Name)
				}
			}
			group.p = append(group.p, at)
		}
		if group.names != nil {
			h.groups = append(h.groups, group)
		}
	}
	return h, h.groups != nil
}

// Sizes of hypotheses in pixels.
const (
	hypothesisRow   = 13
	hypothesisName  = 0.36 // of the width, at least
	hypothesisValue = 34
)

// now returns the index of the column of the trial that runs at a tick, that of the first video.
func (h *Hypotheses) now(e *replay.Episode, tick int) int {
	trial, _ := e.Watched.At(0, tick)
	for i, c := range h.columns {
		if c.trial == trial {
			return i
		}
	}
	return 0
}

// beside returns the width of the names: whole ones, as long as two fifths of the width remain to the cells.
func (h *Hypotheses) beside(width float32) float32 {
	most := width * hypothesisName
	for _, g := range h.groups {
		for _, name := range g.names {
			if _, _, thing := strings.Cut(name, "#"); !thing {
				most = max(most, canvas.Measure(canvas.Regular, 11, name)+4)
			}
		}
	}
	return min(most, width*0.6)
}

// Draw draws the hypotheses at the top of r: a row each, a column for each trial, the darker the more probable, with the number after the trial that
// runs at the tick. It returns the rest of r.
func (h *Hypotheses) Draw(dst *canvas.Canvas, r canvas.Rect, e *replay.Episode, tick int) canvas.Rect {
	now := h.now(e, tick)
	beside := h.beside(r.W())
	_, r = r.CutTop(6)
	for _, g := range h.groups {
		head, rest := r.CutTop(hypothesisRow + 3)
		dst.Add(canvas.Text{At: canvas.Point{X: head.X0, Y: head.Y1 - 4}, Text: g.title, Size: 11, Colour: palette.Ink, Face: canvas.Bold})
		_, cells := head.CutLeft(beside)
		_, cells = cells.CutRight(hypothesisValue)
		for i, at := range cells.Columns(len(h.columns), 1) {
			dst.Write(canvas.Point{X: at.Mid().X, Y: at.Y1 - 4}, 10, palette.Muted, canvas.Centre, h.columns[i].head)
		}
		for _, name := range g.names {
			var line canvas.Rect
			line, rest = rest.CutTop(hypothesisRow)
			left, cells := line.CutLeft(beside)
			value, cells := cells.CutRight(hypothesisValue)
			hypothesisLabel(dst, left, name)
			for i, at := range cells.Columns(len(h.columns), 1) {
				at = canvas.Rect{X0: at.X0, Y0: at.Y0 + 0.5, X1: at.X1, Y1: at.Y1 - 0.5}
				p, ok := g.p[i][name]
				if !ok {
					continue
				}
				dst.Fill(at, palette.Edge.Fade(0.5))
				dst.Fill(at, palette.Belief.Fade(p))
				if i == now {
					dst.Frame(at, 1, palette.Ink)
				}
			}
			if p, ok := g.p[now][name]; ok {
				dst.Write(canvas.Point{X: value.X1, Y: value.Y1 - 3}, 11, palette.Ink, canvas.Right, format.Percent(p))
			}
		}
		_, r = rest.CutTop(4)
	}
	for _, line := range canvas.Wrap(canvas.Regular, 11, h.Legend(), r.W()) {
		var at canvas.Rect
		at, r = r.CutTop(15)
		dst.Write(canvas.Point{X: at.X0, Y: at.Y0 + 11}, 11, palette.Muted, canvas.Left, line)
	}
	return r
}

// Legend says what the columns and the shades are.
func (h *Hypotheses) Legend() string {
	tests := "last: after the test"
	if n := len(h.columns); n > 1 && h.columns[n-1].trial == h.columns[n-2].trial {
		tests = fmt.Sprintf("%s and %s: after the two tests", h.columns[n-2].head, h.columns[n-1].head)
	}
	return "Probability of each hypothesis after each trial, the darker the higher; " + tests + "."
}

// hypothesisLabel writes the name of a hypothesis; a thing, by its icon and colour, is drawn.
func hypothesisLabel(dst *canvas.Canvas, r canvas.Rect, name string) {
	icon, colour, ok := strings.Cut(name, "#")
	if c, err := strconv.ParseUint(colour, 16, 24); ok && err == nil {
		outline(icon).draw(dst, canvas.Point{X: r.X0 + 7, Y: r.Mid().Y}, 5, palette.RGB(byte(c>>16), byte(c>>8), byte(c)), 1)
		return
	}
	dst.Write(canvas.Point{X: r.X0, Y: r.Y1 - 3}, 11, palette.Ink, canvas.Left, canvas.Shorten(canvas.Regular, 11, name, r.W()-4))
}

// Words returns the most probable hypothesis of each kind after the trial that runs at a tick.
func (h *Hypotheses) Words(e *replay.Episode, tick int) (out []string) {
	now := h.now(e, tick)
	for _, g := range h.groups {
		best := ""
		for _, name := range g.names {
			if p, ok := g.p[now][name]; ok && (best == "" || p > g.p[now][best]) {
				best = name
			}
		}
		if best != "" {
			out = append(out, fmt.Sprintf("most probable %s: %s, %s", g.title, best, format.Percent(g.p[now][best])))
		}
	}
	return out
}
