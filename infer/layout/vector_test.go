package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// skills is a layout with vectors of every kind. Each case of TestVectorErrors replaces one part of it.
const skills = `name = "skills"
[metafeature]
q = { columns = ["read", "add"], range = [0, 1] }
[capability]
ability = { prior = "normal(level, 1)", size = "q" }
pull = { prior = "normal(0, 1)", size = 3 }
[item]
slope = { prior = "lognormal(0, 1)", size = "q" }
[shared]
level = { prior = "normal(0, 1)", size = "q" }
[response.success]
p = "logistic(dot(q*slope, ability) + sum(2*pull) - 1)"
`

func TestVectors(t *testing.T) {
	l := parse(t, skills)
	var names []string
	for _, p := range l.Parameters {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "ability[read] ability[add] pull[1] pull[2] pull[3] slope[read] slope[add] level[read] level[add]" {
		t.Errorf("parameters %s", got)
	}
	items := &record.Items{ID: []string{"a", "b"}, Suite: make([]string, 2), Paradigm: make([]string, 2), Task: make([]string, 2), Columns: []record.Column{
		{Feature: record.Feature{Name: "read"}, Number: []float64{1, 1}}, {Feature: record.Feature{Name: "add"}, Number: []float64{0, 1}}}}
	j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells([]record.Response{{Item: 0, Value: 1}, {Item: 1, Value: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// By parameter, then by item: abilities 0.5 and −1, pulls 0.1, 0.2, 0.3, slopes of reading 2 and 3, of adding 4 and 5, levels.
	theta, p := []float64{0.5, -1, 0.1, 0.2, 0.3, 2, 3, 4, 5, 9, 9}, make([]float64, 2)
	cells.NewTarget(make([]bool, 9), 1).Expected(theta, p)
	for i, z := range []float64{2*0.5 + 1.2 - 1, 3*0.5 - 5 + 1.2 - 1} {
		if want := 1 / (1 + math.Exp(-z)); math.Abs(p[i]-want) > 1e-15 {
			t.Errorf("item %d: success %g, want %g", i, p[i], want)
		}
	}
}

func TestVectorErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`sum(2*pull)`, `pull`, `f.toml:12: key response.success.p: column 34: pull is a vector of 3: use it in dot(pull, …), sum(pull), prod(pull) or softmin(pull, …)`},
		{`dot(q*slope, ability)`, `dot(pull, ability)`, `f.toml:12: key response.success.p: column 20: ability is a vector of 2, and 3 parts are wanted here`},
		{`dot(q*slope, ability)`, `dot(q)`, `f.toml:12: key response.success.p: column 10: dot takes 2 arguments, not 1`},
		{`sum(2*pull)`, `sum(2)`, `f.toml:12: key response.success.p: column 34: sum takes vectors, and sum(2) has none: a parameter with size, or a metafeature with columns, is one`},
		{`normal(level, 1)", size = "q"`, `normal(pull, 1)", size = "q"`, `f.toml:5: key capability.ability.prior: column 8: pull is a vector of 3, and 2 parts are wanted here`},
		{`prior = "normal(0, 1)", size = 3`, `prior = "normal(0, 1)", size = 0`, `f.toml:6: key capability.pull.size: want a whole number from 1 to 1000, not 0`},
		{`"lognormal(0, 1)", size = "q"`, `"lognormal(0, 1)", size = "nu"`, `f.toml:8: key item.slope.size: nu is not a vector that is declared above: want a number of parts, or a metafeature with columns`},
		{`["read", "add"]`, `["read", "read"]`, `f.toml:3: key metafeature.q.columns: want 1 to 1000 columns, each once`},
		{`sum(2*pull)`, `softmin(pull)`, `f.toml:12: key response.success.p: column 34: softmin takes 2 arguments, not 1`},
		{`sum(2*pull)`, `softmin(pull, 0)`, `f.toml:12: key response.success.p: column 48: the temperature of softmin is a number or constant above 0, not 0`},
		{`sum(2*pull)`, `softmin(pull, level)`, `f.toml:12: key response.success.p: column 48: the temperature of softmin is a number or constant above 0, not level`},
		{`sum(2*pull)`, `softmin(3, 0.1)`, `f.toml:12: key response.success.p: column 34: softmin takes vectors, and softmin(3, 0.1) has none: a parameter with size, or a metafeature with columns, is one`},
		{`pull = {`, `softmin = {`, `f.toml:6: key capability.softmin: softmin is a function: choose another name`},
		{`pull = {`, `sum = {`, `f.toml:6: key capability.sum: sum is a function: choose another name`},
	} {
		_, err := layout.Parse("f.toml", strings.Replace(skills, c.old, c.new, 1))
		if got := message(err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.new, got, c.want)
		}
	}
}

// TestSoftmin compares the smooth minimum of three margins at a temperature of its own with −τ log(mean e^(−x/τ)), and the gradient
// with central differences.
func TestSoftmin(t *testing.T) {
	l := parse(t, `name = "soft"
[constant]
heat = 0.5
[metafeature]
q = { columns = ["a", "b", "c"], range = [0, 4] }
[capability]
ability = { prior = "normal(0, 1)", size = "q" }
[shared]
shift = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(softmin(ability - q, heat) + min(shift, 9))"
`)
	items := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}
	demand := []float64{1, 3, 0}
	for k, name := range []string{"a", "b", "c"} {
		items.Columns = append(items.Columns, record.Column{Feature: record.Feature{Name: name}, Number: demand[k : k+1]})
	}
	j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells([]record.Response{{Value: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	theta := []float64{1.2, 3.4, 0.1, 0.3}
	mean, want := 0.0, 0.0
	for k, d := range demand {
		mean += math.Exp(-(theta[k]-d)/0.5) / 3
	}
	shift := -0.02 * math.Log((math.Exp(-0.3/0.02)+math.Exp(-9/0.02))/2) // min, at the temperature of the layout
	want = -math.Log1p(math.Exp(0.5*math.Log(mean) - shift))
	for _, x := range theta {
		want -= x*x/2 + math.Log(2*math.Pi)/2
	}
	checkDensity(t, cells.NewTarget(make([]bool, 4), 1), theta, want)
}
