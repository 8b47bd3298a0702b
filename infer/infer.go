// Package infer recovers cognitive profiles from a public directory. It is blind to how the responses came about (Team B):
// it reads a rooted file system, hands finished files to a Sink, and opens nothing by path.
package infer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
)

// A Config says how to infer. The zero value of a number means its default.
type Config struct {
	Seed uint64
	Jobs int // subjects fitted, or items watched, at a time; default 1. No result depends on it

	// How responses are measured.
	LayoutFile string          // where the layout's text came from, for errors
	LayoutText string          // a measurement layout in TOML
	Chains     int             // at least 4
	Warmup     int             // draws of a chain that are not kept
	Draws      int             // draws of a chain that are
	Engine     string          // Auto (default), NUTS or Tempered
	NoPredict  bool            // leave out the second fit, without the held-out responses
	Bank       *compare.Source // rival layouts to compare; nil: none, and no verdicts

	// Who watches scenes.
	Observers []string   // by name; nil: all of voe.Observers
	Moments   int        // of so many items, the first by their ids, moments are kept; below 0: of none
	Outside   []External // observers from outside, who have watched already

	Progress func(done, total int) // called from one goroutine at a time; may be nil
}

// The engines of a Config.
const (
	Auto     = "auto"     // NUTS, or Tempered where there are doubts about its chains
	NUTS     = "nuts"     // NUTS alone, with warnings
	Tempered = "tempered" // the engine whose chains jump between modes, alone
)

// Default has the values that the zero values of a Config stand for.
func Default() Config {
	p := posterior.Default()
	return Config{Chains: p.Chains, Warmup: p.Warmup, Draws: p.Draws, Engine: Auto, Moments: 60, Jobs: 1}
}

// A Sink receives files. Put is atomic: a name that Get finds was put whole. Get returns nil for a name that was not.
// Both are called from several goroutines.
type Sink interface {
	Put(name string, data []byte) error
	Get(name string) ([]byte, error)
}

// Run measures what a public directory has, and puts the files of an inferred directory into out: it fits every subject
// that responded, and lets observers watch scenes. What is finished is put into pieces first; a run that was stopped
// finds it there and ends with the same bytes.
func Run(ctx context.Context, public fs.FS, c Config, pieces, out Sink) (*Result, error) {
	r, err := newRun(public, c, pieces)
	if err != nil {
		return nil, err
	}
	fits, err := r.fitAll(ctx)
	if err != nil {
		return nil, err
	}
	res := r.assemble(fits)
	if res.Paths, err = r.predictPaths(ctx, fits); err != nil {
		return nil, err
	}
	list := &listing{Sink: out}
	if res.Surprises, err = r.observe(ctx, list.Put); err != nil {
		return nil, err
	}
	return res, res.put(list)
}

// Check reports settings that are missing, or that have nothing to apply to, for data with responses, with scenes or with
// both. The error is ErrNoLayout or an *Inapplicable.
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
	return nil
}

// ErrNoLayout says that there are responses, and no layout to measure them by.
var ErrNoLayout = errors.New("responses are measured by a layout, and none is given")

// An Inapplicable error names settings that the data have no use for.
type Inapplicable struct {
	Settings []string
	Scenes   bool // the data are scenes; else responses
}

// Error names them.
func (e *Inapplicable) Error() string {
	what := "responses, and nothing to watch"
	if e.Scenes {
		what = "scenes, which observers watch, and no responses"
	}
	return fmt.Sprintf("there are %s: no use for %s", what, strings.Join(e.Settings, ", "))
}

// moments is the number of items of which moments are kept.
func (c *Config) moments() int {
	if c.Moments == 0 {
		return Default().Moments
	}
	return max(c.Moments, 0)
}

func (c *Config) complete() error {
	set := func(x *int, v int) {
		if *x == 0 {
			*x = v
		}
	}
	d := Default()
	set(&c.Chains, d.Chains)
	set(&c.Warmup, d.Warmup)
	set(&c.Draws, d.Draws)
	set(&c.Jobs, d.Jobs)
	if c.Engine == "" {
		c.Engine = d.Engine
	}
	switch {
	case c.Chains < 4:
		return fmt.Errorf("chains = %d; at least 4 are needed to see that chains disagree", c.Chains)
	case c.Draws < 100 || c.Warmup < 50 || c.Jobs < 0:
		return fmt.Errorf("draws = %d, warmup = %d; at least 100 and 50 are needed", c.Draws, c.Warmup)
	case c.Engine != Auto && c.Engine != NUTS && c.Engine != Tempered:
		return fmt.Errorf("engine %q; it must be %s, %s or %s", c.Engine, Auto, NUTS, Tempered)
	}
	return nil
}

// A run is one call of Run: the data, the bound layout, and a key of all that its results depend on.
type run struct {
	Config
	public    fs.FS
	data      *record.Dataset
	design    *layout.Design // nil: nobody responded
	bank      *compare.Bound // nil: none
	behaviour func() (*behaviour, error)
	manifest  Manifest
	key       string
	pieces    Sink
}

func newRun(public fs.FS, c Config, pieces Sink) (*run, error) {
	r := &run{Config: c, public: public, pieces: pieces}
	err := r.complete()
	if err != nil {
		return nil, err
	}
	if r.manifest, err = Expect(public, c); err != nil {
		return nil, err
	}
	if r.key, err = r.manifest.key(); err != nil {
		return nil, err
	}
	if r.data, err = record.Read(public); err != nil {
		return nil, err
	}
	r.behaviour = sync.OnceValues(r.readBehaviour)
	return r, r.bind()
}

// bind ties the layout and the bank to the items, where there are responses.
func (r *run) bind() error {
	if len(r.data.Responses) == 0 {
		return nil
	}
	l, err := layout.Parse(r.LayoutFile, r.LayoutText)
	if err != nil {
		return err
	}
	if err := checkWalking(l); err != nil {
		return fmt.Errorf("%s: %w", r.LayoutFile, err)
	}
	if r.design, err = l.Bind(&r.data.Items, r.data.Manifest.Measures); err != nil {
		return err
	}
	return r.bindBank()
}
