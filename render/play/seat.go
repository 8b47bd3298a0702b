// Package play is where a person sits who takes a battery. It is spoken to as any program that acts for a subject is,
// in the lines of docs/reference/protocol.md, so a person sees what a program sees and nothing else; and it answers with what keys
// say. It is a pure function of lines, keys and time, and knows no window.
package play

import (
	"achilles/gridworld"
)

// A phase is how far a trial is.
type phase uint8

const (
	waiting phase = iota // for a line
	acting               // an observation is to be answered
	over                 // a trial is over, and the person has not seen enough of it
	leaving              // the person is asked whether to leave
	ended                // there is nothing more
)

// A Model is all that a seat knows at one moment. It is a value.
type Model struct {
	Rev uint64 // changes when the picture may

	phase phase
	then  phase // to which a person goes back who stays
	queue [][]byte

	trials, taken int // of the session
	room          *gridworld.World
	reset, now    *line
	outcome       string
	waited        float64 // seconds since an observation that answers itself
	trouble       string
}

// A Reply is what a seat says. The zero Reply is silence.
type Reply struct {
	Answer []byte // to the observation; nil: none
	Leave  bool   // the person does not want to go on
}

// HeldTick is how many seconds an actor that is held is shown at one tick. Then the tick answers itself: nothing that
// one could do has an effect.
const HeldTick = 0.22

// Hear takes a line. While the end of a trial is looked at, lines wait.
func (m Model) Hear(text []byte) Model {
	m.queue = append(m.queue[:len(m.queue):len(m.queue)], text)
	return m.next()
}

// next takes the lines that wait, as far as that goes now.
func (m Model) next() Model {
	for m.phase == waiting && len(m.queue) > 0 {
		l, err := parse(m.queue[0])
		m.queue = m.queue[1:]
		m.Rev++
		if err != nil {
			m.trouble = err.Error()
			continue
		}
		m = m.take(l)
	}
	return m
}

func (m Model) take(l *line) Model {
	switch l.Type {
	case "welcome":
		m.trials, m.taken = l.Trials, l.Taken
	case "reset":
		room, err := gridworld.Parse(l.Room)
		if err != nil {
			m.trouble = err.Error()
			return m
		}
		m.reset, m.room, m.now, m.outcome = l, room, nil, ""
	case "observation":
		if m.room == nil || !m.room.Inside(l.Position.pos()) {
			m.trouble = "an observation of no room that is known"
			return m
		}
		m.now, m.phase, m.waited = l, acting, 0
	case "done":
		m.outcome, m.phase = l.Outcome, over
		m.taken++
	case "end":
		m.phase = ended
	}
	return m
}

// Advance lets time go by: an observation of who is held answers itself.
func (m Model) Advance(seconds float64) (Model, Reply) {
	if m.phase != acting || !m.now.Frozen {
		return m, Reply{}
	}
	if m.waited += seconds; m.waited < HeldTick {
		return m, Reply{}
	}
	return m.answer(gridworld.Stay)
}

// Press does what a key means now. Keys are named as package viewer names them.
func (m Model) Press(key string) (Model, Reply) {
	switch m.phase {
	case leaving:
		m.phase = m.then
		m.Rev++
		if key == "y" || key == "Y" || key == "enter" {
			m.phase = ended
			return m, Reply{Leave: true}
		}
		return m.next(), Reply{}
	case ended:
		return m, Reply{Leave: true}
	}
	if key == "escape" {
		m.then, m.phase = m.phase, leaving
		m.Rev++
		return m, Reply{}
	}
	switch m.phase {
	case over:
		if key == "space" || key == "enter" {
			m.phase = waiting
			m.Rev++
			return m.next(), Reply{}
		}
	case acting:
		if a, ok := m.action(key); ok && !m.now.Frozen {
			return m.answer(a)
		}
	}
	return m, Reply{}
}

func (m Model) answer(a gridworld.Action) (Model, Reply) {
	m.phase = waiting
	return m, Reply{Answer: answer(a)}
}

// Waits says whether the seat waits for a key, and for nothing else.
func (m Model) Waits() bool {
	switch m.phase {
	case acting:
		return !m.now.Frozen
	case waiting:
		return false
	}
	return true
}

// Holds says whether the actor is held at this tick, so that time answers.
func (m Model) Holds() bool { return m.phase == acting && m.now.Frozen }

// Ended says whether there is nothing more to do.
func (m Model) Ended() bool { return m.phase == ended }
