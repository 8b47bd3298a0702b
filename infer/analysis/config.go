package analysis

import (
	"fmt"
	"math"
	"path"
	"slices"

	"achilles/infer/chargrid"
	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
)

// Settings say what is analysed and how. docs/reference/analysis.md documents the keys.
type Settings struct {
	Measure      string    // name of the measure; empty: success if the data have it, otherwise the first binary or unit measure
	Capability   []string  // one to three features of the grid that defines capability; empty: the first three relevant ones
	Level        float64   // level of intervals, in (0, 1)
	Replicates   int       // number of bootstrap replicates, each a resample of the subjects; at most 1000000
	Permutations int       // number of permutations in the test of robustness, at most 1000000
	Seed         uint64    // seed of all random streams
	Features     []Feature // empty: the columns of the items, by their declared roles
	Grids        []Grid    // further grids; empty: one for each relevant feature
	Groups       []Group   // sets of subjects that get results of their own
	Layouts      []string  // names or files of measurement layouts that also predict; the caller reads them into Predictors
	Competence   chargrid.Criterion
	Prediction   Prediction

	Texts      []Text              // that the configuration was read from, but for the splits
	Jobs       int                 // number of workers; no result depends on it
	SplitsFile string              // file name of SplitsText, for errors
	SplitsText []byte              // table of splits (predict.ParseSplits) that replaces the random splits; nil: none
	Predictors []predict.Predictor // further models, for instance measurement layouts, graded on the same splits
}

// A Text names a text that an analysis depends on.
type Text struct {
	What   string `json:"what"` // config, layout or splits
	Name   string `json:"name"` // of the layout, or of the file
	SHA256 string `json:"sha256"`
}

func newText(what, name, text string) Text {
	return Text{what, name, part.NewFile(name, []byte(text)).SHA256}
}

// A Feature defines a feature of the items, and its bins in grids and curves.
type Feature struct {
	table.Spec
	Binning chargrid.Binning
}

// A Grid names the features of a grid.
type Grid struct{ Features []string }

// A Group names a set of subjects.
type Group struct {
	Name     string
	Subjects []string
}

// A PublishedScore is a number from the literature that is shown beside ours.
type PublishedScore struct {
	Model, Score string // Score is one of scoreNames
	Value        float64
}

// A Prediction says which models are fitted to which splits.
type Prediction struct {
	Models       []string       // names from Models(); empty: the usual ones
	Features     []string       // features that models predict from; empty: all
	ItemFeatures []string       // features for the model factor, which also has effects of single items; empty: all
	Skills       []string       // numeric features that say which skills an item needs (a Q matrix); empty: skills are unknown
	Loss         embedding.Loss // what the models of package embedding that are trained until convergence minimise
	Stability    int            // number of times that the order of the subjects is compared between fits to halves of the items, at most 100
	Published    []PublishedScore
	ShortForms   []int           // numbers of items from which the total of a new subject is predicted; empty: none
	Families     []string        // prefixes of subjects' names, each of a family (see shortform.Settings)
	Splits       int             // number of random splits, at most 1000; 0: one split, which tests on the held-out responses
	Unit         predict.Unit    // unit of random splits: response, item or subject
	New          []predict.Unit  // Item, Person or Both: further splits, on which all models are graded as on the others
	Train        float64         // share of the units in the training part, in (0, 1)
	MaxRows      int             // largest number of responses used, 100 to 10,000,000; a larger table is sampled at random
	Shift        []predict.Shift // tests that train on easy items and test on hard ones; empty: one for each relevant numeric feature, and one for all of them together
}

// Default returns the settings for a table of which only the declared roles of columns are known.
func Default() Settings {
	return Settings{Level: 0.95, Replicates: 1000, Permutations: 1000, Seed: 1, Competence: chargrid.DefaultCriterion(), Jobs: 1,
		Prediction: Prediction{Splits: 10, Unit: predict.Response, Train: 0.75, MaxRows: 8000}}
}

