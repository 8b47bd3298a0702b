package analysis_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	var list []record.Response
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
			list = append(list, record.Response{Subject: int32(s), Item: int32(i), Measure: 1, Value: v, Split: split})
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

// quick returns a configuration without the slow models.
func quick() analysis.Settings {
	c := analysis.Default()
	c.Replicates, c.Permutations = 50, 50
	c.Prediction.Models, c.Prediction.Splits = []string{"majority", "subject", "tree"}, 2
	return c
}

func run(t testing.TB, d *record.Dataset, c analysis.Settings) *analysis.Analysis {
	t.Helper()
	a, err := analysis.Run(context.Background(), d, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
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

// everything returns the files of an analysis with all usual models, one that is plugged in, and a group.
func everything(t testing.TB, jobs int) files {
	c := quick()
	c.Prediction.Models, c.Jobs = nil, jobs
	c.Predictors = []predict.Predictor{plugged{}}
	c.Groups = []analysis.Group{{Name: "first", Subjects: []string{"s0000", "s0001", "s0002"}}}
	return written(t, run(t, simulated(8, 30), c))
}

// TestDocument checks the names in analysis.json, because users' programs rely on them, and that no file of the analysis depends on the
// number of workers.
func TestDocument(t *testing.T) {
	one, three := everything(t, 1), everything(t, 3)
	for name, b := range one {
		if !bytes.Equal(b, three[name]) {
			t.Errorf("%s differs between one worker and three", name)
		}
	}
	if len(one) != 13 {
		t.Errorf("%d files", len(one))
	}
	var doc map[string]any
	if err := json.Unmarshal(one["analysis.json"], &doc); err != nil {
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
