// Package infer recovers cognitive profiles from a public directory. It does not know how the responses came about. It
// reads the public directory as a file system, hands finished files to a Sink, and opens no file by path.
package infer

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"sync"

	"achilles/sim/record"
)

// Run fits every subject with responses in a public directory, lets observers watch its scenes, and puts the files of an
// inferred directory into out. It puts every finished part into the sink pieces first: if a run was stopped, the next one reads
// these parts, does the rest, and gives the same bytes.
func Run(ctx context.Context, public fs.FS, j Job, pieces Sink, out Out) (*Result, error) {
	r, err := newRun(public, j, pieces)
	if err != nil {
		return nil, err
	}
	list := r.listing(out)
	t, err := r.newTables(list)
	if err != nil {
		return nil, err
	}
	res, fits, err := r.assemble(r.fits(ctx), t)
	if err = t.close(err); err != nil {
		return nil, err
	}
	if res.Paths, err = r.predictPaths(ctx, fits); err != nil {
		return nil, err
	}
	if res.Surprises, err = (watching{r}).observe(ctx, list.Put); err != nil {
		return nil, err
	}
	for _, o := range r.Outside {
		res.Asked = append(res.Asked, o.Calls...)
	}
	if j.Layout != nil {
		res.LayoutText = j.Layout.Text
	}
	return res, res.put(list, j.CSV)
}

// fits does every fit, of all subjects together or of one after the other, and yields their results in the order of the tasks. It
// reads one result at a time.
func (r *run) fits(ctx context.Context) iter.Seq2[*piece, error] {
	return func(yield func(*piece, error) bool) {
		if r.joint != nil {
			fits, err := jointly{r}.fitTogether(ctx)
			for _, p := range fits {
				if !yield(p, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
			return
		}
		tasks := r.tasks()
		if err := r.fitAll(ctx, tasks); err != nil {
			yield(nil, err)
			return
		}
		for _, t := range tasks {
			if p, err := r.fit(ctx, t); !yield(p, err) || err != nil { // the fit is done: this reads its piece
				return
			}
		}
	}
}

// Applies returns the reason why an inference with these settings cannot begin on a public directory, or nil if it
// can.
func Applies(public fs.FS, j Job) error {
	_, err := newRun(public, j, nil)
	return err
}

func newRun(public fs.FS, j Job, pieces Sink) (*run, error) {
	r := &run{Job: j, public: public, storage: storage{pieces: pieces, known: new(sync.Map), report: j.Doubt}}
	r.Jobs = max(r.Jobs, 1)
	var err error
	if r.parent, r.settings, err = expect(public, &j); err != nil {
		return nil, err
	}
	r.key = r.settings.key(r.parent)
	if r.data, err = record.Read(public); err != nil {
		return nil, err
	}
	r.behaviour = sync.OnceValues(comparing{r}.readBehaviour)
	r.repetitions = sync.OnceValue(func() float64 { return repetitionsDiffer(r.data) })
	return r, r.bind()
}

// bind binds the layout and the bank to the items. It does nothing if the data have no responses.
func (r *run) bind() error {
	if r.data.Responses.Len() == 0 {
		return nil
	}
	l := r.Layout
	if l.Joint() {
		return r.bindJoint(l)
	}
	if err := (comparing{r}).readBank(); err != nil {
		return err
	}
	if err := r.bindTo(&r.data.Items); err != nil {
		return err
	}
	if n := float64(r.Chains*r.Draws) * float64(len(r.design.Names())); n > maxNumbers {
		return fmt.Errorf("%d chains of %d draws of %d parameters are %.3g numbers: at most %d", r.Chains, r.Draws, len(r.design.Names()), n, maxNumbers)
	}
	return nil
}
