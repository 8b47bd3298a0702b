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
	"strings"
	"sync"

	"achilles/infer/compare"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/table"

	"github.com/parquet-go/parquet-go"
)

// A Config has the settings of an inference. A number of zero means its default.
type Config struct {
	Seed uint64
	Jobs int // number of fits, or of items watched, at a time; default 1. No result depends on it

	// Settings for data with responses.
	LayoutFile string          // name of the layout's file, for errors
	LayoutText string          // a measurement layout in TOML
	Chains     int             // number of chains, at least 4
	Warmup     int             // number of draws at the start of each chain that are not kept
	Draws      int             // number of draws of each chain that are kept
	Engine     string          // Auto (default), NUTS, Tempered, Laplace or Marginal
	NoPredict  bool            // whether to leave out the second fit of each subject, which predicts its held-out responses
	Bank       *compare.Source // rival layouts to compare; nil: no rivals and no verdicts

	// Settings for data with scenes, which observers watch.
	Observers []string   // names of observers; nil: all of voe.Observers
	Moments   int        // number of items, the first by ID, whose beliefs by frame (moments) are kept; below 0: none
	Outside   []External // external observers, with their surprises

	CSV      func(*table.Table) []byte // makes profiles.csv and parameters.csv, which are read by scripts and not by this package; nil: they are left out
	Scratch  parquet.BufferPool        // where the columns of large tables wait until they are written; nil: in memory
	Progress func(done, total int)     // called from one goroutine at a time; may be nil
}

// The engines of a Config.
const (
	Auto     = "auto"     // NUTS, replaced by Tempered if there are doubts about its chains
	NUTS     = "nuts"     // only NUTS; doubts are warnings
	Tempered = "tempered" // only the engine whose chains jump between modes
	Laplace  = "laplace"  // a normal approximation, for layouts that measure all subjects together
	Marginal = "marginal" // NUTS with the one parameter of each subject integrated out, for such layouts
)

