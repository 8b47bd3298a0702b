package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"achilles/infer/chargrid"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
)

// A Config says what is analysed and how. docs/reference/analysis.md documents the keys.
type Config struct {
	Measure      string              `toml:"measure"`      // empty: success where there is one, else the first binary or unit measure
	Capability   []string            `toml:"capability"`   // features of the grid that defines capability, one to three; empty: the first three relevant ones
	Level        float64             `toml:"level"`        // of intervals
	Replicates   int                 `toml:"replicates"`   // of the bootstrap over subjects
	Permutations int                 `toml:"permutations"` // of the test of robustness
	Seed         uint64              `toml:"seed"`         // of all random streams
	Features     []Feature           `toml:"feature"`      // empty: the columns of the items, by their declared roles
	Grids        []Grid              `toml:"grid"`         // further grids; empty: one for each relevant feature
	Groups       []Group             `toml:"group"`        // sets of subjects that get results of their own
	Layouts      []string            `toml:"layouts"`      // measurement layouts that predict too: names that whoever opens files resolves into Predictors
	Competence   chargrid.Competence `toml:"competence"`
	Prediction   Prediction          `toml:"prediction"`

	Jobs       int                 `toml:"-"` // workers; results do not depend on it
	SplitsFile string              `toml:"-"` // name and text of a table of splits (predict.ParseSplits) that replaces the random ones
	SplitsText []byte              `toml:"-"`
	Predictors []predict.Predictor `toml:"-"` // further models, for instance measurement layouts, on the same splits
}

// A Feature is a feature of the items and how grids and curves bin it.
type Feature struct {
	table.Spec
	Binning chargrid.Binning `toml:"binning"`
}

// A Grid names the features of a grid.
type Grid struct {
	Features []string `toml:"features"`
}

// A Group names some subjects.
type Group struct {
	Name     string   `toml:"name"`
	Subjects []string `toml:"subjects"`
}

// Prediction says which models are fitted to which splits.
type Prediction struct {
	Models       []string        `toml:"models"`        // names of Models; empty: all of them
	Features     []string        `toml:"features"`      // of the models; empty: all
	ItemFeatures []string        `toml:"item_features"` // of the models that know the items; empty: all
	Splits       int             `toml:"splits"`        // random splits; 0: the hold-out that the data declare
	Unit         predict.Unit    `toml:"unit"`          // of random splits: response, item or subject
	Train        float64         `toml:"train"`         // share of the units
	MaxRows      int             `toml:"max_rows"`      // responses that are used at most, drawn at random
	Shift        []predict.Shift `toml:"shift"`         // easy to hard; empty: one by each relevant feature and one by all
}

// DefaultConfig is the analysis of a table that nothing is known about but its declared roles.
func DefaultConfig() Config {
	return Config{Level: 0.95, Replicates: 1000, Permutations: 1000, Seed: 1, Competence: chargrid.DefaultCompetence(), Jobs: 1,
		Prediction: Prediction{Splits: 10, Unit: predict.Response, Train: 0.75, MaxRows: 8000}}
}

