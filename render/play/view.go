package play

import (
	"achilles/render/canvas"
)

// A Conn is the person's end of a conversation.
type Conn interface {
	// Lines returns the lines after the first n that have come so far.
	Lines(n int) [][]byte
	// Reply passes on a reply of the person, who has received n lines.
	Reply(n int, r Reply) error
}

// A View shows a model in a window, receives lines for it and passes on its replies.
type View struct {
	conn     Conn
	model    Model
	received int // lines
}

// NewView returns a view for the person at an end of a conversation.
func NewView(c Conn) *View { return &View{conn: c, model: Model{Rev: 1}} }

// Update implements canvas.View.
func (v *View) Update(in canvas.Input) (revision uint64, done bool) {
	for _, l := range v.conn.Lines(v.received) {
		v.received++
		v.model = v.model.Receive(l)
	}
	for _, k := range in.Keys {
		if v.reply(v.model.Press(k)) {
			return v.model.Rev, true
		}
	}
	v.reply(v.model.Advance(in.Seconds))
	return v.model.Rev, false
}

func (v *View) reply(m Model, r Reply) (left bool) {
	v.model = m
	if r.Answer != nil || r.Leave {
		_ = v.conn.Reply(v.received, r) // an error says that the question was answered already
	}
	return r.Leave
}

// Draw implements canvas.View.
func (v *View) Draw(w, h float32) *canvas.Canvas { return v.model.Draw(w, h) }

var _ canvas.View = (*View)(nil)
