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

// Settings say what is analysed and how. Default returns the usual ones. The tags are for package scenarios/setting; Read reads what
// has none.
type Settings struct {
	Measure      string             `setting:"measure" doc:"the measure: binary, unit, or real with all values between 0 and 1 (default: success)"` // empty: success if the data have it, otherwise the first binary or unit measure
	Capability   []string           `setting:"capability" limits:"[0, 3]" doc:"the one to three features whose grid defines capability (default: the first three relevant ones)"`
	Level        float64            `setting:"level" limits:"(0, 1)" doc:"level of every interval"`
	Replicates   int                `setting:"replicates" limits:"[0, 1000000]" doc:"replicates of the bootstrap over subjects; fewer for large tables, with a warning"`
	Permutations int                `setting:"permutations" limits:"[0, 1000000]" doc:"permutations of the test of robustness"`
	Each         bool               `setting:"each" doc:"also conformance, robustness and errors of prediction of each subject by itself"`
	Resample     bool               `setting:"resample" doc:"success, abilities and capabilities on an easier and a harder battery, and among half of the subjects"`
	Seed         uint64             `setting:"seed" doc:"seed of all random streams"`
	Layouts      []string           `setting:"layouts,file" doc:"layouts that predict beside the models, on the same splits and shifts: names or files; also --layout NAME"` // the caller reads them into Predictors
	Competence   chargrid.Criterion `table:"competence"`
	Prediction   Prediction         `table:"prediction"`

	Features []Feature // empty: the columns of the items, by their declared roles
	Grids    []Grid    // further grids; empty: one for each relevant feature
	Groups   []Group   // sets of subjects that get results of their own

	Texts      []Text                             // that the configuration was read from, but for the splits
	Jobs       int                                `setting:"jobs,flag" limits:"[0, 10000]" doc:"models fitted in parallel (default: one per processor); results do not depend on it"`
	SplitsFile string                             // file name of SplitsText, for errors
	SplitsText []byte                             // table of splits (predict.ParseSplits) that replaces the random splits; nil: none
	Running    func(name string)                  // is told of the fit that has been running longest whenever it is another; nil: nobody is
	Progress   func(done, total int, last string) // called after each fit to a split, and each fit to all responses for abilities, by one goroutine at a time; nil: not
	Finished   predict.Finished                   // keeps grades of finished fits, which the next analysis with it takes up; its Key is a digest of the data
	Predictors []predict.Predictor                // further models, for instance measurement layouts, graded on the same splits
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
	Models       []string       `setting:"models" doc:"models that predict, see below (default: the first eleven)"` // names from Models(); empty: the usual ones
	Skills       []string       `setting:"skills" doc:"numeric features that are 1 where an item needs the skill (a Q matrix)"`
	Subsets      []string       `setting:"subsets" doc:"numeric features, above 0 on the items of a subset: abilities on each"`
	Loss         embedding.Loss `setting:"loss" choices:"cross_entropy, squared, absolute" doc:"what converged models with abilities minimise; the last two suit degrees of success"`
	Stability    int            `setting:"stability" limits:"[0, 100]" doc:"how often the order of the subjects is compared between fits to halves of the items, and to smaller sets"`
	Families     []string       `setting:"families" doc:"prefixes of names: for short_forms, a family is new as a whole too"` // see adaptive.ShortForms
	Compared     []string       `setting:"compared" limits:"[0, 8]" doc:"subjects side by side: success by skill, the hardest item passed, the easiest failed"`
	Thorough     bool           `setting:"thorough" doc:"longer chains, more folds for boost, logistic, rasch, stack and factor models: four times the processor time, errors up to 0.1 points lower"`
	Features     []string       `setting:"features" doc:"features of models that know items by features only (default: all)"`
	ItemFeatures []string       `setting:"item_features" doc:"features of models that know the items, too (default: all)"`
	Splits       int            `setting:"splits" limits:"[0, 1000]" doc:"random splits; 0 takes the hold-out that the data declare"`
	Unit         predict.Unit   `setting:"unit" choices:"response, item, subject" doc:"what random splits draw"`
	Train        float64        `setting:"train" limits:"(0, 1)" doc:"proportion of units that trains"`
	Intervals    float64        `setting:"intervals" limits:"[0, 1)" doc:"level of intervals of held-out responses and of subjects' means of these, whose coverage is graded; one more fit per model and split, up to five where responses are few or something is new; 0: none"`
	MaxRows      int            `setting:"max_rows" limits:"[100, 10000000]" doc:"responses used at most, drawn at random"`

	Dimensions []float64 // numbers of abilities, units of the first hidden layer and step sizes among which models with abilities choose; empty: the usual ones
	Layers     []float64
	Steps      []float64
	Published  []PublishedScore
	ShortForms []int           // numbers of items from which the total of a new subject is predicted; empty: none
	New        []predict.Unit  // Item, Person or Both: further splits, on which all models are graded as on the others
	Shift      []predict.Shift // tests that train on easy items and test on hard ones; empty: one for each relevant numeric feature, and one for all of them together
}

