package table_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/table"
	"achilles/sim/record"
)

// small returns a data set of two subjects and three items, the third without size and side.
func small() *record.Dataset {
	d := &record.Dataset{Subjects: []string{"s1", "s2"}, Reasons: []string{"", "lost"}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}, {Name: "steps", Family: record.Count}}
	d.Items = record.Items{ID: []string{"a", "b", "c"}, Suite: []string{"x", "x", "x"}, Paradigm: []string{"p", "q", "q"}, Task: []string{"1", "2", "2"},
		Columns: []record.Column{
			{Feature: record.Feature{Name: "size", Kind: record.Number}, Number: []float64{1, 3, 0}, Missing: []bool{false, false, true}},
			{Feature: record.Feature{Name: "side", Kind: record.Text}, Text: []string{"right", "left", ""}, Missing: []bool{false, false, true}},
		}}
	d.Responses = record.PackResponses([]record.Response{
		{Subject: 0, Item: 0, Value: 1},
		{Subject: 0, Item: 0, Measure: 1, Value: 12},
		{Subject: 0, Item: 1, Value: 0, Split: record.HeldOut},
		{Subject: 0, Item: 2, Unscored: 1},
		{Subject: 1, Item: 1, Phase: record.Familiarisation, Value: 1},
		{Subject: 1, Item: 2, Value: 1, Split: record.HeldOut},
	})
	return d
}

func TestBuildKeepsScoredTestTrials(t *testing.T) {
	tb, err := table.Build(small(), "success", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := [3]any{tb.Subject, tb.Item, tb.Value}; tb.Rows() != 3 || tb.Subject[2] != 1 || tb.Item[1] != 1 || tb.Value[0] != 1 {
		t.Errorf("rows %v, want those of the scored test trials of success", got)
	}
	if b := tb.Bounds(); len(b) != 3 || b[1] != 2 || b[2] != 3 {
		t.Errorf("bounds %v, want 0 2 3", b)
	}
	if h := table.HeldOut(small(), "success"); len(h) != 3 || h[0] || !h[1] || !h[2] {
		t.Errorf("held out %v", h)
	}
	s := tb.Subset([]int32{1, 2})
	if m, ok := s.Mean(); !ok || m != 0.5 {
		t.Errorf("mean of the subset %v", m)
	}
	if _, ok := tb.Subset(nil).Mean(); ok {
		t.Error("an empty table has a mean")
	}
}

func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		name string
		spec table.Spec
		want []float64 // NaN: missing
		why  string
	}{
		{"column", table.Spec{}, []float64{1, 3, math.NaN()}, "no expression means the column of that name"},
		{"expression", table.Spec{Expr: "-log(size)"}, []float64{0, -math.Log(3), math.NaN()}, "missing stays missing"},
		{"condition", table.Spec{Expr: `(side=="right")-(side=="left")`}, []float64{1, -1, 0}, "conditions count as 1 and 0"},
		{"where", table.Spec{Expr: "size", Where: `side=="right"`}, []float64{1, math.NaN(), math.NaN()}, "missing where the condition fails"},
		{"not finite", table.Spec{Expr: "log(size-1)"}, []float64{math.NaN(), math.Log(2), math.NaN()}, "log 0 is no number"},
		{"standardise", table.Spec{Expr: "size", Standardise: true}, []float64{-math.Sqrt2 / 2, math.Sqrt2 / 2, math.NaN()}, "mean 2, sd √2"},
		{"text", table.Spec{Expr: "side"}, []float64{1, 0, math.NaN()}, "levels are sorted: left, right"},
		{"nominal number", table.Spec{Expr: "size", Nominal: true}, []float64{0, 1, math.NaN()}, "numbers as labels"},
		{"label", table.Spec{Expr: "paradigm"}, []float64{0, 1, 1}, "suite, paradigm and task are columns"},
	} {
		c.spec.Name = "size"
		tb, err := table.Build(small(), "success", []table.Spec{c.spec})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, want := range c.want {
			if v, ok := tb.Features[0].At(i); ok == math.IsNaN(want) || ok && math.Abs(v-want) > 1e-12 {
				t.Errorf("%s (%s): item %d: %v %v, want %v", c.name, c.why, i, v, ok, want)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, measure, want string
		specs               []table.Spec
	}{
		{"no such measure", "pass", "its measures are success (binary) steps (count)", nil},
		{"not a success", "steps", "needs a binary or a unit measure", nil},
		{"unknown column", "success", "unknown name sise", []table.Spec{{Name: "sise"}}},
		{"role", "success", "not one of relevant, irrelevant, other", []table.Spec{{Name: "size", Role: "nuisance"}}},
		{"no name", "success", "key name is needed", []table.Spec{{}}},
		{"twice", "success", "declared twice", []table.Spec{{Name: "size"}, {Name: "size"}}},
		{"labels have no mean", "success", "labels, not numbers", []table.Spec{{Name: "side", Standardise: true}}},
		{"where needs a condition", "success", "a condition is needed", []table.Spec{{Name: "size", Where: "size"}}},
	} {
		_, err := table.Build(small(), c.measure, c.specs)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.name, err, c.want)
		}
	}
	d := small()
	d.Manifest.Measures[1].Family = record.Choice
	if _, err := table.Build(d, "steps", nil); err == nil || !strings.Contains(err.Error(), "achilles irt takes ordered categories") {
		t.Errorf("choice: %v", err)
	}
	d.Manifest.Measures[1].Family = record.Real
	if _, err := table.Build(d, "steps", nil); err == nil || !strings.Contains(err.Error(), "subject s1, item a: 12 is not a degree of success") {
		t.Errorf("real: %v", err)
	}
	list := d.Responses.List()
	list[1].Value = 0.25
	d.Responses = record.PackResponses(list)
	if tb, err := table.Build(d, "steps", nil); err != nil || tb.Binary || tb.Value[0] != 0.25 {
		t.Errorf("a real measure between 0 and 1: %v", err)
	}
	d.Responses = record.Responses{}
	if _, err := table.Build(d, "success", nil); err == nil || !strings.Contains(err.Error(), "no scored test response") {
		t.Errorf("empty: %v", err)
	}
}
