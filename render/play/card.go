package play

import (
	"fmt"
	"strings"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// A card is a box with text over the picture. It has a title, a paragraph, a list of keys or the person's profile, and
// a last line that says which key goes on.
type card struct {
	title, text string
	controls    []control
	profile     []Parameter
	foot        string
	settles     bool // whether it is too early for a key
}

// card returns the card of the present phase. ok is false if the phase has none.
func (m Model) card() (c card, ok bool) {
	switch m.phase {
	case ready:
		c = card{title: m.progress(), text: m.reset.Brief + " Watch where the reward goes. At first you can look but not move. Dimmed areas are out of your sight.", controls: m.controls()}
		if m.practice {
			c.text += " This one is for practice and is not scored."
		}
	case over, ended:
		c = card{title: m.message(), profile: m.profile}
		if m.phase == ended && m.profile != nil {
			c.text = profileText
		}
	case leaving:
		c = card{title: "Leave?", text: "Finished items are saved: rerun the command to resume. The item under way starts again."}
	default:
		return c, false
	}
	c.foot = m.guide()
	c.settles = m.time-m.shown < CardTime
	return c, true
}

const profileText = "Your profile, inferred from your responses alone: posterior mean and equal-tailed 90 % interval. Last column: the subject with the nearest mean."

// lines returns the card as lines of text.
func (c card) lines() []string {
	lines := []string{c.title}
	if c.text != "" {
		lines = append(lines, "", c.text)
	}
	for i, k := range c.controls {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("%12s  %s", k.keys, k.does))
	}
	for i, p := range c.profile {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, p.String())
	}
	return append(lines, "")
}

// String describes the parameter in one line.
func (p Parameter) String() string {
	return strings.TrimRight(fmt.Sprintf("%12s  %-18s  %s", p.Name, p.Text, p.likeness()), " ")
}

// likeness names the subject of the scenario whose posterior mean is nearest to the person's.
func (p Parameter) likeness() string {
	if p.Like == "" {
		return ""
	}
	return "like " + p.Like
}

// Sizes in a card in pixels, if the card is not scaled down.
const (
	cardWidth = 620
	cardLine  = 22
	nameWidth = 120
)

// draw draws the card in the middle of the canvas. It is as narrow as the canvas, and scaled down if that does not suffice.
func (c card) draw(dst *canvas.Canvas) {
	width := float32(380)
	switch {
	case c.profile != nil:
		width = cardWidth
	case c.controls != nil:
		width = min(max(width, dst.W-8), cardWidth)
	}
	inside := width - 48
	text := canvas.Wrap(canvas.Regular, 15, c.text, inside)
	if c.text == "" {
		text = nil
	}
	height := float32(92 + cardLine*(len(text)+len(c.controls)+len(c.profile)))
	if len(c.controls)+len(c.profile) > 0 {
		height += 12
	}
	k := min(1, (dst.W-8)/width, (dst.H-8)/height)
	mid := dst.Bounds().Mid()
	r := canvas.At(mid.X-width*k/2, mid.Y-height*k/2, width*k, height*k)
	dst.Fill(canvas.Rect{X0: r.X0 + 4, Y0: r.Y0 + 4, X1: r.X1 + 4, Y1: r.Y1 + 4}, palette.Ink.Fade(0.3))
	dst.Fill(r, palette.Panel)
	dst.Frame(r, 2, palette.Ink)
	write := func(x, y, size float32, colour palette.Colour, align canvas.Align, face canvas.Face, text string) {
		room := (width - 24 - x) * k
		if align == canvas.Centre {
			room = inside * k
		}
		dst.Add(canvas.Text{At: canvas.Point{X: r.X0 + x*k, Y: r.Y0 + y*k}, Text: canvas.Shorten(face, size*k, text, room), Size: size * k, Colour: colour, Align: align, Face: face})
	}
	y := float32(40)
	write(width/2, y, 22, palette.Ink, canvas.Centre, canvas.Bold, c.title)
	y += 8
	for _, t := range text {
		y += cardLine
		write(24, y, 15, palette.Ink, canvas.Left, canvas.Regular, t)
	}
	if len(c.controls)+len(c.profile) > 0 {
		y += 12
	}
	for _, l := range c.controls {
		y += cardLine
		write(24, y, 14, palette.Blue, canvas.Left, canvas.Mono, l.keys)
		write(24+nameWidth, y, 15, palette.Ink, canvas.Left, canvas.Regular, l.does)
	}
	for _, p := range c.profile {
		y += cardLine
		write(24, y, 14, palette.Ink, canvas.Left, canvas.Bold, p.Name)
		p.draw(dst, canvas.Rect{X0: r.X0 + (24+nameWidth)*k, Y0: r.Y0 + (y-14)*k, X1: r.X0 + (width-290)*k, Y1: r.Y0 + (y+4)*k})
		write(width-280, y, 13, palette.Ink, canvas.Left, canvas.Regular, p.Text)
		write(width-160, y, 13, palette.Muted, canvas.Left, canvas.Regular, p.likeness())
	}
	foot := palette.Blue
	if c.settles {
		foot = palette.Greyed
	}
	write(width/2, height-18, 14, foot, canvas.Centre, canvas.Regular, c.foot)
}

// draw draws the person's posterior as a bar and a disc, and the posterior means of other subjects as ticks.
func (p Parameter) draw(dst *canvas.Canvas, r canvas.Rect) {
	at := func(v float64) float32 { return r.X0 + r.W()*float32(min(max(v, 0), 1)) }
	mid := r.Mid().Y
	dst.Line(1, palette.Edge, canvas.Point{X: r.X0, Y: mid}, canvas.Point{X: r.X1, Y: mid})
	for _, v := range p.Others {
		dst.Line(1, palette.Muted, canvas.Point{X: at(v), Y: mid - r.H()*0.3}, canvas.Point{X: at(v), Y: mid + r.H()*0.3})
	}
	dst.Line(3, palette.Blue, canvas.Point{X: at(p.Low), Y: mid}, canvas.Point{X: at(p.High), Y: mid})
	dst.Disc(canvas.Point{X: at(p.Mean), Y: mid}, r.H()*0.3, palette.Blue)
}
