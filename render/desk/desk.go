// Package desk joins the viewer's screen to a results directory: it opens what the screen wants to show, beside what is
// shown, so that nobody waits for a disk or a network.
package desk

import (
	"achilles/render/replay"
	"achilles/render/scene"
	"achilles/render/screen"
	"achilles/render/shelf"
	"achilles/render/view"
)

// A Desk is a viewer over one directory. Its methods are for one goroutine.
type Desk struct {
	model   screen.Model
	picture *scene.Scene // that was drawn last

	jobs    chan func(*replay.Archive) func(screen.Model) screen.Model // for the one goroutine that reads the archive
	results chan func(screen.Model) screen.Model
	pending int // jobs whose result has not come yet
	first   Wish
}

// A Wish is what is to be shown first; empty names fit all.
type Wish struct{ Subject, Item string }

// Open returns a viewer over the archive that open opens, which is not waited for. Title is what the directory is
// called.
func Open(title string, open func() (*replay.Archive, error), first Wish) *Desk {
	d := &Desk{
		model: screen.New(&screen.Library{Title: title, Shelf: shelf.New(nil), Notes: []string{"reading the directory …"}}),
		jobs:  make(chan func(*replay.Archive) func(screen.Model) screen.Model, 4), results: make(chan func(screen.Model) screen.Model, 4),
		first: first, pending: 1,
	}
	go d.read(title, open)
	return d
}

// read opens the archive and does all jobs, one after the other.
func (d *Desk) read(title string, open func() (*replay.Archive, error)) {
	a, err := open()
	d.results <- func(m screen.Model) screen.Model { return d.begin(m, title, a, err) }
	if err != nil {
		return
	}
	for job := range d.jobs {
		d.results <- job(a)
	}
	_ = a.Close() // it was only read
}

// begin shows the list of the archive, or why there is none.
func (d *Desk) begin(m screen.Model, title string, a *replay.Archive, err error) screen.Model {
	if err != nil {
		return m.Fail(err)
	}
	library := &screen.Library{Title: title, Shelf: shelf.New(a.Rows), Unsealed: a.Unsealed, Notes: a.Notes}
	n := m.Browse(library)
	if row, err := a.Find(d.first.Subject, d.first.Item); err == nil {
		n = n.GoToRow(int32(row))
	}
	return n
}

// Update implements view.View.
func (d *Desk) Update(in view.Input) (revision uint64, done bool) {
	d.collect(false)
	if in.Width > 0 && in.Height > 0 {
		d.model = d.model.Resize(in.Width, in.Height)
	}
	for _, k := range in.Keys {
		d.model = d.model.Press(screen.Key(k))
	}
	if d.picture != nil {
		d.model = d.model.Point(d.picture, screen.Pointer{X: in.X, Y: in.Y, Down: in.Down, Wheel: in.Wheel})
	}
	d.model = d.model.Advance(in.Seconds)
	d.ask()
	return d.model.Rev, d.model.Leaving()
}

// Draw implements view.View.
func (d *Desk) Draw(w, h float32) *scene.Scene {
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
func (d *Desk) Model() screen.Model { return d.model }

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
		d.do(func(a *replay.Archive) func(screen.Model) screen.Model {
			e, err := exhibit(a, int(row))
			return func(m screen.Model) screen.Model { return m.Present(row, e, err) }
		})
		return
	}
	if d.model.WantsBattery() {
		d.do(func(a *replay.Archive) func(screen.Model) screen.Model {
			b := battery(a)
			return func(m screen.Model) screen.Model { return m.Tabulate(b) }
		})
	}
}

func (d *Desk) do(job func(*replay.Archive) func(screen.Model) screen.Model) {
	d.pending++
	d.jobs <- job
}

var _ view.View = (*Desk)(nil)
