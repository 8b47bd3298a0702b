package format

import (
	"bytes"
	"encoding/json"
	"strconv"

	"achilles/sim/record"
)

// Write returns an episode in the format of the benchmark's files, byte for byte: every frame has the nine keys of
// those files in the same order, and there are no line breaks. It panics unless the video has Trials trials.
func Write(v *record.Video) []byte {
	if len(v.Familiarisation) != Trials-1 {
		panic("format: an episode has nine trials")
	}
	w := &writer{}
	w.text("[")
	for k := range Trials {
		t := &v.Test
		if k < Trials-1 {
			t = &v.Familiarisation[k]
		}
		w.item(k)
		w.trial(t)
	}
	w.text("]")
	return w.Bytes()
}

// A writer writes JSON with a space after every comma and colon.
type writer struct{ bytes.Buffer }

func (w *writer) text(s string) { w.WriteString(s) }

// item writes a comma before item k of a list, except before the first.
func (w *writer) item(k int) {
	if k > 0 {
		w.text(", ")
	}
}

func (w *writer) number(n int16) { w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(n), 10)) }

func (w *writer) pair(x, y int16) {
	w.text("[")
	w.number(x)
	w.text(", ")
	w.number(y)
	w.text("]")
}

// trial writes the frames of a trial. It formats the unchanging parts once and copies them. An agent that is away is an empty list.
func (w *writer) trial(t *record.SceneTrial) {
	var fixed, home writer
	fixed.text(`{"size": `)
	fixed.pair(t.Scene.Width, t.Scene.Height)
	fixed.text(`, "walls": `)
	fixed.rects(t.Scene.Walls)
	home.text(`, "home": `)
	home.shape(&t.Scene.Home)
	w.text("[")
	state := t.Scene.State()
	changes := t.Changes
	agent := t.Scene.Agent
	for i, p := range t.Path {
		for len(changes) > 0 && changes[0].Frame <= i {
			state, changes = changes[0], changes[1:]
		}
		w.item(i)
		w.Write(fixed.Bytes())
		w.text(`, "fuse_walls": `)
		w.rects(state.Barrier)
		w.text(`, "pin": `)
		w.shapes(state.Keys)
		w.text(`, "key": `)
		w.shapes(state.Locks)
		w.text(`, "objects": `)
		w.shapes(state.Objects)
		w.text(`, "blocking": `)
		w.rects(state.Covers)
		w.Write(home.Bytes())
		w.text(`, "agent": `)
		if agent.X, agent.Y = p.X, p.Y; state.Away {
			w.text("[]}")
			continue
		}
		w.shape(&agent)
		w.text("}")
	}
	w.text("]")
}

func (w *writer) rects(list []record.Rect) {
	w.text("[")
	for k, r := range list {
		w.item(k)
		w.text("[")
		w.pair(r.X, r.Y)
		w.text(", ")
		w.pair(r.W, r.H)
		w.text("]")
	}
	w.text("]")
}

func (w *writer) shapes(list []record.Shape) {
	w.text("[")
	for k := range list {
		w.item(k)
		w.shape(&list[k])
	}
	w.text("]")
}

func (w *writer) shape(s *record.Shape) {
	icon, err := json.Marshal(s.Icon)
	if err != nil {
		panic("format: a string cannot be written")
	}
	w.text("[")
	w.pair(s.X, s.Y)
	w.text(", ")
	w.number(s.Half)
	w.text(", ")
	w.Write(icon)
	w.text(", [")
	for k, c := range s.Colour {
		w.item(k)
		w.number(int16(c))
	}
	w.text("]]")
}
