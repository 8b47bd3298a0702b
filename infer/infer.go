// Package infer recovers cognitive profiles from a public directory. It does not know how the responses came about. It
// reads the public directory as a file system, hands finished files to a Sink, and opens no file by path.
package infer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/record"
)

// A Sink receives files. Put is atomic: Get returns the whole file that was put under a name, or nil if there was none. Both
// are called from several goroutines.
type Sink interface {
	Put(name string, data []byte) error
	Get(name string) ([]byte, error)
}

// An Out receives the files of an inferred directory. Create opens a file for writing, which is whole when it is closed. It is not
// called from several goroutines.
type Out interface {
	Sink
	Create(name string) (io.WriteCloser, error)
}

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
	if res.Surprises, err = r.observe(ctx, list.Put); err != nil {
		return nil, err
	}
	return res, res.put(list, j.CSV)
}

// fits does every fit, of all subjects together or of one after the other, and yields their results in the order of the tasks. It
// reads one result at a time.
func (r *run) fits(ctx context.Context) iter.Seq2[*piece, error] {
	return func(yield func(*piece, error) bool) {
		if r.joint != nil {
			fits, err := r.fitTogether(ctx)
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

// ErrNoLayout says that the data have responses and the configuration has no layout.
var ErrNoLayout = errors.New("responses are measured by a layout, and none is given")

// A run is the state of one call of Run.
type run struct {
	Job
	public    fs.FS
	data      *record.Dataset
	design    *layout.Design // the bound layout; nil without responses, or if joint is not
	joint     *layout.Joint  // the bound layout if it measures all subjects together; otherwise nil
	rivals    *compare.Bank  // nil without a bank
	bank      *compare.Bound // the bound bank; nil without one
	acts      bool           // with a bank: whether there are trajectories
	walks     bool           // with a bank: whether paths are predicted, by the layout (predictPaths)
	behaviour func() (*behaviour, error)
	parent    string // digest of the manifest of the public part
	settings  Settings
	key       string // digest of everything that stored results depend on; results stored under another key are not reused
	pieces    Sink
	known     *sync.Map // name of a piece → digest of the content that this run has stored or believed
}

func newRun(public fs.FS, j Job, pieces Sink) (*run, error) {
	r := &run{Job: j, public: public, pieces: pieces, known: new(sync.Map)}
	r.Jobs = max(r.Jobs, 1)
	var err error
	if r.parent, r.settings, err = expect(public, &j); err != nil {
		return nil, err
	}
	r.key = r.settings.key(r.parent)
	if r.data, err = record.Read(public); err != nil {
		return nil, err
	}
	r.behaviour = sync.OnceValues(r.readBehaviour)
	return r, r.bind()
}

// bind binds the layout and the bank to the items. It does nothing if the data have no responses.
func (r *run) bind() error {
	if r.data.Responses.Len() == 0 {
		return nil
	}
	l := r.Layout
	if err := checkWalking(l); err != nil {
		return fmt.Errorf("%s: %w", l.File, err)
	}
	if l.Joint() {
		return r.bindJoint(l)
	}
	if err := r.readBank(); err != nil {
		return err
	}
	if err := r.bindTo(&r.data.Items); err != nil {
		return err
	}
	if n := float64(r.Chains*r.Draws) * float64(len(names(r.design))); n > maxNumbers {
		return fmt.Errorf("%d chains of %d draws of %d parameters are %.3g numbers: at most %d", r.Chains, r.Draws, len(names(r.design)), n, maxNumbers)
	}
	return nil
}
