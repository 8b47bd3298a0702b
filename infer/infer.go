// Package infer is Team B: it recovers cognitive profiles from a public directory, blind to how the responses came
// about. It reads a rooted file system and hands finished files to a Sink; it opens nothing by path.
package infer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
)

// A Config says how to infer. The zero value of a number means its default.
type Config struct {
	Seed       uint64
	LayoutFile string          // where the layout's text came from, for errors
	LayoutText string          // a measurement layout in TOML
	Chains     int             // at least 4
	Warmup     int             // draws of a chain that are not kept
	Draws      int             // draws of a chain that are
	Engine     string          // Auto (default), NUTS or Tempered
	NoPredict  bool            // leave out the second fit, without the held-out responses
	Bank       *compare.Source // rival layouts to compare; nil: none, and no verdicts
	Jobs       int             // subjects fitted at a time; default 1. No result depends on it

	Progress func(done, total int) // called from one goroutine at a time; may be nil
}

// The engines of a Config.
const (
	Auto     = "auto"     // NUTS; the engine that moves between modes takes over where chains are not to be believed
	NUTS     = "nuts"     // alone, with warnings
	Tempered = "tempered" // the engine that moves between modes, alone
)

// Default has the numbers that stand for a zero.
func Default() Config {
	p := posterior.Default()
	return Config{Chains: p.Chains, Warmup: p.Warmup, Draws: p.Draws, Engine: Auto, Jobs: 1}
}

// A Sink receives files. Put is atomic: a name that Get finds was put whole. Get returns nil for a name that was not.
// Both are called from several goroutines.
type Sink interface {
	Put(name string, data []byte) error
	Get(name string) ([]byte, error)
}

// Run fits every subject of the public directory and puts the files of an inferred directory into out. Finished
// subjects are put into pieces first; a run that was stopped finds them there and ends with the same bytes.
func Run(ctx context.Context, public fs.FS, c Config, pieces, out Sink) (*Result, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
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
	files, err := res.encode()
	if err != nil {
		return nil, err
	}
	for _, name := range append(fileNames(res), "manifest.json") {
		if err := out.Put(name, files[name]); err != nil {
			return nil, err
		}
	}
	return res, nil
}

func fileNames(r *Result) (names []string) {
	for _, f := range r.Manifest.Files {
		names = append(names, f.Path)
	}
	return names
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
	public   fs.FS
	data     *record.Dataset
	design   *layout.Design
	bank     *compare.Bound // nil: none
	watched  func() (*watched, error)
	manifest Manifest
	key      string
	pieces   Sink
}

func newRun(public fs.FS, c Config, pieces Sink) (*run, error) {
	raw, err := fs.ReadFile(public, "manifest.json")
	if err != nil {
		return nil, fmt.Errorf("public: %w", err)
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	if len(data.Subjects) == 0 {
		return nil, errors.New("public: no subject to infer")
	}
	l, err := layout.Parse(c.LayoutFile, c.LayoutText)
	if err != nil {
		return nil, err
	}
	if err := walks(l); err != nil {
		return nil, fmt.Errorf("%s: %w", c.LayoutFile, err)
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	r := &run{Config: c, public: public, data: data, design: design, pieces: pieces, manifest: c.manifest(raw, l)}
	r.watched = sync.OnceValues(r.watch)
	if err := r.bindBank(); err != nil {
		return nil, err
	}
	b, err := indented(r.manifest)
	r.key = digest(append(b, pieceForm...))
	return r, err
}

// manifest is what a result's manifest says before its files are listed; raw are the bytes of the public one.
func (c *Config) manifest(raw []byte, l *layout.Layout) Manifest {
	return Manifest{Format: Format, Version: Version, Public: digest(raw), Layout: LayoutDigest{Name: l.Name, SHA256: digest([]byte(c.LayoutText)), Walking: l.Walking}, Bank: bankDigest(c.Bank),
		Config: Settings{Seed: strconv.FormatUint(c.Seed, 10), Chains: c.Chains, Warmup: c.Warmup, Draws: c.Draws, Engine: c.Engine, Predict: !c.NoPredict}}
}

// Expect returns the manifest, without its files, that Run would give: two runs that agree in it agree in every byte.
func Expect(public fs.FS, c Config) (Manifest, error) {
	if err := c.complete(); err != nil {
		return Manifest{}, err
	}
	raw, err := fs.ReadFile(public, "manifest.json")
	if err != nil {
		return Manifest{}, fmt.Errorf("public: %w", err)
	}
	l, err := layout.Parse(c.LayoutFile, c.LayoutText)
	if err != nil {
		return Manifest{}, err
	}
	return c.manifest(raw, l), nil
}
