package infer_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
)

// unseenCase returns a public directory of three subjects, a and b with responses and c without, and a result with two draws for a,
// one for b and none for c.
func unseenCase(t *testing.T, text string) (fstest.MapFS, *infer.Result, *layout.Layout) {
	t.Helper()
	l, err := layout.Parse("mine.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	features := []record.Feature{{Name: "demand", Kind: record.Number, Role: record.Demand}, {Name: "cover", Kind: record.Text, Role: record.Condition}}
	d := &record.Dataset{Subjects: []string{"a", "b", "c"},
		Items: record.Items{ID: []string{"x", "y"}, Suite: []string{"s", "s"}, Paradigm: []string{"p", "p"}, Task: []string{"t", "t"},
			Columns: []record.Column{{Feature: features[0], Number: []float64{0, 2}}, {Feature: features[1], Text: []string{"cup", "cup"}}}}}
	d.Reasons, d.Manifest.Features, d.Manifest.Measures = []string{"", "tired"}, features, []record.Measure{{Name: "success", Family: record.Binary}}
	d.Responses = record.PackResponses([]record.Response{{Subject: 0, Item: 0, Value: 1}, {Subject: 0, Item: 1, Value: 0}, {Subject: 1, Item: 0, Value: 1}, {Subject: 2, Item: 0, Unscored: 1}})
	files, err := record.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	public := fstest.MapFS{}
	for name, b := range files {
		public[name] = &fstest.MapFile{Data: b}
	}
	draws := &infertest.Draws{Names: []string{"skill"}}
	draws.Add("a", 0, 0, 0)
	draws.Add("a", 0, 1, math.Log(3))
	draws.Add("b", 0, 0, 0)
	res := &infer.Result{Draws: draws, Diagnostics: infer.Diagnostics{Fits: []infer.Fit{
		{Subject: "a", Rows: infer.AllRows}, {Subject: "b", Rows: infer.AllRows, Warnings: []posterior.Warning{{Message: "few draws"}}}}}}
	res.Settings.Layout = infer.DigestOf(l)
	return public, res, l
}

const logisticLayout = `name = "mine"
[metafeature]
demand = { column = "demand", range = [-10, 10] }
[capability]
skill = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(skill - demand)"
`

func newItems(demand ...float64) *record.Items {
	names := []string{"n1", "n2", "n3", "n4"}[:len(demand)]
	none := make([]string, len(demand))
	return &record.Items{ID: names, Suite: none, Paradigm: none, Task: none, Columns: []record.Column{{Feature: record.Feature{Name: "demand", Kind: record.Number}, Number: demand}}}
}

// TestPredictUnseen compares predictions with values by hand: a has the draws 0 and log 3, so that it passes demand 0 with the
// probabilities 1/2 and 3/4; b the draw 0. Nothing was drawn for c.
func TestPredictUnseen(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Items: newItems(0, -math.Log(3), 0), Level: 0.9, Safe: 0.74})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	want := []struct {
		subject, item             string
		expected, low, high, safe float64
	}{
		{"a", "n1", 0.625, 0.5125, 0.7375, 0.5},
		{"a", "n2", 0.825, 0.7575, 0.8925, 1}, // 3/4 and 9/10
		{"a", "n3", 0.625, 0.5125, 0.7375, 0.5},
		{"b", "n1", 0.5, 0.5, 0.5, 0},
		{"b", "n2", 0.75, 0.75, 0.75, 1},
		{"b", "n3", 0.5, 0.5, 0.5, 0},
	}
	if len(got.Rows) != 9 {
		t.Fatalf("%d rows", len(got.Rows))
	}
	for i, w := range want {
		if s, n := got.Value(i, "subject").Text(), got.Value(i, "item").Text(); s != w.subject || n != w.item {
			t.Errorf("row %d is of %s and %s", i, s, n)
		}
		for name, x := range map[string]float64{"expected": w.expected, "low": w.low, "high": w.high, "safe": w.safe} {
			if v, ok := got.Value(i, name).Number(); !ok || math.Abs(v-x) > 1e-12 {
				t.Errorf("%s, %s: %s is %v, want %v", w.subject, w.item, name, v, x)
			}
		}
	}
	for i := 6; i < 9; i++ {
		if got.Value(i, "expected").Exists() || got.Value(i, "safe").Exists() {
			t.Errorf("row %d has a prediction of a subject without draws", i)
		}
	}
	texts := func(row int) (out []string) {
		for _, n := range got.Notes {
			if n.Row == row {
				out = append(out, n.Text)
			}
		}
		return out
	}
	beyond := "demand of items that were taken is from 0 to 2: beyond that, predictions rest on the layout alone"
	for row, w := range [][]string{nil, {beyond}, nil, {"few draws"}, {"few draws", beyond}} {
		if g := texts(row); !slices.Equal(g, w) {
			t.Errorf("row %d has the notes %q, want %q", row, g, w)
		}
	}
}