// Default returns the values for which zero values of a Config stand.
func Default() Config {
	p := posterior.Default()
	return Config{Chains: p.Chains, Warmup: p.Warmup, Draws: p.Draws, Engine: Auto, Moments: 60, Jobs: 1}
}

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
func Run(ctx context.Context, public fs.FS, c Config, pieces Sink, out Out) (*Result, error) {
	r, err := newRun(public, c, pieces)
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
	return res, res.put(list, c.CSV)
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
func Applies(public fs.FS, c Config) error {
	_, err := newRun(public, c, nil)
	return err
}

// Check returns an error if settings are wrong, missing, or have nothing to apply to. responses and scenes say whether the
// data have responses, and scenes for observers to watch. The error wraps ErrNoLayout if the layout is missing, and is an
// *Inapplicable if settings have nothing to apply to.
func (c *Config) Check(responses, scenes bool) error {
	var unused []string
	note := func(name string, given bool) {
		if given {
			unused = append(unused, name)
		}
	}
	if !responses {
		note("layout", c.LayoutText != "")
		note("bank", c.Bank != nil)
		note("engine", c.Engine != "")
		note("chains", c.Chains != 0)
		note("warmup", c.Warmup != 0)
		note("draws", c.Draws != 0)
	}
	if !scenes {
		note("observers", c.Observers != nil)
		note("moments", c.Moments != 0)
		note("outside", c.Outside != nil)
	}
	switch {
	case unused != nil:
		return &Inapplicable{Settings: unused, Scenes: scenes}
	case responses && c.LayoutText == "":
		return ErrNoLayout
	}
	_, err := c.settings(responses, scenes)
	return err
}

// ErrNoLayout says that the data have responses and the configuration has no layout.
var ErrNoLayout = errors.New("responses are measured by a layout, and none is given")

// An Inapplicable error names settings that do not apply to the data.
type Inapplicable struct {
	Settings []string
	Scenes   bool // whether the data have only scenes; otherwise they have only responses
}

// Error returns a message that names the settings.
func (e *Inapplicable) Error() string {
	what := "responses, and nothing to watch"
	if e.Scenes {
		what = "scenes, which observers watch, and no responses"
	}
	return fmt.Sprintf("there are %s: no use for %s", what, strings.Join(e.Settings, ", "))
}

// moments returns the number of items whose beliefs by frame are kept.
func (c *Config) moments() int {
	if c.Moments == 0 {
		return Default().Moments
	}
	return max(c.Moments, 0)
}

// maxDraws is the largest number of draws in all chains of one fit, and maxNumbers the largest number of values in them: 2 GiB.
const (
	maxDraws   = 10_000_000
	maxNumbers = 1 << 28
)

func (c *Config) complete() error {
	set := func(x *int, v int) {
		if *x == 0 {
			*x = v
		}
	}
	d := Default()
	set(&c.Chains, d.Chains)
	set(&c.Warmup, c.usualWarmup())
	set(&c.Draws, d.Draws)
	set(&c.Jobs, d.Jobs)
	if c.Engine == "" {
		c.Engine = d.Engine
	}
	switch {
	case c.Chains > maxDraws || c.Warmup > maxDraws || c.Draws > maxDraws || c.Chains*max(c.Draws, c.Warmup) > maxDraws:
		return fmt.Errorf("chains = %d, warmup = %d, draws = %d: at most %d draws of all chains together", c.Chains, c.Warmup, c.Draws, maxDraws)
	case c.Chains < 4:
		return fmt.Errorf("chains = %d; at least 4 are needed to see that chains disagree", c.Chains)
	case c.Draws < 100 || c.Warmup < 50:
		return fmt.Errorf("draws = %d, warmup = %d; at least 100 and 50 are needed", c.Draws, c.Warmup)
	case c.Jobs < 0:
		return fmt.Errorf("jobs = %d; it must not be negative", c.Jobs)
	case c.Engine != Auto && c.Engine != NUTS && c.Engine != Tempered && c.Engine != Laplace && c.Engine != Marginal:
		return fmt.Errorf("engine %q; it must be %s, %s, %s, %s or %s", c.Engine, Auto, NUTS, Tempered, Laplace, Marginal)
	}
	if l, err := layout.Parse(c.LayoutFile, c.LayoutText); err == nil {
		return c.checkEngine(l)
	}
	return nil // bind names what is wrong with the layout
}

// checkEngine returns an error if the engine is for layouts of the other kind: some engines are for layouts that measure subjects one
// by one, and others for those that measure all together, or for some of these.
func (c *Config) checkEngine(l *layout.Layout) error {
	if c.Engine != Auto && c.Engine != Marginal {
		if err := l.CheckMovable(); err != nil {
			return err
		}
	}
	switch {
	case l.Joint() && c.Engine == Tempered:
		return fmt.Errorf("layout %s: engine %s is for layouts that measure subjects one by one; this one measures them together, by %s, %s or %s", l.Name, Tempered, NUTS, Laplace, Marginal)
	case !l.Joint() && (c.Engine == Laplace || c.Engine == Marginal):
		return fmt.Errorf("layout %s: engine %s is for layouts that measure all subjects together; this one measures them one by one", l.Name, c.Engine)
	case c.Engine == Marginal:
		if _, err := l.Summable(); err != nil {
			return fmt.Errorf("%w by engine %s; use engine %s", err, Marginal, NUTS)
		}
	}
	return nil
}

// usualWarmup returns the length of the warm-up unless it is set. Chains of all subjects together begin without a pilot, and
// need more.
func (c *Config) usualWarmup() int {
	if l, err := layout.Parse(c.LayoutFile, c.LayoutText); err == nil && l.Joint() {
		return joint.Default().Warmup
	}
	return Default().Warmup
}

// A run is the state of one call of Run.
type run struct {
	Config
	public    fs.FS
	data      *record.Dataset
	layout    *layout.Layout // nil without responses, or if joint is not
	design    *layout.Design // the bound layout; nil if layout is
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
}

func newRun(public fs.FS, c Config, pieces Sink) (*run, error) {
	r := &run{Config: c, public: public, pieces: pieces}
	err := r.complete()
	if err != nil {
		return nil, err
	}
	if r.parent, r.settings, err = expect(public, &c); err != nil {
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
	l, err := layout.Parse(r.LayoutFile, r.LayoutText)
	if err != nil {
		return err
	}
	if err := checkWalking(l); err != nil {
		return fmt.Errorf("%s: %w", r.LayoutFile, err)
	}
	if l.Joint() {
		return r.bindJoint(l)
	}
	r.layout = l
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
