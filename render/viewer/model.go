// Package viewer is the viewer of a results directory, without its window. The picture is a pure function of a model
// and a size, and a key or a click changes the model by a pure function. The viewer is therefore the same in a window,
// in a browser and in a test.
package viewer

import (
	"slices"

	"achilles/gridworld"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/scenarios/score"
)

// A focus is the part of the viewer that gets keys.
type focus uint8

const (
	onReplay focus = iota
	onSearch
	onMenu
	onHelp
)

// A panel is one of the possible contents of the right column.
type panel uint8

const (
	episodePanel panel = iota
	profilePanel
	batteryPanel
	panels // number of panels
)

// String returns the title of the panel.
func (p panel) String() string { return [panels]string{"Episode", "Profile", "Battery"}[p] }

// A model is the whole state of the viewer. It is a value: methods return the new state. The new state shares slices
// with the old one, and methods never write to these.
type model struct {
	Rev uint64 // changes whenever the picture may change

	library *library
	stage
	window
	selection

	focus focus
	menu  menu
	panel panel

	scrolledBy float32 // number of pixels by which the contents of the panel are scrolled
	probe      bool    // whether the probe is shown: the viewer describes the field cell as if the pointer were there
	cell       gridworld.Pos

	over        string // id of the hit region under the pointer; empty: none
	description string // description of what is under the pointer in the picture, or at the probe
	dragged     string // id of the hit region in which the pointer's button was pressed
	px, py      float32
	down        bool

	observer int // index into library.observers of the chosen observer

	scores *score.Scores // grades; nil before Tabulate is called, and if there are none
	tabled bool          // whether scores were read

	overview *overview // nil before Browse is called; without headline and recovery before Tabulate is
	marked   int       // cell of the overview that enter chooses

	leaving bool // whether the window should close
}

// newModel returns the model of a library. No episode is open.
func newModel(l *library) model {
	m := model{Rev: 1, library: l, observer: max(slices.Index(l.observers, l.observer), 0)}
	m.stage = stage{row: -1, Show: picture.All()}
	m.window = window{width: 1280, height: 720}
	return m.choose(replay.Query{})
}

// Browse returns the model of another library, in the same window.
func (m model) Browse(l *library) model {
	n := newModel(l)
	n.width, n.height, n.zoom, n.Rev = m.width, m.height, m.zoom, m.Rev+1
	n.overview = newOverview(l.list, nil)
	n.marked = len(n.overview.paradigms) // the worst subject, over all paradigms
	return n.reveal()
}

// Fail shows an error instead of an episode.
func (m model) Fail(err error) model {
	m.problem = err.Error()
	m.Rev++
	return m
}

// Resize sets the size of the picture in pixels.
func (m model) Resize(width, height float32) model {
	if width == m.width && height == m.height {
		return m
	}
	m.width, m.height = width, height
	m.Rev++
	return m.reveal()
}

// choose selects rows by a query. If the query selects the row at the cursor, the cursor stays there; otherwise it
// moves to the first row.
func (m model) choose(q replay.Query) model {
	m.selection = m.by(q, m.library.list)
	if len(m.rows) == 0 {
		m.row, m.episode = -1, nil
	}
	m.Rev++
	return m.reveal()
}

// reveal scrolls the list so that the row at the cursor is visible.
func (m model) reveal() model {
	m.selection = m.selection.reveal(m.page(m.library))
	return m
}

// GoToRow moves the cursor to a row of the list, if the query selects it.
func (m model) GoToRow(row int32) model {
	if i := slices.Index(m.rows, row); i >= 0 {
		return m.do(action{goTo, i})
	}
	return m
}

// Wants returns the row of the episode that should be opened and passed to Present. ok is false if no episode is
// selected, or if the selected one is shown already.
func (m model) Wants() (row int32, ok bool) {
	row = m.Row()
	return row, row >= 0 && row != m.row
}

// WantsScores says whether the grades should be read and passed to Tabulate.
func (m model) WantsScores() bool { return !m.tabled && !m.library.reading }

// Present shows the episode of a row, or the error that occurred when it was opened. It ignores an episode that is no
// longer selected.
func (m model) Present(row int32, e *opened, err error) model {
	if row != m.Row() {
		return m
	}
	m.row, m.episode, m.problem, m.description = row, e, "", ""
	m.Rev++
	if err != nil {
		m.episode, m.problem = nil, err.Error()
		m.Play = m.Play.Restart(nil)
		return m
	}
	if e.Trajectory != nil {
		m.cell = e.Trajectory.States[0].Actor.Pos
	}
	m.Play = m.Play.Restart(e.Episode)
	if m.resume > 0 {
		m.Play, m.resume = m.Play.Seek(m.resume), 0
	}
	return m
}

// Tabulate shows the grades of predicted paths by paradigm, or of observers by kind of episode. scores is nil if nothing is
// graded; notes has the warnings about the directory, with the reason if there is one.
func (m model) Tabulate(scores *score.Scores, notes []string) model {
	l := *m.library
	l.notes = notes
	m.library, m.scores, m.tabled = &l, scores, true
	m.overview = newOverview(l.list, scores)
	m.Rev++
	return m
}

// Advance lets the playback run for some seconds.
func (m model) Advance(seconds float64) model {
	before := m.Play
	m.Play = m.Play.Advance(seconds)
	if m.Play.Tick != before.Tick || m.Play.Playing != before.Playing {
		m.Rev++
		m = m.describe()
	}
	return m
}
