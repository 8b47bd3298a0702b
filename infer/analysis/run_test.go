package analysis_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// simulated returns subjects who fail more if size is larger. side is a nuisance without effect. The paradigm separates
// the items into halves.
func simulated(subjects, items int) *record.Dataset {
	r := rng.Stream(uint64(subjects), "analysis", "simulated")
	d := &record.Dataset{Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "steps", Family: record.Count}, {Name: "success", Family: record.Binary}}
	size := record.Column{Feature: record.Feature{Name: "size", Kind: record.Number, Role: record.Demand}}
	side := record.Column{Feature: record.Feature{Name: "side", Kind: record.Text, Role: record.Nuisance}}
	for i := range items {
		d.Items.ID = append(d.Items.ID, fmt.Sprintf("i%05d", i))
		d.Items.Suite = append(d.Items.Suite, "suite")
		d.Items.Paradigm = append(d.Items.Paradigm, fmt.Sprint("p", i*2/items))
		d.Items.Task = append(d.Items.Task, "task")
		size.Number = append(size.Number, math.Round(8*r.Float64())/8)
		side.Text = append(side.Text, []string{"left", "right"}[r.IntN(2)])
	}
	d.Items.Columns = []record.Column{size, side}
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s%04d", s))
		ability := r.Float64()
		for i := range items {
			v := 0.0
			if r.Bernoulli(1 / (1 + math.Exp(-8*(ability-size.Number[i])))) {
				v = 1
			}
			split := record.Fit
			if r.Bernoulli(0.2) {
				split = record.HeldOut
			}
			d.Responses = append(d.Responses, record.Response{Subject: int32(s), Item: int32(i), Measure: 1, Value: v, Split: split})
		}
	}
	return d
}

// quick returns a configuration without the slow models.
func quick() analysis.Config {
	c := analysis.DefaultConfig()
	c.Replicates, c.Permutations = 50, 50
	c.Prediction.Models, c.Prediction.Splits = []string{"majority", "subject", "tree"}, 2
	return c
}

