// Package viewer is the whole viewer but for its window: what is shown is a pure function of a Model and a size, and
// what happens on a key or a click is a pure function of the Model too. So the viewer is the same in a window, in a
// browser and in a test.
package viewer

import (
	"slices"

	"achilles/render/replay"
)

// A Library is what a directory has to show. It does not change.
type Library struct {
	Title    string
	Shelf    *replay.Shelf
	Unsealed bool     // the seal was opened: truths, beliefs and causes may be shown
	Notes    []string // warnings about the directory as a whole
}

// A Show says which overlays are wanted.
type Show struct {
	Sees      bool // what the actor sees
	Believes  bool // what it believes, once unsealed
	Goals     bool // what an observer thinks it wants, and its surprise
	Predicted bool // the paths that its profile predicts
}

// Overlays is the number of overlays.
const Overlays = 4

// A Focus is what keys go to.
type Focus uint8

// The foci.
const (
	OnReplay Focus = iota
	OnSearch
	OnMenu
	OnHelp
)

// A Panel is what the right column shows.
type Panel uint8

// The panels.
const (
	EpisodePanel Panel = iota
	ProfilePanel
	BatteryPanel
	Panels // their number
)

// String is the title of a panel.
func (p Panel) String() string { return [...]string{"Episode", "Profile", "Battery"}[p] }

// A Model is all that the viewer knows at one moment. It is a value: methods return what it becomes and share its
// slices, which are never written to. Whoever shows it draws anew when Rev has changed, and only then.
type Model struct {
	Rev  uint64
	Play Playback
	Show Show

	library *Library
	width   float32
	height  float32

	choice replay.Choice
	left   []int32 // rows that the choice leaves
	cursor int     // index into left; −1 where it is empty
	top    int     // first row of the list that is shown

	focus  Focus
	menu   menu
	panel  Panel
	wide   bool // nothing but the stage
	probe  bool // the cell of the probe is told about, as if the pointer were there
	cell   Cell
	over   string // id of the hit region under the pointer
	told   string // what the picture says about the place under the pointer
	dragID string // region in which the button went down
	px, py float32
	down   bool

	open    int32 // row of the exhibit; −1: none
	exhibit *Exhibit
	battery *Battery
	trouble string // why the wanted episode cannot be shown

	leaving bool // whoever shows it should end
}

// New returns the viewer of a library, with the first episode wanted.
func New(l *Library) Model {
	m := Model{library: l, open: -1, Show: Show{Sees: true, Believes: true, Goals: true, Predicted: true}, width: 1280, height: 720, Rev: 1}
	return m.choose(replay.Choice{})
}

// Browse returns the viewer of another library, in the same window.
func (m Model) Browse(l *Library) Model {
	n := New(l)
	n.width, n.height, n.Rev = m.width, m.height, m.Rev+1
	return n.reveal()
}

// Fail shows why there is nothing to show.
func (m Model) Fail(err error) Model {
	m.trouble = err.Error()
	m.Rev++
	return m
}

// Resize tells the size of the picture in pixels.
func (m Model) Resize(width, height float32) Model {
	if width == m.width && height == m.height {
		return m
	}
	m.width, m.height = width, height
	m.Rev++
	return m.reveal()
}

// choose applies filters and goes to the row that it was at, or the first.
func (m Model) choose(c replay.Choice) Model {
	at := m.Row()
	m.choice = c
	m.left = m.library.Shelf.Select(nil, c)
	m.cursor = slices.Index(m.left, at)
	if m.cursor < 0 && len(m.left) > 0 {
		m.cursor = 0
	}
	m.Rev++
	return m.reveal()
}

// Row is the row of the list that is chosen, −1 where there is none.
func (m Model) Row() int32 {
	if m.cursor < 0 || m.cursor >= len(m.left) {
		return -1
	}
	return m.left[m.cursor]
}

// GoToRow goes to a row of the shelf, as far as the filters leave it.
func (m Model) GoToRow(row int32) Model {
	if i := slices.Index(m.left, row); i >= 0 {
		return m.goTo(i)
	}
	return m
}

// Left is the number of episodes that the filters leave.
func (m Model) Left() int { return len(m.left) }

// Leaving says whether the viewer should end.
func (m Model) Leaving() bool { return m.leaving }

// Wants returns the row of the episode that ought to be opened and given to Present; ok is false where what is shown
// is what is chosen.
func (m Model) Wants() (row int32, ok bool) {
	row = m.Row()
	return row, row >= 0 && row != m.open
}

// WantsBattery says whether the table of the battery ought to be made and given to Tabulate.
func (m Model) WantsBattery() bool { return m.panel == BatteryPanel && m.battery == nil }

// Present shows an episode that was opened, or says why it could not be. One that is no longer chosen is not shown.
func (m Model) Present(row int32, e *Exhibit, err error) Model {
	if row != m.Row() {
		return m
	}
	m.open, m.exhibit, m.trouble, m.told = row, e, "", ""
	m.Rev++
	if err != nil {
		m.exhibit, m.trouble = nil, err.Error()
		m.Play = m.Play.Restart(0, nil)
		return m
	}
	m.cell = e.Start
	m.Play = m.Play.Restart(e.Last, e.ticks())
	m.Play.Rate = e.Rate
	return m
}

// Tabulate shows the table of the battery.
func (m Model) Tabulate(b *Battery) Model {
	m.battery = b
	m.Rev++
	return m
}

// Advance lets time go by.
func (m Model) Advance(seconds float64) Model {
	before := m.Play
	m.Play = m.Play.Advance(seconds)
	if m.Play.Tick != before.Tick || m.Play.Playing != before.Playing {
		m.Rev++
		m = m.tell()
	}
	return m
}