// ParseConfig reads TOML strictly over the default: an unknown key, a wrong type or a value out of range is an error
// that names file, line where it can be told, and key.
func ParseConfig(file, text string) (Config, error) {
	c := DefaultConfig()
	meta, err := toml.Decode(text, &c)
	var pe toml.ParseError
	if errors.As(err, &pe) {
		message, _, _ := strings.Cut(pe.Message, "\n")
		return c, fmt.Errorf("%s:%d: %s", file, pe.Position.Line, message)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return c, fmt.Errorf("%s:%d: unknown key %s", file, lineOf(text, u[0]), u[0])
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// lineOf is the first line that sets a key of that name or opens a table of it; 1 where there is none.
func lineOf(text string, key toml.Key) int {
	last := key[len(key)-1]
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		name, _, set := strings.Cut(line, "=")
		if set && strings.TrimSpace(name) == last || strings.HasPrefix(line, "[") && strings.Trim(line, "[] ") == key.String() {
			return i + 1
		}
	}
	return 1
}

func (c *Config) check() error {
	p := &c.Prediction
	for _, r := range []struct {
		key       string
		ok        bool
		must, was any
	}{
		{"level", c.Level > 0 && c.Level < 1, "between 0 and 1", c.Level},
		{"replicates", c.Replicates >= 0 && c.Replicates <= 1_000_000, "within 0 and 1000000", c.Replicates},
		{"permutations", c.Permutations >= 0 && c.Permutations <= 1_000_000, "within 0 and 1000000", c.Permutations},
		{"competence.threshold", c.Competence.Threshold > 0 && c.Competence.Threshold < 1, "between 0 and 1", c.Competence.Threshold},
		{"competence.confidence", c.Competence.Confidence > 0.5 && c.Competence.Confidence < 1, "between 0.5 and 1", c.Competence.Confidence},
		{"prediction.splits", p.Splits >= 0 && p.Splits <= 1000, "within 0 and 1000", p.Splits},
		{"prediction.unit", slices.Contains([]predict.Unit{predict.Response, predict.Item, predict.Person}, p.Unit), "response, item or subject", p.Unit},
		{"prediction.train", p.Train > 0 && p.Train < 1, "between 0 and 1", p.Train},
		{"prediction.max_rows", p.MaxRows >= 100, "at least 100", p.MaxRows},
	} {
		if !r.ok {
			return fmt.Errorf("key %s is %v; it must be %v", r.key, r.was, r.must)
		}
	}
	for _, m := range p.Models {
		if !slices.Contains(Models(), m) {
			return fmt.Errorf("key prediction.models: %q is none of %s", m, strings.Join(Models(), ", "))
		}
	}
	if len(c.Capability) > 3 {
		return fmt.Errorf("key capability has %d features; a grid has at most three", len(c.Capability))
	}
	return nil
}

// withDefaults fills in what depends on the data.
func (c Config) withDefaults(d *record.Dataset) (Config, error) {
	if c.Measure == "" {
		c.Measure = successMeasure(d)
	}
	if len(c.Features) == 0 {
		c.Features = columns(d)
	}
	for i := range c.Features {
		for j := range i {
			if c.Features[i].Name == c.Features[j].Name {
				return c, fmt.Errorf("feature %q is declared twice", c.Features[i].Name)
			}
		}
	}
	relevant := c.named(table.Relevant)
	if len(c.Capability) == 0 {
		c.Capability = relevant[:min(3, len(relevant))]
	}
	if len(c.Grids) == 0 {
		for _, name := range relevant {
			c.Grids = append(c.Grids, Grid{[]string{name}})
		}
	}
	if len(c.Prediction.Features) == 0 {
		c.Prediction.Features = c.named("")
	}
	if len(c.Prediction.ItemFeatures) == 0 {
		c.Prediction.ItemFeatures = c.named("")
	}
	if len(c.Prediction.Models) == 0 {
		c.Prediction.Models = Models()
	}
	return c, nil
}

func successMeasure(d *record.Dataset) string {
	if _, ok := d.Measure("success"); ok {
		return "success"
	}
	for _, m := range d.Manifest.Measures {
		if m.Family == record.Binary || m.Family == record.Unit {
			return m.Name
		}
	}
	return "success" // table.Build says that there is none
}

// named are the names of the features of a role; "" for all.
func (c Config) named(role table.Role) (names []string) {
	for _, f := range c.Features {
		if role == "" || f.Role == role {
			names = append(names, f.Name)
		}
	}
	return names
}

// columns makes features of the item columns: demands are relevant, nuisances irrelevant. The labels task and paradigm
// are features where they tell some items apart and are not unique to each.
func columns(d *record.Dataset) (fs []Feature) {
	for _, c := range d.Items.Columns {
		role := table.Other
		switch c.Role {
		case record.Demand:
			role = table.Relevant
		case record.Nuisance:
			role = table.Irrelevant
		}
		fs = append(fs, Feature{Spec: table.Spec{Name: c.Name, Role: role, Expr: c.Name}})
	}
	for _, name := range []string{"paradigm", "task"} {
		c, _ := d.Items.Column(name)
		labels := slices.Clone(c.Text)
		slices.Sort(labels)
		n := len(slices.Compact(labels))
		if n > 1 && n < d.Items.Len() && !slices.ContainsFunc(fs, func(f Feature) bool { return f.Name == name }) {
			fs = append(fs, Feature{Spec: table.Spec{Name: name, Role: table.Other}})
		}
	}
	return fs
}
