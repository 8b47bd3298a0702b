package viewer

import (
	"strconv"
	"strings"

	"achilles/render/replay"
)

// A Verb is something that a viewer can be told to do.
type Verb string

// The verbs. Those with a number take it from Action.N.
const (
	PlayPause   Verb = "play"
	Step        Verb = "step" // N ticks
	Seek        Verb = "seek" // to tick N
	NextEvent   Verb = "next-event"
	PrevEvent   Verb = "previous-event"
	ToStart     Verb = "start"
	ToEnd       Verb = "end"
	Slower      Verb = "slower"
	Faster      Verb = "faster"
	Loop        Verb = "loop"
	Overlay     Verb = "overlay" // N of Show, in its order
	GoRows      Verb = "rows"    // N rows down the list
	GoTo        Verb = "row"     // to row N of the list
	GoPage      Verb = "page"    // N pages down the list
	Search      Verb = "search"
	Filter      Verb = "filter" // opens the menu of field N
	Pick        Verb = "pick"   // entry N of the open menu
	Sort        Verb = "sort"
	ClearAll    Verb = "clear"
	ShowPanel   Verb = "panel" // N
	Wide        Verb = "wide"
	Help        Verb = "help"
	MoveProbe   Verb = "probe" // in direction N: 0 up, 1 right, 2 down, 3 left
	Leave       Verb = "leave" // a menu, the search, the help, the probe
	Quit        Verb = "quit"
	stageArea   Verb = "stage"
	timeline    Verb = "timeline"
	scrollTrack Verb = "scroll"
)

// An Action is a verb with its number. It is written as the id of a hit region: a click on it does the action.
type Action struct {
	Verb Verb
	N    int
}

// String is the id, for instance "row 7".
func (a Action) String() string { return string(a.Verb) + " " + strconv.Itoa(a.N) }

// ParseAction reads an id; ok is false where it is none.
func ParseAction(id string) (a Action, ok bool) {
	verb, number, found := strings.Cut(id, " ")
	n, err := strconv.Atoi(number)
	return Action{Verb(verb), n}, found && err == nil
}

// Do does an action. One that makes no sense now changes nothing.
func (m Model) Do(a Action) Model {
	m.Rev++
	if a.Verb == Overlay && m.absent(a.N) != "" {
		m.told = m.overlayHint(a)
		return m
	}
	if next, ok := m.replay(a); ok {
		return next.tell()
	}
	switch a.Verb {
	case GoRows:
		return m.goTo(m.cursor + a.N)
	case GoTo:
		return m.goTo(a.N)
	case GoPage:
		return m.goTo(m.cursor + a.N*m.page())
	case Search:
		m.focus = OnSearch
	case Filter:
		return m.openMenu(replay.Field(a.N))
	case Pick:
		return m.pick(a.N)
	case Sort:
		c := m.choice
		c.Order = (c.Order + 1) % replay.Orders
		return m.choose(c)
	case ClearAll:
		return m.choose(replay.Choice{Order: m.choice.Order})
	case ShowPanel:
		m.panel = Panel(min(max(a.N, 0), int(Panels)-1))
	case Wide:
		m.wide = !m.wide
	case Help:
		m.focus = OnHelp
	case MoveProbe:
		return m.moveProbe(a.N)
	case Leave:
		return m.leave()
	case Quit:
		m.leaving = true
	}
	return m
}

// replay does what concerns the replay and its overlays.
func (m Model) replay(a Action) (Model, bool) {
	p := m.Play
	switch a.Verb {
	case PlayPause:
		p = p.Toggle()
	case Step:
		p = p.Step(a.N)
	case Seek:
		p = p.Seek(a.N)
	case NextEvent:
		p = p.NextEvent()
	case PrevEvent:
		p = p.PreviousEvent()
	case ToStart:
		p = p.Seek(0)
	case ToEnd:
		p = p.Seek(p.Last)
	case Slower:
		p = p.Slower()
	case Faster:
		p = p.Faster()
	case Loop:
		p.Loop = !p.Loop
	case Overlay:
		m.Show = m.Show.toggle(a.N)
	default:
		return m, false
	}
	m.Play = p
	return m, true
}

func (s Show) toggle(n int) Show {
	switch n {
	case 0:
		s.Sees = !s.Sees
	case 1:
		s.Believes = !s.Believes
	case 2:
		s.Goals = !s.Goals
	case 3:
		s.Predicted = !s.Predicted
	}
	return s
}

func (s Show) on(n int) bool { return [Overlays]bool{s.Sees, s.Believes, s.Goals, s.Predicted}[n] }

// leave leaves what keys go to, or else the probe.
func (m Model) leave() Model {
	switch {
	case m.focus != OnReplay:
		m.focus = OnReplay
	case m.probe:
		m.probe, m.told = false, ""
	}
	return m
}

// goTo goes to a row of the list, or the nearest there is.
func (m Model) goTo(i int) Model {
	m.cursor = min(max(i, 0), len(m.left)-1)
	m.Rev++
	return m.reveal()
}

// reveal scrolls the list so that the chosen row is in it.
func (m Model) reveal() Model {
	n := m.page()
	m.top = min(m.top, max(m.cursor, 0))
	m.top = max(m.top, m.cursor-n+1)
	m.top = max(min(m.top, len(m.left)-n), 0)
	return m
}
