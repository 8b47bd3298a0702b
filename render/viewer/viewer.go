package viewer

import (
	"achilles/render/canvas"
	"achilles/render/replay"
)

// A Viewer shows the episodes of a results directory. Another goroutine reads them, so that the window never waits for
// a disk or a network. Only one goroutine may call the methods of a Viewer.
type Viewer struct {
	options Options
	model   model
	picture *canvas.Canvas // last result of Draw

	jobs    chan func(*replay.Archive) change // jobs of the goroutine that reads the archive
	results chan change
	pending int // number of jobs without a result
}

// A change is the result of a job. It returns the model that it is given, with what the job has read.
type change func(model) model

// Options of a Viewer.
type Options struct {
	Title         string // name of the directory
	Subject, Item string // names or ids of the subject and item to show first; an empty name matches all

	Trial, Repetition int    // trial and repetition of the episode to show first
	Tick              int    // tick at which that episode begins, paused; 0: at its start
	Panel             string // panel to show first: episode, profile or battery; empty: the battery's overview if there is one and no episode is named
}

// Open returns a viewer of the archive that open returns. It does not wait for open, which runs in another goroutine.
func Open(o Options, open func() (*replay.Archive, error)) *Viewer {
	v := &Viewer{
		options: o,
		model:   newModel(&library{title: o.Title, list: replay.NewList(nil), reading: true}),
		jobs:    make(chan func(*replay.Archive) change, 4), results: make(chan change, 4), pending: 1,
	}
	go v.read(open)
	return v
}

// read opens the archive and runs all jobs, one after another.
func (v *Viewer) read(open func() (*replay.Archive, error)) {
	a, err := open()
	v.results <- func(m model) model { return v.begin(m, a, err) }
	if err != nil {
		return
	}
	for job := range v.jobs {
		v.results <- job(a)
	}
	_ = a.Close() // an error does not matter, because the archive was only read
}

// begin shows the list of the archive, or the error that occurred when it was opened.
func (v *Viewer) begin(m model, a *replay.Archive, err error) model {
	if err != nil {
		return m.Fail(err)
	}
	l := &library{title: v.options.Title, list: replay.NewList(a.Rows), unsealed: a.Unsealed, notes: a.Notes, observers: a.Observers, observer: a.Observer}
	m = m.Browse(l)
	row, ok := v.options.row(a)
	if !ok {
		return m
	}
	m.panel, m.resume = v.options.panel(m.overview), v.options.Tick
	return m.GoToRow(int32(row))
}

// Update implements canvas.View.
func (v *Viewer) Update(in canvas.Input) (revision uint64, done bool) {
	v.collect(false)
	if in.Width > 0 && in.Height > 0 {
		k := v.model.scale(in.Width, in.Height)
		v.model = v.model.Resize(in.Width/k, in.Height/k)
		in.X, in.Y = in.X/k, in.Y/k
	}
	for _, k := range in.Keys {
		v.model = v.model.Press(k)
	}
	if v.picture != nil {
		v.model = v.model.Point(v.picture, in)
	}
	v.model = v.model.Advance(in.Seconds)
	v.ask()
	return v.model.Rev, v.model.leaving
}

// Draw implements canvas.View.
func (v *Viewer) Draw(w, h float32) *canvas.Canvas {
	k := v.model.scale(w, h)
	v.picture = v.model.Draw(w/k, h/k)
	out := v.picture.Scaled(k)
	out.W, out.H = w, h // the products k·(w/k) could differ from these by rounding
	return out
}

// Settle waits until everything that the model wants has been read.
func (v *Viewer) Settle() {
	for v.pending > 0 {
		v.collect(true)
		v.ask()
	}
}

// Close stops the reading goroutine. Update must not be called afterwards.
func (v *Viewer) Close() { close(v.jobs) }

// collect applies the results of jobs to the model. If wait is true, it waits for one result.
func (v *Viewer) collect(wait bool) {
	for v.pending > 0 {
		if wait {
			v.model = (<-v.results)(v.model)
			v.pending--
			return
		}
		select {
		case change := <-v.results:
			v.model = change(v.model)
			v.pending--
		default:
			return
		}
	}
}

// ask starts a job that reads what the model wants, unless a job is running. If a user moves quickly down the list, the
// viewer therefore opens only the episode at which the cursor stops, and not those that it has passed.
func (v *Viewer) ask() {
	if v.pending > 0 {
		return
	}
	if observer, ok := v.model.library.lacks(v.model.observer); ok {
		v.do(func(a *replay.Archive) change {
			a.Observe(observer)
			list := replay.NewList(a.Rows)
			return func(m model) model { return m.Relist(list, observer) }
		})
		return
	}
	if row, ok := v.model.Wants(); ok {
		v.do(func(a *replay.Archive) change {
			e, err := openEpisode(a, int(row))
			return func(m model) model { return m.Present(row, e, err) }
		})
		return
	}
	if v.model.WantsScores() {
		v.do(func(a *replay.Archive) change {
			scores := a.Scores()
			notes := a.Notes
			return func(m model) model { return m.Tabulate(scores, notes) }
		})
	}
}

func (v *Viewer) do(job func(*replay.Archive) change) {
	v.pending++
	v.jobs <- job
}

var _ canvas.View = (*Viewer)(nil)
