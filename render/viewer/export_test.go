package viewer

import "achilles/render/replay"

// Types for tests.
type (
	Model    = model
	Opened   = opened
	Playback = playback
)

// Functions for tests.
var (
	Estimate  = estimate
	NewOpened = newOpened
	HeadLines = headLines
)

// NewLibrary returns a library without episodes, whose seal was opened.
func NewLibrary(title string) *library {
	return &library{title: title, list: replay.NewList(nil), unsealed: true}
}

// NewModel returns the model of a directory with these rows, whose seal was opened.
func NewModel(title string, rows []replay.Row) Model {
	return newModel(&library{title: title, list: replay.NewList(rows), unsealed: true, observer: "achilles"})
}

// Model returns the present model of the viewer.
func (v *Viewer) Model() Model { return v.model }

// Left returns the number of rows that the query selects.
func (m model) Left() int { return len(m.rows) }

// Words says what the model shows.
func (m model) Words() string { return words(m) }

// Worst returns the name of the first subject of the overview.
func (m model) Worst() string { return m.overview.subjects[0].name }
