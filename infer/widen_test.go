package infer

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

const constantText = `name = "constant"
[capability]
rate = { prior = "uniform(0, 1)" }
[response.success]
p = "rate"
`

// An alikeTable says of what kind of clusters a simulated table has, and how much responses within them have in common.
type alikeTable struct {
	subjects, passages, items, epochs int     // items of each passage
	passage, item, epoch              float64 // shares of the variance of what decides a response
}

// draw draws the table: each response is a success with the probability that the layout has, logistic(ability − difficulty), and a normal
// number decides, of which responses of one subject to a passage, to an item and in an epoch have shares in common. So the layout is right but for
// the independence of responses. difficult is the standard deviation of difficulties, which subjects share.
func (a alikeTable) draw(seed uint64, difficult float64) (data *record.Dataset, use []record.Response, ability []float64) {
	r := rng.Stream(seed, "alike")
	names := func(letter string, n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("%s%03d", letter, i))
		}
		return out
	}
	n := a.passages * a.items
	none := make([]string, n)
	data = &record.Dataset{Subjects: names("s", a.subjects), Items: record.Items{ID: names("q", n), Suite: none, Paradigm: none, Task: none}}
	data.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	c := record.Column{Feature: record.Feature{Name: "passage", Kind: record.Text}}
	difficulty := make([]float64, n)
	for i := range n {
		difficulty[i] = difficult * r.Norm()
		c.Text = append(c.Text, fmt.Sprintf("p%03d", i/a.items))
	}
	if a.items > 1 {
		data.Items.Columns = append(data.Items.Columns, c)
	}
	normals := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.Norm()
		}
		return out
	}
	for s := range a.subjects {
		ability = append(ability, r.Norm())
		passage, item, epoch := normals(a.passages), normals(n), normals(a.epochs)
		for i := range n {
			p := num.Logistic(ability[s] - difficulty[i])
			for e := range a.epochs {
				z := math.Sqrt(a.passage)*passage[i/a.items] + math.Sqrt(a.item)*item[i] + math.Sqrt(a.epoch)*epoch[e] + math.Sqrt(1-a.passage-a.item-a.epoch)*r.Norm()
				x := record.Response{Subject: int32(s), Item: int32(i), Repetition: int16(e)}
				if 0.5*math.Erfc(-z/math.Sqrt2) < p {
					x.Value = 1
				}
				use = append(use, x)
			}
		}
	}
	return data, use, ability
}

