// Package viewer is the viewer of a results directory, but for its window. What it shows is a pure function of a model and
// a size, and what a key or a click does is a pure function of the model. So the viewer is the same in a window, in a
// browser and in a test.
package viewer

import (
	"slices"

	"achilles/gridworld"
	"achilles/render/picture"
	"achilles/render/replay"
)

// A library is what the viewer knows of a directory as a whole. It does not change.
type library struct {
	title    string
	list     *replay.List
	unsealed bool     // the seal was opened
	reading  bool     // the list is being read
	notes    []string // warnings about the directory
}

// A focus is what keys go to.
type focus uint8

const (
	onReplay focus = iota
	onSearch
	onMenu
	onHelp
)

// A panel is what the right column shows.
type panel uint8

const (
	episodePanel panel = iota
	profilePanel
	batteryPanel
	panels // the number of panels
)

// String is the title of the panel.
func (p panel) String() string { return [panels]string{"Episode", "Profile", "Battery"}[p] }

// A model is the whole state of the viewer. It is a value: methods return what it becomes, and share its slices, which are
// never written to.
type model struct {
	Rev  uint64 // changes whenever the picture may change
	Play playback
	Show picture.Overlays

	library       *library
	width, height float32

	query  replay.Query
	rows   []int32 // indices of the rows that the query selects
	cursor int     // index into rows; −1 where it is empty
	top    int     // first of rows that is visible

	focus focus
	menu  menu
	panel panel
	wide  bool // only the picture and the controls are shown
	zoom  int  // steps that everything is larger
	probe bool // the cell of the probe is described, as if the pointer were there
	cell  gridworld.Pos

	over        string // id of the hit region under the pointer
	description string // of what the picture shows under the pointer
	dragged     string // id of the region in which the button went down
	px, py      float32
	down        bool

	row     int32 // of the episode; −1: none
	episode *opened
	problem string // why the chosen episode cannot be shown

	paths  []replay.PathError // by paradigm
	tabled bool               // paths were read

	leaving bool // the window should be closed
}

// newModel returns the viewer of a library, with no episode opened yet.
func newModel(l *library) model {
	m := model{Rev: 1, library: l, row: -1, Show: picture.All(), width: 1280, height: 720}
	return m.choose(replay.Query{})
}

// Browse returns the viewer of another library, in the same window.
func (m model) Browse(l *library) model {
	n := newModel(l)
	n.width, n.height, n.zoom, n.Rev = m.width, m.height, m.zoom, m.Rev+1
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

// choose selects rows by a query. The cursor stays at its row, or goes to the first where that is not selected.
func (m model) choose(q replay.Query) model {
	at := m.Row()
	m.query = q
	m.rows = m.library.list.Select(nil, q)
	m.cursor = slices.Index(m.rows, at)
	if m.cursor < 0 && len(m.rows) > 0 {
		m.cursor = 0
	}
	if len(m.rows) == 0 {
		m.row, m.episode = -1, nil
	}
	m.Rev++
	return m.reveal()
}

// Row is the row at the cursor, an index into the list; −1 where there is none.
func (m model) Row() int32 {
	if m.cursor < 0 || m.cursor >= len(m.rows) {
		return -1
	}
	return m.rows[m.cursor]
}

// GoToRow moves the cursor to a row of the list, if the query selects it.
func (m model) GoToRow(row int32) model {
	if i := slices.Index(m.rows, row); i >= 0 {
		return m.goTo(i)
	}
	return m
}

// Wants returns the row of the episode that should be opened and given to Present; ok is false where the chosen episode is
// shown already.
func (m model) Wants() (row int32, ok bool) {
	row = m.Row()
	return row, row >= 0 && row != m.row
}

// WantsPaths says whether the errors of paths should be read and given to Tabulate.
func (m model) WantsPaths() bool { return m.panel == batteryPanel && !m.tabled }

// Present shows an episode that was opened, or the error. An episode that is no longer chosen is not shown.
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
	return m
}

// Tabulate shows the errors of predicted paths by paradigm.
func (m model) Tabulate(paths []replay.PathError) model {
	m.paths, m.tabled = paths, true
	m.Rev++
	return m
}

// Advance lets so many seconds go by.
func (m model) Advance(seconds float64) model {
	before := m.Play
	m.Play = m.Play.Advance(seconds)
	if m.Play.Tick != before.Tick || m.Play.Playing != before.Playing {
		m.Rev++
		m = m.describe()
	}
	return m
}

// moment is the moment of the episode that is shown.
func (m model) moment() picture.Moment {
	return picture.Moment{Episode: m.episode.Episode, Tick: m.Play.Tick, Show: m.Show}
}

// absent says why the episode has no such overlay; empty where it has, and where no episode is open.
func (m model) absent(o picture.Overlay) string {
	if m.episode == nil {
		return ""
	}
	return m.episode.absent[o]
}
