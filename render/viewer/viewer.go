package viewer

import (
	"achilles/render/canvas"
	"achilles/render/replay"
)

// A Viewer shows the episodes of a results directory. It reads them in a goroutine of its own, so that the window never
// waits for a disk or a network. Its methods are for one goroutine.
type Viewer struct {
	model   Model
	picture *canvas.Scene // that was drawn last

	jobs    chan func(*replay.Archive) func(Model) Model // for the one goroutine that reads the archive
	results chan func(Model) Model
	pending int // jobs whose result has not come yet
	options Options
}

// Options say what a viewer is called and which episode it shows first.
type Options struct {
	Title         string // of the directory
	Subject, Item string // names or ids; an empty one fits all
}

// Open returns a viewer of the archive that open returns. It calls open in another goroutine and returns at once.
func Open(o Options, open func() (*replay.Archive, error)) *Viewer {
	v := &Viewer{
		model: New(&Library{Title: o.Title, Shelf: replay.New(nil), Notes: []string{"reading the directory …"}}),
		jobs:  make(chan func(*replay.Archive) func(Model) Model, 4), results: make(chan func(Model) Model, 4),
		options: o, pending: 1,
	}
	go v.read(open)
	return v
}

// read opens the archive and does all jobs, one after the other.
func (v *Viewer) read(open func() (*replay.Archive, error)) {
	a, err := open()
	v.results <- func(m Model) Model { return v.begin(m, a, err) }
	if err != nil {
		return
	}
	for job := range v.jobs {
		v.results <- job(a)
	}
	_ = a.Close() // it was only read
}

// begin shows the list of the archive, or why there is none.
func (v *Viewer) begin(m Model, a *replay.Archive, err error) Model {
	if err != nil {
		return m.Fail(err)
	}
	library := &Library{Title: v.options.Title, Shelf: replay.New(a.Rows), Unsealed: a.Unsealed, Notes: a.Notes}
	n := m.Browse(library)
	if row, err := a.Find(v.options.Subject, v.options.Item); err == nil {
		n = n.GoToRow(int32(row))
	}
	return n
}

// Update implements canvas.View.
func (v *Viewer) Update(in canvas.Input) (revision uint64, done bool) {
	v.collect(false)
	if in.Width > 0 && in.Height > 0 {
		v.model = v.model.Resize(in.Width, in.Height)
	}
	for _, k := range in.Keys {
		v.model = v.model.Press(Key(k))
	}
	if v.picture != nil {
		v.model = v.model.Point(v.picture, Pointer{X: in.X, Y: in.Y, Down: in.Down, Wheel: in.Wheel})
	}
	v.model = v.model.Advance(in.Seconds)
	v.ask()
	return v.model.Rev, v.model.Leaving()
}

// Draw implements canvas.View.
func (v *Viewer) Draw(w, h float32) *canvas.Scene {
	v.picture = v.model.Draw(w, h)
	return v.picture
}

// Settle waits until everything that the screen wants is there.
func (v *Viewer) Settle() {
	for v.pending > 0 {
		v.collect(true)
		v.ask()
	}
}

// Model is what is shown.
func (v *Viewer) Model() Model { return v.model }

// Close ends the reading. Nothing may be updated after it.
func (v *Viewer) Close() { close(v.jobs) }

// collect takes what has been read; it waits for something where wait says so.
func (v *Viewer) collect(wait bool) {
	for v.pending > 0 {
		if wait {
			v.model = (<-v.results)(v.model)
			v.pending--
			return
		}
		select {
		case f := <-v.results:
			v.model = f(v.model)
			v.pending--
		default:
			return
		}
	}
}

// ask has opened what the screen wants. While something is being opened nothing else is asked for: whoever hurries
// down the list opens the episode at which it ends, and not all of those between.
func (v *Viewer) ask() {
	if v.pending > 0 {
		return
	}
	if row, ok := v.model.Wants(); ok {
		v.do(func(a *replay.Archive) func(Model) Model {
			e, err := exhibit(a, int(row))
			return func(m Model) Model { return m.Present(row, e, err) }
		})
		return
	}
	if v.model.WantsBattery() {
		v.do(func(a *replay.Archive) func(Model) Model {
			b := battery(a)
			return func(m Model) Model { return m.Tabulate(b) }
		})
	}
}

func (v *Viewer) do(job func(*replay.Archive) func(Model) Model) {
	v.pending++
	v.jobs <- job
}

var _ canvas.View = (*Viewer)(nil)
