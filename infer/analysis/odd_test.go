package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
)

// TestOddData analyses data that lack something. The warnings must say what.
func TestOddData(t *testing.T) {
	whole := simulated(6, 20)
	edit := func(f func(d *record.Dataset)) *record.Dataset {
		d := *whole
		d.Items.Columns = slices.Clone(d.Items.Columns)
		d.Manifest.Measures = slices.Clone(d.Manifest.Measures)
		f(&d)
		return &d
	}
	for _, c := range []struct {
		name, want string
		d          *record.Dataset
	}{
		{"one subject", "with one subject there are no intervals over subjects", edit(func(d *record.Dataset) {
			d.Subjects, d.Responses = d.Subjects[:1], record.PackResponses(d.Responses.Of(0))
		})},
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
			list := d.Responses.List()
			for i := range list {
				list[i].Value = 1
			}
			d.Responses = record.PackResponses(list)
		})},
		{"a response each", "training and", edit(func(d *record.Dataset) { d.Responses = record.PackResponses(d.Responses.List()[:1]) })},
	} {
		cfg := quick()
		cfg.Prediction.Models, cfg.Prediction.Splits = nil, 1
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
		edit func(c *analysis.Settings)
	}{
		{`measure "joy" is not in the data`, func(c *analysis.Settings) { c.Measure = "joy" }},
		{`measure "steps" counts successes, and an analysis of success needs a binary or a unit measure: achilles irt, infer and compare take counts`, func(c *analysis.Settings) { c.Measure = "steps" }},
		{`feature "weight" is not declared`, func(c *analysis.Settings) { c.Capability = []string{"weight"} }},
		{`feature "weight" is not declared`, func(c *analysis.Settings) { c.Prediction.Features = []string{"weight"} }},
		{`feature "weight" is not declared`, func(c *analysis.Settings) {
			c.Prediction.Shift = []predict.Shift{{Name: "x", Features: []string{"weight"}}}
		}},
		{"more and less are not defined", func(c *analysis.Settings) {
			c.Prediction.Shift = []predict.Shift{{Name: "x", Features: []string{"side"}}}
		}},
		{`subject "nobody" is not in the data`, func(c *analysis.Settings) {
			c.Groups = []analysis.Group{{Name: "g", Subjects: []string{"nobody"}}}
		}},
		{`name "s0000" is empty, all, or that of a subject`, func(c *analysis.Settings) {
			c.Groups = []analysis.Group{{Name: "s0000", Subjects: []string{"s0001"}}}
		}},
		{"must ascend", func(c *analysis.Settings) {
			c.Features = []analysis.Feature{{Spec: table.Spec{Name: "size"}}}
			c.Features[0].Binning.Cuts = []float64{2, 1}
		}},
		{"declared twice", func(c *analysis.Settings) {
			c.Features = []analysis.Feature{{Spec: table.Spec{Name: "size"}}, {Spec: table.Spec{Name: "size"}}}
		}},
		{"a grid has feature \"size\" twice", func(c *analysis.Settings) { c.Grids = []analysis.Grid{{Features: []string{"size", "size"}}} }},
		{"splits.csv: line 1", func(c *analysis.Settings) { c.SplitsFile, c.SplitsText = "splits.csv", []byte("a\n") }},
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
}

// TestDeclaredSplit checks that, if there are no random splits, the only split is the one that the data declare.
func TestDeclaredSplit(t *testing.T) {
	d, c := simulated(6, 30), quick()
	c.Prediction.Splits = 0
	held := 0
	for _, r := range d.Responses.All() {
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
	for _, r := range before.Sets[0].Correlations {
		if got := correlation(after, r.Feature); fmt.Sprint(r) != fmt.Sprint(got) {
			t.Errorf("%s: %+v, with a constant beside it %+v", r.Feature, r, got)
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