// covered fits a simulated table and counts for how many subjects the 90 % interval has the truth, and how many posteriors were widened.
func (a alikeTable) covered(t *testing.T, seed uint64, text string) (covered, widened, of int) {
	t.Helper()
	l, err := layout.Parse("layout.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	difficult := 0.0
	if l.Joint() {
		difficult = 1
	}
	data, use, ability := a.draw(seed, difficult)
	one := &run{Job: Job{Settings: Default(l), Layout: l}, data: data}
	one.Engine, one.Draws, one.Warmup, one.Chains, one.Seed = posterior.Laplace, 500, 300, 4, seed
	count := func(truth float64, q5, q95 float64, f *Fit) {
		of++
		if q5 <= truth && truth <= q95 {
			covered++
		}
		if f.Widening != nil {
			widened++
		}
	}
	if l.Joint() {
		if one.joint, err = l.BindJoint(&data.Items, data.Subjects, nil, data.Manifest.Measures); err != nil {
			t.Fatal(err)
		}
		cells, err := one.joint.NewCells(use, nil)
		if err != nil {
			t.Fatal(err)
		}
		post, err := one.drawTogether(context.Background(), cells, 1, nil, "test")
		if err != nil { // as it says: Laplace refuses a table with few responses to each item
			one.Engine = posterior.NUTS
			post, err = one.drawTogether(context.Background(), cells, 1, nil, "test")
		}
		if err != nil {
			t.Fatal(err)
		}
		var f Fit
		widenFit(&data.Items, &f, cells, post, nil)
		for s := range data.Subjects {
			count(ability[s], post.Summaries[s].Q5, post.Summaries[s].Q95, &f)
		}
		return covered, widened, of
	}
	if one.design, err = l.Bind(&data.Items, data.Manifest.Measures); err != nil {
		t.Fatal(err)
	}
	data.Responses = record.PackResponses(use)
	one.repetitions = sync.OnceValue(func() float64 { return repetitionsDiffer(data) })
	n := len(use) / len(data.Subjects)
	for s := range data.Subjects {
		mine := use[s*n : (s+1)*n]
		d, err := one.design.NewData(mine)
		if err != nil {
			t.Fatal(err)
		}
		post, err := posterior.Fit(context.Background(), func() posterior.Problem { return one.design.NewTarget(d) }, one.design.Names(), one.posteriorConfig(), seed, "test", data.Subjects[s])
		if err != nil {
			t.Fatal(err)
		}
		var f Fit
		differ := one.repetitions()
		widenFit(&data.Items, &f, d.Cells, post, &differ)
		count(num.Logistic(ability[s]), post.Summaries[0].Q5, post.Summaries[0].Q95, &f)
	}
	return covered, widened, of
}

// fitOne fits the constant layout to the responses of one subject and widens it.
func fitOne(t *testing.T, items *record.Items, use []record.Response) (before, after *posterior.Posterior, f Fit) {
	t.Helper()
	l, err := layout.Parse("constant.toml", constantText)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Job: Job{Settings: Default(l), Layout: l}, data: &record.Dataset{Items: *items, Subjects: []string{"s"}}}
	r.data.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	r.Engine = posterior.Laplace
	if r.design, err = l.Bind(items, r.data.Manifest.Measures); err != nil {
		t.Fatal(err)
	}
	d, err := r.design.NewData(use)
	if err != nil {
		t.Fatal(err)
	}
	post, err := posterior.Fit(context.Background(), func() posterior.Problem { return r.design.NewTarget(d) }, r.design.Names(), r.posteriorConfig(), 1, "test")
	if err != nil {
		t.Fatal(err)
	}
	was := *post
	widenFit(items, &f, d.Cells, post, nil)
	return &was, post, f
}

// TestEpochsOfADeterministicModel checks that ten epochs of a model that always answers alike count as one: with 29 of 50 items passed the
// standard deviation of the rate is .070 and not .022.
func TestEpochsOfADeterministicModel(t *testing.T) {
	items := ratedItems(50)
	for name, c := range map[string]struct {
		value    func(item, epoch int) bool
		low, top float64
	}{
		"deterministic": {func(item, _ int) bool { return item*29%50 < 29 }, 0.066, 0.075},
		"alternating":   {func(item, epoch int) bool { return (item+epoch)%2 == 0 }, 0.021, 0.024},
		"perfect":       {func(int, int) bool { return true }, 0.0005, 0.004},
	} {
		var use []record.Response
		for i := range 50 {
			for e := range 10 {
				x := record.Response{Item: int32(i), Repetition: int16(e)}
				if c.value(i, e) {
					x.Value = 1
				}
				use = append(use, x)
			}
		}
		before, after, f := fitOne(t, items, use)
		if sd := after.Summaries[0].SD; sd < c.low || sd > c.top {
			t.Errorf("%s: SD %.4f, before %.4f, want between %v and %v; %+v", name, sd, before.Summaries[0].SD, c.low, c.top, f.Widening)
		}
		if wide := f.Widening != nil; wide != (name == "deterministic") || wide != (len(f.Warnings) == 1) {
			t.Errorf("%s: widened %v, warnings %v", name, f.Widening, f.Warnings)
		}
		if f.Widening == nil && &before.Draws[0][0][0] != &after.Draws[0][0][0] {
			t.Errorf("%s: draws are others though nothing was widened", name)
		}
	}
}

