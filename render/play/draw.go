package play

import (
	"fmt"
	"strings"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// Heights of the bars above and below the world, and of each further line in them, in pixels.
const (
	barHeight  = 40
	lineHeight = 22
)

// Draw returns a picture of the model with w × h pixels.
func (m Model) Draw(w, h float32) *canvas.Canvas {
	dst := canvas.New(w, h)
	dst.Fill(dst.Bounds(), palette.Paper)
	said, colour := m.message(), palette.White
	if m.notice != "" {
		said, colour = m.notice, palette.Yellow
	}
	side := max(canvas.Measure(canvas.Bold, 15, m.progress()), canvas.Measure(canvas.Regular, 15, m.clock())) + 32
	var lines []string // of the message, where it has no room between progress and clock
	rows := 0          // the same for all that is said in a trial, so that the world stays in its place
	if max(canvas.Measure(canvas.Regular, 15, m.message()), canvas.Measure(canvas.Regular, 15, blocked)) > w-2*side {
		lines = wrapped(said, " ", w-32)
		rows = max(len(lines), len(wrapped(m.message(), " ", w-32)))
	}
	keys := wrapped(m.guide(), "    ", w-16)
	head, rest := dst.Bounds().CutTop(barHeight + lineHeight*float32(rows))
	foot, rest := rest.CutBottom(barHeight + lineHeight*float32(len(keys)-1))
	dst.Fill(head, palette.Ink)
	line := func(y, x, room float32, c palette.Colour, align canvas.Align, face canvas.Face, text string) {
		dst.Add(canvas.Text{At: canvas.Point{X: x, Y: y}, Text: canvas.Shorten(face, 15, text, room), Size: 15, Colour: c, Align: align, Face: face})
	}
	const base = barHeight/2 + 5 // of the text in a bar
	line(head.Y0+base, 16, w/2, palette.White, canvas.Left, canvas.Bold, m.progress())
	line(head.Y0+base, head.X1-16, w/2, palette.White, canvas.Right, canvas.Regular, m.clock())
	if lines == nil {
		line(head.Y0+base, head.Mid().X, w-2*side, colour, canvas.Centre, canvas.Regular, said)
	}
	for i, text := range lines {
		line(head.Y0+base+lineHeight*float32(i+1), head.Mid().X, w-32, colour, canvas.Centre, canvas.Regular, text)
	}
	for i, text := range keys {
		line(foot.Y0+base+lineHeight*float32(i), foot.Mid().X, w-16, palette.Ink, canvas.Centre, canvas.Regular, text)
	}
	if m.world != nil && m.now != nil && !m.veiled() {
		m.drawWorld(dst, rest.Inset(10))
	}
	if m.asks() {
		m.drawQuestion(dst, rest.Inset(10))
	}
	if c, ok := m.card(); ok {
		c.draw(dst)
	}
	return dst
}

// wrapped breaks a text, whose parts are joined by sep, into lines of at most width pixels.
func wrapped(text, sep string, width float32) []string {
	lines := []string{""}
	for _, part := range strings.Split(text, sep) {
		last := &lines[len(lines)-1]
		switch longer := *last + sep + part; {
		case *last == "":
			*last = part
		case canvas.Measure(canvas.Regular, 15, longer) <= width:
			*last = longer
		default:
			lines = append(lines, part)
		}
	}
	return lines
}

// drawQuestion draws the question, and below it the options in as many rows as needed.
func (m Model) drawQuestion(dst *canvas.Canvas, r canvas.Rect) {
	upper, lower := r.CutTop((r.Y1 - r.Y0) / 2)
	dst.Add(canvas.Text{At: canvas.Point{X: upper.Mid().X, Y: upper.Mid().Y}, Text: m.question.asked(), Size: 40, Colour: palette.Ink, Align: canvas.Centre, Face: canvas.Bold})
	const high, gap = 44, 10
	wide := float32(high)
	for _, c := range m.question.choices() {
		wide = max(wide, float32(len([]rune(c)))*12+24)
	}
	list := m.question.choices()
	each := max(1, int((r.X1-r.X0)/(wide+gap)))
	for at := 0; at < len(list); at += each {
		row := list[at:min(at+each, len(list))]
		x := r.Mid().X - (float32(len(row))*(wide+gap)-gap)/2
		y := lower.Y0 + float32(at/each)*(high+gap)
		for _, text := range row {
			box := canvas.At(x, y, wide, high)
			dst.Fill(box, palette.Panel)
			dst.Frame(box, 1, palette.Muted)
			dst.Add(canvas.Text{At: canvas.Point{X: box.Mid().X, Y: box.Mid().Y + 7}, Text: text, Size: 20, Colour: palette.Ink, Align: canvas.Centre, Face: canvas.Regular})
			x += wide + gap
		}
	}
}

// veiled says whether the world is hidden, which it is until the person is ready.
func (m Model) veiled() bool { return m.phase == ready || m.phase == leaving && m.then == ready }

func (m Model) progress() string {
	if m.practice {
		return "practice"
	}
	if m.trials == 0 {
		return "Achilles"
	}
	if n := m.taken + 1; m.phase != over && m.phase != ended {
		return fmt.Sprintf("item %d of %d", min(n, m.trials), m.trials)
	}
	return fmt.Sprintf("%d of %d done", m.taken, m.trials)
}

func (t trial) clock() string {
	if t.now == nil || t.reset == nil || t.reset.Limit == 0 {
		return ""
	}
	if n := t.reset.Limit - t.now.Tick; n != 1 {
		return fmt.Sprintf("%d ticks left", max(n, 0))
	}
	return "1 tick left"
}

// drawWorld draws the world as far as the last observation shows it.
func (t trial) drawWorld(dst *canvas.Canvas, r canvas.Rect) {
	var places []gridworld.Pos
	for _, p := range t.reset.Places {
		places = append(places, p.pos())
	}
	dst.Clipped(r, func() { board.Draw(dst, r, t.world, places, t.state()).Shown() })
}

// state returns the last observation as a state of the world. It computes the cells in sight from the map and the
// person's position.
func (t trial) state() board.State {
	s := board.State{Actor: t.actor(), Dark: t.now.Dark, Frozen: t.now.Frozen}
	for _, t := range t.now.Things {
		s.Things = append(s.Things, t.thing())
		s.InSight = append(s.InSight, true)
	}
	if t.now.Carrying {
		s.Things = append(s.Things, gridworld.Thing{Kind: gridworld.Key, State: gridworld.Carried, Pos: s.Actor.Pos, Size: 100})
		s.InSight = append(s.InSight, true)
	}
	if !t.now.Dark {
		w := t.world.Clone()
		w.SetActor(s.Actor.Pos, s.Actor.Heading)
		var v gridworld.View
		w.View(gridworld.Viewer{Watch: gridworld.Everywhere()}, &v)
		s.Seen = v.Seen
	}
	return s
}

// actor returns the person's position and heading.
func (t trial) actor() gridworld.Actor {
	a := gridworld.Actor{Pos: t.now.Position.pos()}
	for d := range gridworld.Dir(gridworld.Directions) {
		if d.String() == t.now.Heading {
			a.Heading = d
		}
	}
	return a
}

func (t *thing) thing() gridworld.Thing {
	out := gridworld.Thing{Pos: t.Position.pos(), Size: int(t.Size*100 + 0.5)}
	for k := range gridworld.ThingKind(3) {
		if k.String() == t.Kind {
			out.Kind = k
		}
	}
	if t.Air {
		out.State = gridworld.Air
	}
	if len(t.Colour) == 3 {
		out.Colour = gridworld.RGB(t.Colour[0], t.Colour[1], t.Colour[2])
	}
	return out
}