func run(t testing.TB, d *record.Dataset, c analysis.Config) *analysis.Analysis {
	t.Helper()
	a, err := analysis.Run(context.Background(), d, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// files is a Sink that stores files in a map.
type files map[string][]byte

func (f files) Put(name string, data []byte) error {
	f[name] = data
	return nil
}

func written(t testing.TB, a *analysis.Analysis) files {
	t.Helper()
	f := files{}
	if err := a.Document().Write(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRead checks that a document that was written and read has the same sets, models, shifts and grids, and is written
// as the same bytes again.
func TestRead(t *testing.T) {
	for name, d := range map[string]*record.Dataset{"with features": simulated(12, 40), "without": bare()} {
		want := run(t, d, quick()).Document()
		f := files{}
		if err := want.Write(f); err != nil {
			t.Fatal(err)
		}
		dir := fstest.MapFS{}
		for name, data := range f {
			dir[name] = &fstest.MapFile{Data: data}
		}
		got, err := analysis.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Sets(), want.Sets()) || !slices.Equal(got.Models(), want.Models()) || !slices.Equal(got.Shifts(), want.Shifts()) || !slices.Equal(got.Tables.Spaces, want.Tables.Spaces) {
			t.Errorf("%s: sets %q, models %q, shifts %q, grids %q", name, got.Sets(), got.Models(), got.Shifts(), got.Tables.Spaces)
		}
		again := files{}
		if err := got.Write(again); err != nil {
			t.Fatal(err)
		}
		for file, data := range f {
			if !bytes.Equal(again[file], data) {
				t.Errorf("%s: %s is\n%s\nand read and written again\n%s", name, file, data, again[file])
			}
		}
	}
}

// bare returns a dataset without features.
func bare() *record.Dataset {
	d := simulated(12, 40)
	d.Items.Columns = nil
	for i := range d.Items.Paradigm {
		d.Items.Paradigm[i] = "one"
	}
	return d
}

// TestReadRefuses checks that the error for a damaged file names the file and, in a table, the line and the column.
func TestReadRefuses(t *testing.T) {
	f := written(t, run(t, simulated(12, 40), quick()))
	for _, c := range []struct{ file, old, new, want string }{
		{"analysis.json", `"version": 1`, `"version": 9`, `analysis.json: format "achilles-analysis" version 9`},
		{"analysis.json", "{", "", "analysis.json: invalid character"},
		{"matrix.csv", "spearman", "speerman", `matrix.csv: line 1: there is no column "spearman"`},
		{"cells.csv", "size,all,0,", "size,all,none,", `cells.csv: line 2, column "cell": strconv.Atoi: parsing "none"`},
		{"curves.csv", "\n", ",\n", "curves.csv: record on line 2: wrong number of fields"},
	} {
		dir := fstest.MapFS{}
		for name, data := range f {
			if name == c.file {
				data = bytes.Replace(data, []byte(c.old), []byte(c.new), 1)
			}
			dir[name] = &fstest.MapFile{Data: data}
		}
		if _, err := analysis.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q for %q: %v, want %q", c.file, c.new, c.old, err, c.want)
		}
		delete(dir, c.file)
		if _, err := analysis.Read(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", c.file, err)
		}
	}
}

// TestDefaultsFromRoles checks an analysis without a configured feature: demands are relevant, nuisances are
// irrelevant, and a paradigm that separates items is a feature.
func TestDefaultsFromRoles(t *testing.T) {
	a := run(t, simulated(12, 40), quick())
	var got []string
	for _, f := range a.Features {
		got = append(got, f.Name+" "+string(f.Role))
	}
	if want := []string{"size relevant", "side irrelevant", "paradigm other"}; !slices.Equal(got, want) {
		t.Errorf("features %q, want %q", got, want)
	}
	if a.Measure != "success" || a.Spaces[0].Name != "size" || a.Capability == nil || len(a.Sets[0].Robustness) != 1 || len(a.Shifts) != 1 {
		t.Errorf("measure %s, spaces %d, shifts %d", a.Measure, len(a.Spaces), len(a.Shifts))
	}
	if c := a.Sets[0].Correlations[0]; c.Spearman.Value > -0.3 || c.Spearman.Cluster.High > 0 {
		t.Errorf("success must fall with size: %+v", c.Spearman)
	}
}

// TestDocument checks the names in analysis.json, because users' programs rely on them.
func TestDocument(t *testing.T) {
	c := quick()
	c.Prediction.Models = nil
	c.Predictors = []predict.Predictor{plugged{}}
	d := simulated(12, 40)
	b := written(t, run(t, d, c))["analysis.json"]
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	at := func(path ...string) any {
		var v any = doc
		for _, p := range path {
			m, _ := v.(map[string]any)
			v = m[p]
		}
		return v
	}
	paths := [][]string{{"correlations", "size", "spearman"}, {"correlations", "size", "pearson"}, {"conformance", "size"}, {"capability_success_correlation"},
		{"robustness", "side", "robustness"}, {"shift", "size", "models", "subject", "error"}}
	for _, m := range append(analysis.Usual(), "plugged") {
		for _, k := range []string{"error", "mae", "mse", "brier"} {
			paths = append(paths, []string{"prediction", m, k})
		}
	}
	for _, p := range paths {
		if _, ok := at(p...).(float64); !ok {
			t.Errorf("%s is %v, want a number", strings.Join(p, "."), at(p...))
		}
	}
	if at("prediction", "plugged", "mae") != 0.5 {
		t.Errorf("a plugged-in model that says ½ has MAE %v", at("prediction", "plugged", "mae"))
	}
}

// plugged is a model that a caller adds. It always predicts ½.
type plugged struct{}

func (plugged) Name() string { return "plugged" }
func (p plugged) Fit(context.Context, *table.Table, uint64) (predict.Model, error) {
	return p, nil
}
func (plugged) Predict(_, _ []int32, p []float64) {
	for i := range p {
		p[i] = 0.5
	}
}

// TestBytesDoNotDependOnJobs compares all files of an analysis by one worker with those by three.
func TestBytesDoNotDependOnJobs(t *testing.T) {
	d, c := simulated(8, 30), quick()
	c.Prediction.Models = nil
	c.Groups = []analysis.GroupConfig{{Name: "first", Subjects: []string{"s0000", "s0001", "s0002"}}}
	one := written(t, run(t, d, c))
	c.Jobs = 3
	three := written(t, run(t, d, c))
	for name, b := range one {
		if !bytes.Equal(b, three[name]) {
			t.Errorf("%s differs", name)
		}
	}
	if len(one) != 12 {
		t.Errorf("%d files", len(one))
	}
}

// TestTablesAreReadable checks that every table is valid CSV with rows and without NaN, and that the responses in the
// cells of a grid add up.
func TestTablesAreReadable(t *testing.T) {
	f := written(t, run(t, simulated(6, 30), quick()))
	for name, b := range f {
		if name == "analysis.json" {
			continue
		}
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil || len(rows) < 2 || bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	rows, _ := csv.NewReader(bytes.NewReader(f["cells.csv"])).ReadAll()
	sum := map[string]float64{}
	of, n := slices.Index(rows[0], "of"), slices.Index(rows[0], "responses")
	for _, r := range rows[1:] {
		sum[r[of]] += float(t, r[n])
	}
	if sum["all"] != 180 || sum["s0003"] != 30 {
		t.Errorf("responses in the cells: %v", sum)
	}
}

// TestGolden compares all files of a small analysis with those in testdata.
func TestGolden(t *testing.T) {
	d, c := simulated(5, 16), quick()
	c.Replicates, c.Permutations = 20, 20
	c.Prediction.Models = []string{"majority", "subject"}
	for name, b := range written(t, run(t, d, c)) {
		file := filepath.Join("testdata", "small", name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s differs from %s (%v): -update rewrites it; read the difference", name, file, err)
		}
	}
}

// TestOddData analyses data that lack something. The warnings must say what.
func TestOddData(t *testing.T) {
	whole := simulated(6, 20)
	edit := func(f func(d *record.Dataset)) *record.Dataset {
		d := *whole
		d.Items.Columns = slices.Clone(d.Items.Columns)
		d.Responses = slices.Clone(d.Responses)
		d.Manifest.Measures = slices.Clone(d.Manifest.Measures)
		f(&d)
		return &d
	}
	for _, c := range []struct {
		name, want string
		d          *record.Dataset
	}{
		{"one subject", "with one subject there are no intervals over subjects", edit(func(d *record.Dataset) { d.Subjects, d.Responses = d.Subjects[:1], d.Responses[:20] })},
		{"no feature", "the items have no feature", edit(func(d *record.Dataset) { d.Items.Columns = nil; d.Items.Paradigm = d.Items.Task })},
		{"no role", "no feature is declared relevant", edit(func(d *record.Dataset) { d.Items.Columns = d.Items.Columns[1:] })},
		{"constant feature", "all items have the same demand", edit(func(d *record.Dataset) { d.Items.Columns[0].Number = make([]float64, 20) })},
		{"missing feature", "no item has a value", edit(func(d *record.Dataset) {
			d.Items.Columns[1] = record.Column{Feature: record.Feature{Name: "gone", Kind: record.Number, Role: record.Nuisance}, Number: make([]float64, 20), Missing: slices.Repeat([]bool{true}, 20)}
		})},
		{"half missing", "11 of 20 items have no value", edit(func(d *record.Dataset) {
			d.Items.Columns[0].Missing = append(slices.Repeat([]bool{true}, 11), make([]bool, 9)...)
		})},
		{"everybody succeeds", "is not defined: fewer than two subjects differ", edit(func(d *record.Dataset) {
			for i := range d.Responses {
				d.Responses[i].Value = 1
			}
		})},
		{"a response each", "training and", edit(func(d *record.Dataset) { d.Responses = d.Responses[:1] })},
	} {
		cfg := quick()
		cfg.Prediction.Models = nil
		a := run(t, c.d, cfg)
		if !strings.Contains(fmt.Sprint(a.Warnings), c.want) {
			t.Errorf("%s: warnings %q, want …%s…", c.name, a.Warnings, c.want)
		}
		written(t, a)
	}
}

func TestBadRequests(t *testing.T) {
	d := simulated(4, 20)
	for _, c := range []struct {
		want string
		edit func(c *analysis.Config)
	}{
		{`measure "joy" is not in the data`, func(c *analysis.Config) { c.Measure = "joy" }},
		{`measure "steps" is of family "count"`, func(c *analysis.Config) { c.Measure = "steps" }},
		{`feature "weight" is not declared`, func(c *analysis.Config) { c.Capability = []string{"weight"} }},
		{`feature "weight" is not declared`, func(c *analysis.Config) { c.Prediction.Features = []string{"weight"} }},
		{`feature "weight" is not declared`, func(c *analysis.Config) {
			c.Prediction.Shift = []predict.Shift{{Name: "x", Features: []string{"weight"}}}
		}},
		{"more and less are not defined", func(c *analysis.Config) {
			c.Prediction.Shift = []predict.Shift{{Name: "x", Features: []string{"side"}}}
		}},
		{`subject "nobody" is not in the data`, func(c *analysis.Config) {
			c.Groups = []analysis.GroupConfig{{Name: "g", Subjects: []string{"nobody"}}}
		}},
		{`name "s0000" is empty, all, or that of a subject`, func(c *analysis.Config) {
			c.Groups = []analysis.GroupConfig{{Name: "s0000", Subjects: []string{"s0001"}}}
		}},
		{"must ascend", func(c *analysis.Config) {
			c.Features = []analysis.FeatureConfig{{Spec: table.Spec{Name: "size"}}}
			c.Features[0].Binning.Cuts = []float64{2, 1}
		}},
		{"declared twice", func(c *analysis.Config) {
			c.Features = []analysis.FeatureConfig{{Spec: table.Spec{Name: "size"}}, {Spec: table.Spec{Name: "size"}}}
		}},
		{"a grid has feature \"size\" twice", func(c *analysis.Config) { c.Grids = []analysis.GridConfig{{Features: []string{"size", "size"}}} }},
		{"splits.csv: line 1", func(c *analysis.Config) { c.SplitsFile, c.SplitsText = "splits.csv", []byte("a\n") }},
		{"key level", func(c *analysis.Config) { c.Level = 2 }},
	} {
		cfg := quick()
		c.edit(&cfg)
		if _, err := analysis.Run(context.Background(), d, cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want …%s…", err, c.want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := analysis.Run(ctx, d, quick()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := run(t, d, quick()).Document().Write(full{}); err == nil || !strings.Contains(err.Error(), "correlations.csv: disk full") {
		t.Errorf("a sink that fails: %v", err)
	}
}

// full is a sink that accepts only analysis.json.
type full struct{}

func (full) Put(name string, _ []byte) error {
	if name == "analysis.json" {
		return nil
	}
	return errors.New("disk full")
}

// TestDeclaredSplit checks that, if there are no random splits, the only split is the one that the data declare.
func TestDeclaredSplit(t *testing.T) {
	d, c := simulated(6, 30), quick()
	c.Prediction.Splits = 0
	held := 0
	for _, r := range d.Responses {
		if r.Split == record.HeldOut {
			held++
		}
	}
	a := run(t, d, c)
	if r := a.Prediction[0]; len(r.Splits) != 1 || r.Splits[0] != "declared" || r.Grades[0].N != held {
		t.Errorf("%v, %d test rows, want %d", r.Splits, r.Grades[0].N, held)
	}
}

// TestSample checks that only models use a sample if there are more responses than MaxRows.
func TestSample(t *testing.T) {
	d, c := simulated(10, 40), quick()
	c.Prediction.MaxRows = 100
	a := run(t, d, c)
	// The 25 test rows, drawn at random from the rows of ten subjects, are those of fewer than six subjects once in a million
	// times. The first hundred rows of the table are those of three subjects.
	if g := a.Prediction[0].Grades[0]; g.N != 25 || g.Subjects < 6 || a.Responses != 400 || !strings.Contains(fmt.Sprint(a.Warnings), "100 of 400 responses") {
		t.Errorf("%d test rows, %d responses, warnings %v", g.N, a.Responses, a.Warnings)
	}
}

// TestConstantFeatureChangesNothing adds a constant irrelevant feature. No number of the other features may change.
func TestConstantFeatureChangesNothing(t *testing.T) {
	d, c := simulated(6, 30), quick()
	before := run(t, d, c)
	more := *d
	more.Items.Columns = append(slices.Clone(d.Items.Columns), record.Column{Feature: record.Feature{Name: "constant", Kind: record.Number, Role: record.Nuisance}, Number: make([]float64, 30)})
	after := run(t, &more, c)
	for i, r := range before.Sets[0].Correlations {
		if fmt.Sprint(r) != fmt.Sprint(after.Sets[0].Correlations[i]) {
			t.Errorf("%s: %+v, with a constant beside it %+v", r.Feature, r, after.Sets[0].Correlations[i])
		}
	}
	for i, r := range before.Prediction {
		if fmt.Sprint(r) != fmt.Sprint(after.Prediction[i]) {
			t.Errorf("%s: predictions change with a constant feature", r.Model)
		}
	}
	if *before.Capability.Subjects[0].Capability[0] != *after.Capability.Subjects[0].Capability[0] {
		t.Error("capability changes with a constant feature")
	}
}

// TestTraits checks that models with traits give abilities that agree with success, and parameters, masks and skills,
// and that the files have all of these.
func TestTraits(t *testing.T) {
	d, c := simulated(20, 40), quick()
	for j, x := range d.Items.Columns[0].Number {
		d.Items.Columns[0].Number[j] = math.Round(x)
	}
	c.Prediction.Models = []string{"subject", "subject_skills", "irt", "camilla_base", "camilla_published"}
	c.Prediction.Skills, c.Prediction.Stability, c.Prediction.Splits = []string{"size"}, 2, 1
	c.Prediction.Published = []analysis.PublishedScore{{Model: "irt", Score: "auc", Value: 0.9}}
	a := run(t, d, c)
	doc := a.Document()
	count := map[string]int{}
	for _, r := range doc.Tables.Abilities {
		count[r.Model+" "+r.Skill]++
	}
	if count["irt "] != 20 || count["camilla_base size"] != 20 || count["subject "] != 0 || len(doc.Tables.Parameters) != 120 || len(doc.Tables.Masks) != 40+5*40 {
		t.Errorf("abilities %v, %d parameters, %d masks", count, len(doc.Tables.Parameters), len(doc.Tables.Masks))
	}
	for _, r := range doc.Tables.Agreement {
		if r.Model == "irt" && !(r.Spearman > 0.95 && r.Kendall > 0.8 && r.Kendall < r.Spearman && r.Stability > 0.3 && r.Stability < 1 && r.StabilitySD > 0) {
			t.Errorf("agreement %+v", r)
		}
	}
	for _, r := range doc.Tables.Scores {
		if got, want := r.Published == 0.9, r.Model == "irt" && r.Score == "auc"; got != want {
			t.Errorf("published: %+v", r)
		}
	}
	f := written(t, a)
	for _, name := range []string{"abilities.csv", "parameters.csv", "masks.csv", "agreement.csv"} {
		if len(f[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestKendall checks tau-b by hand: of three pairs, one is tied in x, one is concordant and one is discordant. The
// tau-b of a constant is NaN.
func TestKendall(t *testing.T) {
	if got, want := analysis.Kendall([]float64{1, 1, 2}, []float64{1, 2, 1.5}), 0.0; got != want {
		t.Errorf("tau-b %v, want %v", got, want)
	}
	if got, want := analysis.Kendall([]float64{1, 1, 2}, []float64{1, 2, 3}), 2/math.Sqrt(6); math.Abs(got-want) > 1e-12 {
		t.Errorf("tau-b %v, want %v", got, want)
	}
	if got := analysis.Kendall([]float64{1, 1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("tau-b of a constant is %v", got)
	}
}

// TestLoss checks that the configured loss reaches the converged models and changes their predictions.
func TestLoss(t *testing.T) {
	mae := map[string]float64{}
	for _, loss := range []string{"cross_entropy", "squared", "absolute"} {
		c, err := analysis.ParseConfig("a.toml", "replicates = 10\npermutations = 10\n[prediction]\nmodels = [\"irt\"]\nsplits = 1\nloss = \""+loss+"\"\n")
		if err != nil {
			t.Fatal(err)
		}
		mae[loss] = run(t, simulated(12, 20), c).Prediction[0].Grades[0].Mean[predict.MAE]
	}
	if mae["absolute"] >= mae["cross_entropy"] || mae["squared"] == mae["cross_entropy"] {
		t.Errorf("mean absolute errors %v", mae)
	}
}

// TestShortForms checks that configured short forms give results, and that there is no file of them if none are configured.
func TestShortForms(t *testing.T) {
	c := quick()
	c.Prediction.ShortForms, c.Prediction.Splits = []int{3}, 1
	d := run(t, simulated(20, 30), c).Document()
	if n := len(d.Tables.ShortForms); n != 2*5 || d.Tables.ShortForms[0].Model != "short_form" || d.Tables.ShortForms[0].Subjects != 20 {
		t.Errorf("%d results: %+v", n, d.Tables.ShortForms)
	}
	if f := written(t, run(t, simulated(20, 30), quick())); f["short_forms.csv"] != nil {
		t.Error("results that were not asked for")
	}
}
