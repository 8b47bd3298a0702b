// Package desk joins the viewer's screen to a results directory: it opens what the screen wants to show, beside what is
// shown, so that nobody waits for a disk or a network.
package desk

import (
	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
)

// A Desk is a viewer over one directory. Its methods are for one goroutine.
type Desk struct {
	model   viewer.Model
	picture *canvas.Scene // that was drawn last

	jobs    chan func(*replay.Archive) func(viewer.Model) viewer.Model // for the one goroutine that reads the archive
	results chan func(viewer.Model) viewer.Model
	pending int // jobs whose result has not come yet
	first   Wish
}

// A Wish is what is to be shown first; empty names fit all.
type Wish struct{ Subject, Item string }

// Open returns a viewer over the archive that open opens, which is not waited for. Title is what the directory is
// called.
func Open(title string, open func() (*replay.Archive, error), first Wish) *Desk {
	d := &Desk{
		model: viewer.New(&viewer.Library{Title: title, Shelf: replay.New(nil), Notes: []string{"reading the directory …"}}),
		jobs:  make(chan func(*replay.Archive) func(viewer.Model) viewer.Model, 4), results: make(chan func(viewer.Model) viewer.Model, 4),
		first: first, pending: 1,
	}
	go d.read(title, open)
	return d
}

// read opens the archive and does all jobs, one after the other.
func (d *Desk) read(title string, open func() (*replay.Archive, error)) {
	a, err := open()
	d.results <- func(m viewer.Model) viewer.Model { return d.begin(m, title, a, err) }
	if err != nil {
		return
	}
	for job := range d.jobs {
		d.results <- job(a)
	}
	_ = a.Close() // it was only read
}

// begin shows the list of the archive, or why there is none.
func (d *Desk) begin(m viewer.Model, title string, a *replay.Archive, err error) viewer.Model {
	if err != nil {
		return m.Fail(err)
	}
	library := &viewer.Library{Title: title, Shelf: replay.New(a.Rows), Unsealed: a.Unsealed, Notes: a.Notes}
	n := m.Browse(library)
	if row, err := a.Find(d.first.Subject, d.first.Item); err == nil {
		n = n.GoToRow(int32(row))
	}
	return n
}

// Update implements view.View.
func (d *Desk) Update(in canvas.Input) (revision uint64, done bool) {
	d.collect(false)
	if in.Width > 0 && in.Height > 0 {
		d.model = d.model.Resize(in.Width, in.Height)
	}
	for _, k := range in.Keys {
		d.model = d.model.Press(viewer.Key(k))
	}
	if d.picture != nil {
		d.model = d.model.Point(d.picture, viewer.Pointer{X: in.X, Y: in.Y, Down: in.Down, Wheel: in.Wheel})
	}
	d.model = d.model.Advance(in.Seconds)
	d.ask()
	return d.model.Rev, d.model.Leaving()
}

// Draw implements view.View.
func (d *Desk) Draw(w, h float32) *canvas.Scene {
	d.picture = d.model.Draw(w, h)
	return d.picture
}

// Settle waits until everything that the screen wants is there.
func (d *Desk) Settle() {
	for d.pending > 0 {
		d.collect(true)
		d.ask()
	}
}

// Model is what is shown.
func (d *Desk) Model() viewer.Model { return d.model }

// Close ends the reading. Nothing may be updated after it.
func (d *Desk) Close() { close(d.jobs) }

// collect takes what has been read; it waits for something where wait says so.
func (d *Desk) collect(wait bool) {
	for d.pending > 0 {
		if wait {
			d.model = (<-d.results)(d.model)
			d.pending--
			return
		}
		select {
		case f := <-d.results:
			d.model = f(d.model)
			d.pending--
		default:
			return
		}
	}
}

// ask has opened what the screen wants. While something is being opened nothing else is asked for: whoever hurries
// down the list opens the episode at which it ends, and not all of those between.
func (d *Desk) ask() {
	if d.pending > 0 {
		return
	}
	if row, ok := d.model.Wants(); ok {
		d.do(func(a *replay.Archive) func(viewer.Model) viewer.Model {
			e, err := exhibit(a, int(row))
			return func(m viewer.Model) viewer.Model { return m.Present(row, e, err) }
		})
		return
	}
	if d.model.WantsBattery() {
		d.do(func(a *replay.Archive) func(viewer.Model) viewer.Model {
			b := battery(a)
			return func(m viewer.Model) viewer.Model { return m.Tabulate(b) }
		})
	}
}

func (d *Desk) do(job func(*replay.Archive) func(viewer.Model) viewer.Model) {
	d.pending++
	d.jobs <- job
}

var _ canvas.View = (*Desk)(nil)
