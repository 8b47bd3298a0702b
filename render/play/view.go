package play

import (
	"achilles/render/canvas"
)

// A Conn is the person's side of a conversation.
type Conn interface {
	// Lines returns the lines so far, without the first n.
	Lines(n int) [][]byte
	// Reply sends a reply of the person, who has received n lines so far.
	Reply(n int, r Reply) error
}

// A View shows a model in a window. It passes the lines of a conversation to the model, and the model's replies to the
// conversation.
type View struct {
	conn     Conn
	model    Model
	received int // number of lines received
}

// NewView returns a view for the person's side c of a conversation.
func NewView(c Conn) *View { return &View{conn: c, model: Model{Rev: 1}} }

// Update implements canvas.View.
func (v *View) Update(in canvas.Input) (revision uint64, done bool) {
	for _, l := range v.conn.Lines(v.received) {
		v.received++
		v.model = v.model.Receive(l)
	}
	v.reply(v.model.Advance(in.Seconds))
	for _, k := range in.Keys {
		if v.reply(v.model.Press(k)) {
			return v.model.Rev, true
		}
	}
	return v.model.Rev, false
}

func (v *View) reply(m Model, r Reply) (left bool) {
	v.model = m
	if r.Answer != nil || r.Leave {
		_ = v.conn.Reply(v.received, r) // the only error is that the question was already answered
	}
	return r.Leave
}

// Draw implements canvas.View.
func (v *View) Draw(w, h float32) *canvas.Canvas { return v.model.Draw(w, h) }

var _ canvas.View = (*View)(nil)