// Parse reads settings in TOML. Keys that are absent keep the value of Default. The error is a
// *conf.Error with all mistakes.
func Parse(file, text string) (Settings, error) {
	c := Default()
	root, err := conf.Parse(file, text)
	if err != nil {
		return c, err
	}
	c.Texts = []Text{newText("config", path.Base(file), text)}
	c.Measure, c.Capability, c.Layouts = root.Text("measure"), root.Texts("capability"), root.Texts("layouts")
	c.Level = root.Number("level", c.Level, "a number", nil)
	c.Replicates = root.Whole("replicates", c.Replicates, 0, math.MaxInt32)
	c.Permutations = root.Whole("permutations", c.Permutations, 0, math.MaxInt32)
	c.Seed = uint64(root.Whole("seed", int(c.Seed), 0, math.MaxInt64))
	for _, t := range root.Tables("feature") {
		c.Features = append(c.Features, readFeature(t))
	}
	for _, t := range root.Tables("grid") {
		c.Grids = append(c.Grids, Grid{t.Texts("features")})
	}
	for _, t := range root.Tables("group") {
		c.Groups = append(c.Groups, Group{t.Text("name"), t.Texts("subjects")})
	}
	q := root.Table("competence")
	c.Competence.Threshold = q.Number("threshold", c.Competence.Threshold, "a number", nil)
	c.Competence.Confidence = q.Number("confidence", c.Competence.Confidence, "a number", nil)
	c.Prediction.read(root.Table("prediction"))
	for _, l := range c.beyondLimits() {
		root.Report(root.At(l.key).Errorf("want %s, not %v", l.want, l.got))
	}
	return c, root.Err()
}

const (
	maxBins = 10_000     // largest number of bins of a feature
	maxRows = 10_000_000 // largest value of prediction.max_rows
)

// A limit is a setting with an invalid value.
type limit struct {
	key, want string // key in TOML, and the valid values in words
	got       any    // the invalid value
}

// texts returns all texts that the analysis depends on.
func (c *Settings) texts() []Text {
	if c.SplitsText == nil {
		return c.Texts
	}
	return append(slices.Clone(c.Texts), newText("splits", c.SplitsFile, string(c.SplitsText)))
}

// beyondLimits lists the settings with invalid values.
func (c *Settings) beyondLimits() (wrong []limit) {
	check := func(ok bool, key, want string, got any) {
		if !ok {
			wrong = append(wrong, limit{key, want, got})
		}
	}
	const runs = 1_000_000
	p, q := &c.Prediction, &c.Competence
	check(len(c.Capability) <= 3, "capability", "at most three features", len(c.Capability))
	check(c.Level > 0 && c.Level < 1, "level", "a number between 0 and 1", c.Level)
	check(c.Replicates >= 0 && c.Replicates <= runs, "replicates", "at most 1000000", c.Replicates)
	check(c.Permutations >= 0 && c.Permutations <= runs, "permutations", "at most 1000000", c.Permutations)
	check(q.Threshold > 0 && q.Threshold < 1, "competence.threshold", "a number between 0 and 1", q.Threshold)
	check(q.Confidence > 0.5 && q.Confidence < 1, "competence.confidence", "a number between 0.5 and 1", q.Confidence)
	check(p.Splits >= 0 && p.Splits <= 1000, "prediction.splits", "at most 1000", p.Splits)
	check(p.Stability >= 0 && p.Stability <= 100, "prediction.stability", "at most 100", p.Stability)
	check(p.Train > 0 && p.Train < 1, "prediction.train", "a number between 0 and 1", p.Train)
	check(p.MaxRows >= 100 && p.MaxRows <= maxRows, "prediction.max_rows", "a number from 100 to 10000000", p.MaxRows)
	return wrong
}

