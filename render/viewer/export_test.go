package viewer

import "achilles/render/replay"

// What tests look at.
type (
	Model    = model
	Opened   = opened
	Playback = playback
)

// Estimate, Bindings and NewOpened are given to tests.
var (
	Estimate  = estimate
	Bindings  = bindings
	NewOpened = newOpened
)

// NewModel is the viewer of rows whose seal was opened.
func NewModel(title string, rows []replay.Row) Model {
	return newModel(&library{title: title, list: replay.NewList(rows), unsealed: true, observer: "achilles"})
}

// Model is what the viewer shows.
func (v *Viewer) Model() Model { return v.model }

// Left is the number of rows that the query selects.
func (m model) Left() int { return len(m.rows) }