// TestPredictUnseenByMeans checks that the mean of a subject's own responses, here 1/2 of a and 1 of b, goes into its predictions.
func TestPredictUnseenByMeans(t *testing.T) {
	public, res, l := unseenCase(t, strings.Replace(logisticLayout, "logistic(skill - demand)", "mix(0.5, logistic(skill - demand), mean(success))", 1))
	draws := &infertest.Draws{Names: []string{"skill"}}
	draws.Add("a", 0, 0, 0)
	draws.Add("b", 0, 0, 0)
	res.Draws = draws
	got, err := infer.PredictUnseen(public, res, l, infer.Unseen{Items: newItems(0), Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.5, 0.75} {
		if x, ok := got.Value(i, "expected").Number(); !ok || math.Abs(x-want) > 1e-12 {
			t.Errorf("row %d: %v, want %v", i, x, want)
		}
	}
	if got.Value(2, "expected").Exists() {
		t.Error("a subject without a response has a prediction")
	}
}

// TestPredictUnseenOfAJudge checks that what the label of a new item means follows from the items that were taken, and not from the new
// ones beside it.
func TestPredictUnseenOfAJudge(t *testing.T) {
	public, res, _ := unseenCase(t, logisticLayout)
	judged, err := layout.Parse("judged.toml", strings.Replace(logisticLayout, "-10, 10]", "-10, 10], judge = { sd = 0.5 }", 1))
	if err != nil {
		t.Fatal(err)
	}
	var expected []float64
	for _, items := range []*record.Items{newItems(1), newItems(1, 2, 5)} {
		got, err := infer.PredictUnseen(public, res, judged, infer.Unseen{Items: items, Level: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		x, _ := got.Value(0, "expected").Number()
		expected = append(expected, x)
	}
	if expected[0] != expected[1] || !(expected[0] > 0 && expected[0] < 1) {
		t.Errorf("alone %g, among others %g", expected[0], expected[1])
	}
}

// TestPredictUnseenRefuses lists what cannot be predicted.
func TestPredictUnseenRefuses(t *testing.T) {
	public, res, l := unseenCase(t, logisticLayout)
	joint, err := layout.Parse("joint.toml", strings.Replace(logisticLayout, "[response.success]\np = \"logistic(skill - demand)\"", "[item]\nb = { prior = \"normal(0, 1)\" }\n[response.success]\np = \"logistic(skill - demand - b)\"", 1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := layout.Parse("other.toml", strings.ReplaceAll(logisticLayout, "skill", "will"))
	if err != nil {
		t.Fatal(err)
	}
	none := newItems(0)
	none.Columns = nil
	if _, _, err := infer.Grid(newItems(0), joint, nil); err == nil || !strings.Contains(err.Error(), "items have parameters of their own") {
		t.Errorf("a grid of a joint layout: %v", err)
	}
	for _, c := range []struct {
		l     *layout.Layout
		items *record.Items
		want  string
	}{
		{joint, newItems(0), "items have parameters of their own, which are not known for items that nobody has taken"},
		{other, newItems(0), "the result has no draws of will: it is of another layout"},
		{l, none, "the items have no column demand"},
		{l, newItems(11), "item n1 has demand = 11, outside the declared range -10 to 10"},
	} {
		if _, err := infer.PredictUnseen(public, res, c.l, infer.Unseen{Items: c.items, Level: 0.9}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestGrid checks the items of a grid by hand, and what it refuses.
func TestGrid(t *testing.T) {
	l, err := layout.Parse("mine.toml", strings.Replace(strings.Replace(logisticLayout, "[capability]", "size = { column = \"size\", range = [0, 9] }\ncover = { column = \"cover\", levels = [\"cup\", \"grid\"] }\n[capability]", 1), "skill - demand", "skill - demand - size*(cover == \\\"cup\\\")", 1))
	if err != nil {
		t.Fatal(err)
	}
	taken := &record.Items{ID: []string{"1", "2", "3", "4"}, Columns: []record.Column{
		{Feature: record.Feature{Name: "demand", Kind: record.Number}, Number: []float64{1, 2, 3, 4}},
		{Feature: record.Feature{Name: "size", Kind: record.Number}, Number: []float64{7, 5, 6, 0}, Missing: []bool{false, false, false, true}},
		{Feature: record.Feature{Name: "cover", Kind: record.Text}, Text: []string{"grid", "cup", "cup", "grid"}}}}
	items, held, err := infer.Grid(taken, l, []infer.Axis{{Column: "demand", Values: []string{"0", "1.5"}}, {Column: "cover", Values: []string{"grid", "cup"}}})
	if err != nil {
		t.Fatal(err)
	}
	demand, _ := items.Column("demand")
	size, _ := items.Column("size")
	cover, _ := items.Column("cover")
	if !slices.Equal(items.ID, []string{"1", "2", "3", "4"}) || !slices.Equal(demand.Number, []float64{0, 0, 1.5, 1.5}) || !slices.Equal(size.Number, []float64{6, 6, 6, 6}) ||
		!slices.Equal(cover.Text, []string{"grid", "cup", "grid", "cup"}) || !slices.Equal(held, []string{"size = 6"}) {
		t.Errorf("%v, demand %v, size %v, cover %v, held %q", items.ID, demand.Number, size.Number, cover.Text, held)
	}
	if items, held, err = infer.Grid(taken, l, nil); err != nil || items.Len() != 1 || !slices.Equal(held, []string{"demand = 2", "size = 6", "cover = cup"}) {
		t.Errorf("nothing given: %v, %q, %v", items, held, err)
	}
	for _, c := range []struct {
		axes []infer.Axis
		want string
	}{
		{[]infer.Axis{{Column: "demnd", Values: []string{"1"}}}, "layout mine does not depend on a column demnd: did you mean demand?"},
		{[]infer.Axis{{Column: "demand", Values: []string{"1"}}, {Column: "demand", Values: []string{"2"}}}, "column demand is given twice"},
		{[]infer.Axis{{Column: "demand", Values: []string{"1", "x"}}}, "demand = x: column demand has numbers"},
		{[]infer.Axis{{Column: "demand", Values: make([]string, 1<<11)}, {Column: "size", Values: make([]string, 1<<11)}}, "more than 1048576 items"},
	} {
		if _, _, err := infer.Grid(taken, l, c.axes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.axes, err, c.want)
		}
	}
	if _, _, err := infer.Grid(&record.Items{ID: []string{"1"}}, l, nil); err == nil || !strings.Contains(err.Error(), "no item that was taken has a value of demand") {
		t.Errorf("nothing known: %v", err)
	}
}