// TestNarrowed checks that what depends on single responses gets the draws from before back.
func TestNarrowed(t *testing.T) {
	var use []record.Response
	for i := range 200 {
		use = append(use, record.Response{Item: int32(i / 10), Repetition: int16(i % 10), Value: float64(i / 10 % 2)})
	}
	before, after, f := fitOne(t, ratedItems(20), use)
	l, _ := layout.Parse("constant.toml", constantText)
	d, err := l.Bind(ratedItems(20), []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	none, err := d.NewData(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := f.Widening.narrowed(d.NewTarget(none).JointTarget, after.Draws[0], valuesOf(d.Joint))
	for i, theta := range before.Draws[0] {
		if math.Abs(theta[0]-again[i][0]) > 0.005 || math.Abs(theta[0]-0.5) > 0.02 && math.Abs(after.Draws[0][i][0]-0.5) < 2*math.Abs(theta[0]-0.5) {
			t.Fatalf("draw %d: %v, widened %v, narrowed %v", i, theta, after.Draws[0][i], again[i])
		}
	}
}

// TestTablesWithoutClusters checks that a joint fit of a table without clusters keeps its draws, and one of epochs does not.
func TestTablesWithoutClusters(t *testing.T) {
	if _, widened, _ := (alikeTable{subjects: 8, passages: 12, items: 1, epochs: 1}).covered(t, 1, raschText); widened > 0 {
		t.Error("a table without clusters was widened")
	}
	if _, widened, of := (alikeTable{subjects: 8, passages: 12, items: 1, epochs: 4, item: 0.9}).covered(t, 1, raschText); widened < of {
		t.Error("a table of epochs that are alike was not widened")
	}
}

// TestCoverageWithClusters counts, on 200 fresh tables each, how often 90 % intervals have the truth: between 85 and 95 % where responses are alike within
// passages, items and epochs, and where they are not. A table has six subjects, whose intervals go astray together only in joint fits; with the
// standard error of 200 tables, .021, that covers .90 an error has a probability below .02 for each shape.
func TestCoverageWithClusters(t *testing.T) {
	longtest.Only(t, "fits 200 tables of each shape")
	for _, text := range []string{constantText, raschText} {
		for _, a := range []alikeTable{
			{6, 30, 1, 1, 0, 0, 0},
			{6, 10, 3, 5, 0, 0, 0},
			{6, 12, 5, 1, 0.3, 0, 0},
			{6, 40, 1, 10, 0, 0.9, 0},
			{6, 20, 1, 8, 0, 0.3, 0.15},
			{6, 12, 3, 8, 0.15, 0.3, 0.1},
		} {
			t.Run(fmt.Sprintf("%s %+v", text[8:13], a), func(t *testing.T) {
				c, w, n := 0, 0, 0
				for k := range 200 {
					x, y, z := a.covered(t, uint64(501+k), text)
					c, w, n = c+x, w+y, n+z
				}
				share := float64(c) / float64(n)
				t.Logf("covered %.3f, widened %.2f", share, float64(w)/float64(n))
				if share < 0.85 || share > 0.95 {
					t.Errorf("covered %.3f", share)
				}
			})
		}
	}
}

// TestRepetitionsDifferByHand checks two subjects, three repetitions of four items. One fails everything in the first repetition only: deviations from the means of
// items are −2/3, 1/3 and 1/3, sums −8/3, 4/3 and 4/3 and their squares 96/9; independent responses give 4 items × 2/3. The other always answers alike, which
// says nothing.
func TestRepetitionsDifferByHand(t *testing.T) {
	var one, other []record.Response
	for i := range int32(4) {
		for e := range int16(3) {
			one = append(one, record.Response{Item: i, Repetition: e, Value: float64(min(e, 1))})
			other = append(other, record.Response{Subject: 1, Item: i, Repetition: e, Value: float64(i % 2)})
		}
	}
	square, expected, n := repeatedBy(one)
	if math.Abs(square-96./9) > 1e-12 || math.Abs(expected-4*2./3) > 1e-12 || n != 3 {
		t.Errorf("square %v, expected %v, %d repetitions", square, expected, n)
	}
	d := &record.Dataset{Subjects: []string{"one", "other"}, Responses: record.PackResponses(append(one, other...))}
	if p := repetitionsDiffer(d); math.Abs(p-math.Exp(-4)) > 1e-9 { // χ² of 2 degrees of freedom, 8
		t.Errorf("p %v, want %v", p, math.Exp(-4))
	}
	d.Responses = record.PackResponses(one[:1])
	if p := repetitionsDiffer(d); p != 1 {
		t.Errorf("p %v without repetitions", p)
	}
}
