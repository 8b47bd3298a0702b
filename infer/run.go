package infer

import (
	"io"
	"io/fs"

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

// A run is the state of one call of Run.
type run struct {
	Job
	public    fs.FS
	data      *record.Dataset
	design    *layout.Design // the bound layout; nil without responses, or if joint is not
	joint     *layout.Joint  // the bound layout if it measures all subjects together; otherwise nil
	rivals    *compare.Bank  // nil without a bank
	bank      *compare.Bound // the bound bank; nil without one
	acts      bool           // with a bank: whether there are trajectories that are evidence
	walks     bool           // with a bank: whether paths are predicted, by the layout (predictPaths)
	behaviour func() (*behaviour, error)

	repetitions func() float64 // repetitionsDiffer, once; nil where subjects are fitted together
	parent      string         // digest of the manifest of the public part
	settings    Settings
	storage
}
