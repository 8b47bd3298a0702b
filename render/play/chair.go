package play

import (
	"achilles/render/canvas"
)

// Lines is where a seat's lines come from, and where its answers go.
type Lines interface {
	// Lines returns the lines after the first n, as far as they have come.
	Lines(n int) [][]byte
	// Say passes on what the seat says, which has heard n lines.
	Say(n int, r Reply)
}

// A Chair is a seat in a window: a view that hears lines and says what keys say.
type Chair struct {
	lines Lines
	model Model
	heard int
}

// NewChair returns a seat for whoever is at those lines.
func NewChair(l Lines) *Chair { return &Chair{lines: l, model: Model{Rev: 1}} }

// Update implements view.View.
func (c *Chair) Update(in canvas.Input) (revision uint64, done bool) {
	for _, l := range c.lines.Lines(c.heard) {
		c.heard++
		c.model = c.model.Hear(l)
	}
	for _, k := range in.Keys {
		if c.say(c.model.Press(k)) {
			return c.model.Rev, true
		}
	}
	c.say(c.model.Advance(in.Seconds))
	return c.model.Rev, false
}

func (c *Chair) say(m Model, r Reply) (left bool) {
	c.model = m
	if r.Answer != nil || r.Leave {
		c.lines.Say(c.heard, r)
	}
	return r.Leave
}

// Draw implements view.View.
func (c *Chair) Draw(w, h float32) *canvas.Scene { return c.model.Draw(w, h) }

// Local are the lines of a relay in the same process.
type Local struct{ *Relay }

// Say implements Lines. An answer that comes too late is nobody's loss.
func (l Local) Say(n int, r Reply) {
	if r.Leave {
		l.Leave()
		return
	}
	_ = l.Answer(n, r.Answer) // the question is no longer open: there was another answer
}

var _ canvas.View = (*Chair)(nil)
var _ Lines = Local{}
