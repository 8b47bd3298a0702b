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
	trial
	question *line // the last line of type question; nil if the person acts in worlds
	outcome  string
	held     float64 // seconds for which the last observation was shown, if the actor is held
	problem  string

	time   float64          // seconds since the conversation began
	shown  float64          // time at which the present phase began
	last   string           // the last key
	lastAt float64          // time of the last key
	tried  gridworld.Action // the last action, which the next observation answers
	notice string           // one line about the last key: that it does nothing here, or that the way is blocked
}

// A trial is what the person knows of a trial in a world.
type trial struct {
	world      *gridworld.World
	reset, now *line // the last line of type reset, and the last observation since then
}

// A Reply is the person's reply to a line. The zero Reply means no reply.
type Reply struct {
	Answer []byte // answer to an observation or a question; nil: none
	Leave  bool   // the person leaves
}

// HeldTick is the time in seconds that a tick takes while the actor is held in its place (field Frozen of an
// observation). No action has an effect then, and the model answers by itself.
const HeldTick = 0.22

// Before a card goes, it has been shown for CardTime seconds. A key that comes again within heldTime seconds is held:
// terminals and windows repeat such a key after at most 0.66 s, and then many times a second.
const (
	CardTime = 0.6
	heldTime = 0.75
)

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
		m.notice = ""
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
		if m.now == nil { // the first observation of a trial: the trial begins when the person is ready
			m = m.enter(ready)
		} else {
			m = m.enter(acting)
			if !l.Frozen {
				m.notice = ""
			}
			if moves(m.tried) && !l.Trapped && m.now.Position == l.Position {
				m.notice = blocked
			}
		}
		m.now, m.held = l, 0
	case "question":
		if len(l.Options) == 0 {
			m.problem = "a question without options"
			return m
		}
		m.question = l
		m = m.enter(asked)
	case "done":
		m.outcome, m.notice = l.Outcome, ""
		m = m.enter(over)
		if !m.practice {
			m.taken++
		}
	case "end":
		m = m.enter(ended)
	}
	return m
}

// blocked is said after a step that changed nothing.
const blocked = "You cannot go there: something is in the way."

// enter returns the model in another phase, which begins now.
func (m Model) enter(p phase) Model {
	m.phase, m.shown = p, m.time
	return m
}

// Advance tells the model that some seconds have passed. While the actor is held, Advance answers each observation
// after HeldTick.
func (m Model) Advance(seconds float64) (Model, Reply) {
	settling := m.Settles()
	m.time += seconds
	if settling && !m.Settles() {
		m.Rev++
	}
	if !m.Holds() {
		return m, Reply{}
	}
	if m.held += seconds; m.held < HeldTick {
		return m, Reply{}
	}
	return m.answer(gridworld.Stay)
}

// Press handles a key. Keys have the names that canvas.Input gives them. A key that is held changes no phase: what comes up
// while a key is down is seen before it goes.
func (m Model) Press(key string) (Model, Reply) {
	held := key == m.last && m.time-m.lastAt < heldTime
	m.last, m.lastAt = key, m.time
	if m.notice != "" {
		m.notice = ""
		m.Rev++
	}
	switch m.phase {
	case waiting:
		if key != "escape" {
			return m, Reply{}
		}
	case acting:
		if a, ok := m.action(key); ok && !m.now.Frozen {
			return m.answer(a)
		}
	}
	if held {
		return m, Reply{}
	}
	m.Rev++
	if key == "escape" && m.phase != leaving && m.phase != ended {
		m.then = m.phase
		return m.enter(leaving), Reply{}
	}
	if m.phase == asked {
		if option, ok := m.question.option(key); ok {
			m.phase = waiting
			m.taken++
			return m, Reply{Answer: choose(option)}
		}
	} else if m.phase != acting && !m.Settles() {
		switch {
		case m.phase == leaving && (key == "y" || key == "Y"):
			return m.enter(ended), Reply{Leave: true}
		case key == "enter":
			return m.confirm()
		}
	}
	m.notice = m.wrong(key)
	return m, Reply{}
}

// confirm handles the key that goes on after a card.
func (m Model) confirm() (Model, Reply) {
	switch m.phase {
	case ended:
		return m, Reply{Leave: true}
	case leaving:
		return m.enter(m.then).next(), Reply{}
	case ready:
		return m.enter(acting), Reply{}
	}
	return m.enter(waiting).next(), Reply{}
}

// wrong returns one line about a key that does nothing now.
func (m Model) wrong(key string) string {
	switch {
	case m.Settles():
		return "Please read first."
	case m.phase == acting && m.now.Frozen:
		return "You are held: watch."
	case m.phase == asked:
		return key + " is not one of the answers."
	}
	return key + " does nothing here."
}

func (m Model) answer(a gridworld.Action) (Model, Reply) {
	m.tried = a
	m.phase = waiting
	return m, Reply{Answer: act(a)}
}

// Settles says whether a card has been shown for less than CardTime seconds, so that no key sends it away.
func (m Model) Settles() bool {
	c, ok := m.card()
	return ok && c.settles
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