func readFeature(t *conf.Table) Feature {
	var f Feature
	f.Name = t.NeedText("name", "what the feature is called")
	f.Role = table.Role(t.Word("role", string(table.Other), string(table.Relevant), string(table.Irrelevant)))
	f.Expr, _ = t.Expression("expr")
	f.Where, _ = t.Expression("where")
	f.Nominal, f.Standardise = t.Flag("nominal", false), t.Flag("standardise", false)
	b := t.Table("binning")
	f.Binning.Cuts = b.Numbers("cuts", "cut points, such as [0, 0.5, 1]", nil)
	f.Binning.Bins = b.Whole("bins", 0, 0, maxBins)
	if b.Has("rule") {
		f.Binning.Rule = chargrid.Rule(b.Word("rule", string(chargrid.Width), string(chargrid.Quantile), string(chargrid.Values)))
	}
	return f
}

func (p *Prediction) read(t *conf.Table) {
	p.Models = t.Texts("models")
	for _, m := range p.Models {
		if !slices.Contains(Models(), m) {
			t.Reportf("models", "%q is not one of %s%s", m, conf.Quoted(Models()), expr.DidYouMean(m, Models()))
		}
	}
	p.Features, p.ItemFeatures = t.Texts("features"), t.Texts("item_features")
	p.Skills = t.Texts("skills")
	p.Stability = t.Whole("stability", p.Stability, 0, math.MaxInt32)
	for _, n := range t.Numbers("short_forms", "whole numbers of items from 1", wholes) {
		p.ShortForms = append(p.ShortForms, int(n))
	}
	p.Families = t.Texts("families")
	losses := []string{"cross_entropy", "squared", "absolute"} // in the order of embedding.Loss
	p.Loss = embedding.Loss(slices.Index(losses, t.Word("loss", losses...)))
	p.Published = readPublished(t.Table("published"))
	p.Splits = t.Whole("splits", p.Splits, 0, math.MaxInt32)
	p.Unit = predict.Unit(t.Word("unit", string(predict.Response), string(predict.Item), string(predict.Person)))
	news := []string{string(predict.Person), string(predict.Item), string(predict.Both)}
	for _, unit := range t.Texts("new") {
		if !slices.Contains(news, unit) || slices.Contains(p.New, predict.Unit(unit)) {
			t.Reportf("new", "%q is not one of %s, or is there twice", unit, conf.Quoted(news))
		}
		p.New = append(p.New, predict.Unit(unit))
	}
	p.Train = t.Number("train", p.Train, "a number", nil)
	p.MaxRows = t.Whole("max_rows", p.MaxRows, 0, math.MaxInt32)
	for _, s := range t.Tables("shift") {
		p.Shift = append(p.Shift, predict.Shift{Name: s.Text("name"), Features: s.Texts("features"), Easy: s.Number("easy", 0, "a fraction from 0 to below 1; 0 is a half", func(x float64) bool { return x >= 0 && x < 1 })})
	}
}

func wholes(xs []float64) bool {
	return len(xs) <= 20 && !slices.ContainsFunc(xs, func(x float64) bool { return x < 1 || x > 1000 || x != math.Trunc(x) })
}

// readPublished reads a table of models, each with published scores.
func readPublished(t *conf.Table) (out []PublishedScore) {
	for _, model := range t.Keys() {
		scores := t.Table(model)
		if !slices.Contains(Models(), model) {
			t.Reportf(model, "%q is not one of %s%s", model, conf.Quoted(Models()), expr.DidYouMean(model, Models()))
		}
		for _, name := range scoreNames {
			if scores.Has(name) {
				out = append(out, PublishedScore{model, name, scores.Number(name, 0, "a number", nil)})
			}
		}
	}
	return out
}

// withDefaults returns the configuration with values for settings that are empty and whose default depends on the data
// or on the features.
func (c Settings) withDefaults(d *record.Dataset) (Settings, error) {
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
		c.Prediction.Models = usual()
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
	return "success" // table.Build reports that the data lack this measure
}

// named returns the names of the features with a role, or of all features if role is "".
func (c Settings) named(role table.Role) (names []string) {
	for _, f := range c.Features {
		if role == "" || f.Role == role {
			names = append(names, f.Name)
		}
	}
	return names
}

// columns returns a feature for every item column: demands are relevant, nuisances are irrelevant. Paradigm and task
// become features if they have more than one label, but fewer labels than there are items.
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