// Default returns the settings for a table of which only the declared roles of columns are known.
func Default() Settings {
	return Settings{Level: 0.95, Replicates: 1000, Permutations: 1000, Seed: 1, Competence: chargrid.DefaultCriterion(), Jobs: 1,
		Prediction: Prediction{Loss: embedding.CrossEntropy, Splits: 10, Unit: predict.Response, Train: 0.75, MaxRows: 8000}}
}

// Read reads the parts of a configuration that have no tags, which go into c. It reports faults to root, the table of the whole
// file.
func (c *Settings) Read(root *conf.Table, text string) {
	c.Texts = []Text{newText("config", path.Base(root.Place("").File), text)}
	for _, t := range root.Tables("feature") {
		c.Features = append(c.Features, readFeature(t))
	}
	for _, t := range root.Tables("grid") {
		c.Grids = append(c.Grids, Grid{t.Texts("features")})
	}
	for _, t := range root.Tables("group") {
		c.Groups = append(c.Groups, Group{t.Text("name"), t.Texts("subjects")})
	}
	c.Prediction.read(root.Table("prediction"))
}

const maxBins = 10_000 // largest number of bins of a feature

// texts returns all texts that the analysis depends on.
func (c *Settings) texts() []Text {
	if c.SplitsText == nil {
		return c.Texts
	}
	return append(slices.Clone(c.Texts), newText("splits", c.SplitsFile, string(c.SplitsText)))
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
	for _, m := range t.Texts("models") {
		if !slices.Contains(Models(), m) {
			t.Reportf("models", "%q is not one of %s%s", m, conf.Quoted(Models()), expr.DidYouMean(m, Models()))
		}
	}
	for _, n := range t.Numbers("short_forms", "whole numbers of items from 1", wholes) {
		p.ShortForms = append(p.ShortForms, int(n))
	}
	p.Dimensions = t.Numbers("dimensions", "whole numbers of abilities, from 1 to 50", searched(50))
	p.Layers = t.Numbers("layers", "whole numbers of units, from 1 to 1024", searched(1024))
	p.Steps = t.Numbers("steps", "step sizes above 0, at most 1", func(xs []float64) bool {
		return len(xs) <= mostSearched && !slices.ContainsFunc(xs, func(x float64) bool { return !(x > 0 && x <= 1) })
	})
	p.Published = readPublished(t.Table("published"))
	news := []string{string(predict.Person), string(predict.Item), string(predict.Both)}
	for _, unit := range t.Texts("new") {
		if !slices.Contains(news, unit) || slices.Contains(p.New, predict.Unit(unit)) {
			t.Reportf("new", "%q is not one of %s, or appears twice", unit, conf.Quoted(news))
		}
		p.New = append(p.New, predict.Unit(unit))
	}
	for _, s := range t.Tables("shift") {
		p.Shift = append(p.Shift, predict.Shift{Name: s.Text("name"), Features: s.Texts("features"), Easy: s.Number("easy", 0, "a fraction from 0 to below 1; 0 is a half", func(x float64) bool { return x >= 0 && x < 1 })})
	}
}

// mostSearched is the largest number of values of a setting that is searched.
const mostSearched = 10

// searched returns what says whether values are whole numbers from 1 to most, not too many.
func searched(most float64) func(xs []float64) bool {
	return func(xs []float64) bool {
		return len(xs) <= mostSearched && !slices.ContainsFunc(xs, func(x float64) bool { return x < 1 || x > most || x != math.Trunc(x) })
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
