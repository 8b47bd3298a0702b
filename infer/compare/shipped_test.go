package compare_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// battery returns n items with the features lava, ramp, platform, side, size, time, positions, distance and family. The values
// of the numeric features are shuffled independently of one another.
func battery(n int) *record.Items {
	it := &record.Items{}
	number := func(name string, levels ...float64) {
		rng := rng.Stream(7, "battery", name)
		c := record.Column{Feature: record.Feature{Name: name, Kind: record.Number}}
		for i := range n {
			c.Number = append(c.Number, levels[i%len(levels)])
		}
		for i := n - 1; i > 0; i-- {
			k := rng.IntN(i + 1)
			c.Number[i], c.Number[k] = c.Number[k], c.Number[i]
		}
		it.Columns = append(it.Columns, c)
	}
	text := func(name string, levels ...string) {
		c := record.Column{Feature: record.Feature{Name: name, Kind: record.Text}}
		for i := range n {
			c.Text = append(c.Text, levels[i%len(levels)])
		}
		it.Columns = append(it.Columns, c)
	}
	for i := range n {
		it.ID = append(it.ID, "i-"+strconv.Itoa(1000+i))
		it.Suite, it.Paradigm, it.Task = append(it.Suite, "toy"), append(it.Paradigm, "toy"), append(it.Task, "toy")
	}
	for _, name := range []string{"lava", "ramp", "platform", "occluder", "transparent", "lightsOut", "lastSeenPasses", "requiresOP"} {
		number(name, 0, 1)
	}
	number("rightLeft", -1, 0, 1)
	number("goalSize", 1, 2, 3, 4, 5)
	number("timeUnderOcclusion", 0, 0, 1, 2, 3, 4)
	number("numPositions", 0, 1, 2, 3, 7, 11)
	number("goalDistance", 0, 16, 32, 48)
	text("family", "basic", "cup", "grid", "cv")
	text("occluderColour", "none", "Beige", "Brown", "DarkBlue", "OffWhite")
	return it
}

func number(it *record.Items, name string) []float64 {
	c, _ := it.Column(name)
	return c.Number
}

var measures = []record.Measure{{Name: "success", Family: record.Binary}}

// respond draws a response to every item. p returns the success probability of item i.
func respond(it *record.Items, root string, p func(i int) float64) (out []record.Response) {
	rng := rng.Stream(3, "respond", root)
	for i := range it.Len() {
		r := record.Response{Item: int32(i)}
		if rng.Bernoulli(p(i)) {
			r.Value = 1
		}
		out = append(out, r)
	}
	return out
}

// shipped returns the bank op of the repository and the reporting layout op, both bound to the items.
func shipped(t testing.TB, it *record.Items) (*compare.Bound, *layout.Design) {
	t.Helper()
	return bound(t, it, "op", "op")
}

// bound returns a bank of the repository and a reporting layout, both bound to the items.
func bound(t testing.TB, it *record.Items, bank, reporting string) (*compare.Bound, *layout.Design) {
	t.Helper()
	dir := filepath.Join("..", "..", "scenarios", "candidates")
	read := func(name string) compare.Text {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skip("no scenarios beside this package: ", err)
		}
		return compare.Text{File: name, Text: string(b)}
	}
	s := compare.Source{Text: read(bank + ".toml")}
	names, err := compare.List(s.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		s.Rivals = append(s.Rivals, read(n))
	}
	b, err := compare.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	bindings, err := b.Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	text := read(filepath.Join("..", "layouts", reporting+".toml"))
	l, err := layout.Parse(text.File, text.Text)
	if err != nil {
		t.Fatal(err)
	}
	report, err := l.Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	return bindings, report
}

// judge returns the verdict on a subject that passes item i with probability p(i).
func judge(t testing.TB, it *record.Items, name string, p func(i int) float64) *compare.Verdict {
	t.Helper()
	bank, report := shipped(t, it)
	return judgeBy(t, bank, report, it, name, p)
}

// judgeBy returns the verdict by a bank and a reporting layout on a subject that passes item i with probability p(i).
func judgeBy(t testing.TB, bank *compare.Bound, report *layout.Design, it *record.Items, name string, p func(i int) float64) *compare.Verdict {
	t.Helper()
	v, _ := judgedBy(t, bank, report, it, name, p)
	return v
}

// judgedBy returns the draws of its profile, too.
func judgedBy(t testing.TB, bank *compare.Bound, report *layout.Design, it *record.Items, name string, p func(i int) float64) (*compare.Verdict, [][]float64) {
	t.Helper()
	r := respond(it, name, p)
	fits, unvisited, err := bank.Fit(context.Background(), r, compare.Default(), 1, name)
	if err != nil {
		t.Fatal(err)
	}
	rng := rng.Stream(1, "judge", name)
	v, draws := (&compare.Case{Subject: name, Items: it, Responses: r, Bank: bank, Fits: fits, Unvisited: unvisited, Report: report}).Judge(&rng)
	sameProfile(t, v, draws)
	return v, draws
}

// sameProfile checks that draws have the standard deviations and intervals of the profile.
func sameProfile(t testing.TB, v *compare.Verdict, draws [][]float64) {
	t.Helper()
	if (v.Profile == nil) != (draws == nil) {
		t.Fatalf("%s: %d draws of a profile of %d", v.Subject, len(draws), len(v.Profile))
	}
	for k, p := range v.Profile {
		xs := make([]float64, len(draws))
		for i := range draws {
			xs[i] = draws[i][k]
		}
		low := 0.05
		if p.Bound {
			low = 0.1
		}
		_, variance := num.Moments(xs)
		slices.Sort(xs)
		if math.Abs(math.Sqrt(variance)-p.SD) > 1e-9*(1+p.SD) || num.SortedQuantile(xs, low) != p.Q5 || !p.Bound && num.SortedQuantile(xs, 0.95) != p.Q95 {
			t.Errorf("%s: draws of %s have SD %v and are above %v; the profile is %+v", v.Subject, p.Name, math.Sqrt(variance), num.SortedQuantile(xs, low), p)
		}
	}
}

// TestContextFailsSomething checks that the rival context fails one kind of task or two: it contains no subject that fails
// nothing, and none that fails all three.
func TestContextFailsSomething(t *testing.T) {
	it := battery(8)
	bank, _ := shipped(t, it)
	i := slices.IndexFunc(bank.Entries, func(e compare.Entry) bool { return e.Layout.Name == "context" })
	d := bank.Entries[i].Design
	data, err := d.NewData(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, d.Rows())
	for _, c := range []struct{ which, wantCup, wantGrid, wantCv float64 }{
		{0.5, 0.1, 1, 1}, {1.5, 1, 0.1, 1}, {2.5, 1, 1, 0.1}, {3.5, 0.1, 0.1, 1}, {4.5, 0.1, 1, 0.1}, {5.5, 1, 0.1, 0.1},
	} {
		d.NewTarget(data).Predict([]float64{0.9, 0.1, c.which}, p)
		for item, want := range []float64{1, c.wantCup, c.wantGrid, c.wantCv} { // the family is basic, cup, grid, cv
			if got := p[d.Row(item)]; math.Abs(got-0.9*want) > 0.006 {
				t.Errorf("which %v: item %d is passed with probability %v; want %v", c.which, item, got, 0.9*want)
			}
		}
	}
}
