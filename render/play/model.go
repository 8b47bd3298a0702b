// Package play lets a person take a battery. The person takes the place of a program that acts for a subject
// (docs/reference/protocol.md), sees what such a program is told and nothing else, and answers by keys. A Model is a
// pure function of the lines, keys and time that it is given. It knows nothing of windows.
package play

import (
	"achilles/gridworld"
)

// A phase says what the person can do next.
type phase uint8

const (
	waiting phase = iota // nothing: the next line has not arrived
	ready                // begin the trial
	acting               // answer an observation
	asked                // answer a question
	over                 // look at the end of a trial, and go on
	leaving              // confirm or cancel leaving
	ended                // close: there are no more lines
)

// A Model is the state of the person's side. It is a value: methods return the new state.
type Model struct {
	Rev uint64 // changes whenever the picture may change

	phase phase
	then  phase    // the phase to return to if the person does not leave
	queue [][]byte // lines that are handled when the person goes on

	trials, taken int // numbers of trials: in all, and taken so far
	practice      bool
	inferring     bool
	profile       []Parameter
	world         *gridworld.World
	reset, now    *line // the last line of type reset, and the last observation since then
	question      *line // the last line of type question; nil if the person acts in worlds
	outcome       string
	held          float64 // seconds for which the last observation was shown, if the actor is held
	problem       string
}

// A Reply is the person's reply to a line. The zero Reply means no reply.
type Reply struct {
	Answer []byte // answer to an observation or a question; nil: none
	Leave  bool   // the person leaves
}

// HeldTick is the time in seconds that a tick takes while the actor is held in its place (field Frozen of an
// observation). No action has an effect then, and the model answers by itself.
const HeldTick = 0.22

// Receive takes a line. If the person has something to do first, the line waits in the queue.
func (m Model) Receive(text []byte) Model {
	m.queue = append(m.queue[:len(m.queue):len(m.queue)], text)
	return m.next()
}

// next handles the lines in the queue until the person has something to do.
func (m Model) next() Model {
	for m.phase == waiting && len(m.queue) > 0 {
		l, err := parse(m.queue[0])
		m.queue = m.queue[1:]
		m.Rev++
		if err != nil {
			m.problem = err.Error()
			continue
		}
		m = m.take(l)
	}
	return m
}

func (m Model) take(l *line) Model {
	switch l.Type {
	case "practice":
		m.practice = true
	case "welcome":
		m.trials, m.taken, m.practice = l.Trials, l.Taken, false
	case "inferring":
		m.inferring = true
	case "profile":
		m.profile, m.inferring = l.Rows, false
	case "reset":
		world, err := gridworld.Parse(l.Room)
		if err != nil {
			m.problem = err.Error()
			return m
		}
		m.reset, m.world, m.now, m.outcome = l, world, nil, ""
	case "observation":
		if m.world == nil || !m.world.Inside(l.Position.pos()) {
			m.problem = "an observation outside of every known world"
			return m
		}
		m.phase = acting
		if m.now == nil { // the first observation of a trial: the trial begins when the person is ready
			m.phase = ready
		}
		m.now, m.held = l, 0
	case "question":
		if len(l.Options) == 0 {
			m.problem = "a question without options"
			return m
		}
		m.question, m.phase = l, asked
	case "done":
		m.outcome, m.phase = l.Outcome, over
		if !m.practice {
			m.taken++
		}
	case "end":
		m.phase = ended
	}
	return m
}

// Advance tells the model that some seconds have passed. While the actor is held, Advance answers each observation
// after HeldTick.
func (m Model) Advance(seconds float64) (Model, Reply) {
	if m.phase != acting || !m.now.Frozen {
		return m, Reply{}
	}
	if m.held += seconds; m.held < HeldTick {
		return m, Reply{}
	}
	return m.answer(gridworld.Stay)
}

// Press handles a key. Keys have the names that canvas.Input gives them.
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
	case ready:
		if key == "space" || key == "enter" {
			m.phase = acting
			m.Rev++
		}
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
	case asked:
		if option, ok := m.option(key); ok {
			m.phase = waiting
			m.taken++
			m.Rev++
			return m, Reply{Answer: choose(option)}
		}
	}
	return m, Reply{}
}

func (m Model) answer(a gridworld.Action) (Model, Reply) {
	m.phase = waiting
	return m, Reply{Answer: act(a)}
}

// Waits says whether the model waits for the person to press a key.
func (m Model) Waits() bool {
	switch m.phase {
	case acting:
		return !m.now.Frozen
	case waiting:
		return false
	}
	return true
}

// Holds says whether the actor is held, so that the model answers without a key.
func (m Model) Holds() bool { return m.phase == acting && m.now.Frozen }

// Ended says whether the conversation is over.
func (m Model) Ended() bool { return m.phase == ended }
