package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// tableOf returns responses by chance of subjects to items with a feature d.
func tableOf(t *testing.T, parameters, p string) *layout.Cells {
	t.Helper()
	l, err := layout.Parse("mirrors.toml", "name = \"mirrors\"\n[metafeature]\nd = { column = \"d\", range = [-3, 3] }\n"+parameters+"[response.y]\np = \""+p+"\"\n")
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "mirrors")
	items, d, subjects := &record.Items{}, record.Column{Feature: record.Feature{Name: "d"}}, []string(nil)
	for i := range 12 {
		name := fmt.Sprint(i)
		items.ID, items.Suite, items.Paradigm, items.Task = append(items.ID, name), append(items.Suite, ""), append(items.Paradigm, ""), append(items.Task, "")
		d.Number, subjects = append(d.Number, 6*r.Float64()-3), append(subjects, "s"+name)
	}
	items.Columns = append(items.Columns, d)
	j, err := l.BindJoint(items, subjects, nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	var responses []record.Response
	for s := range subjects {
		for i := range d.Number {
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: float64(r.IntN(2))})
		}
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// mirrorsOf returns the names of the parameters that each mirror of a layout changes: "-a" turns, "a=b" change places, and "each" is said of units
// that have images of their own. Responses are by chance.
func mirrorsOf(t *testing.T, parameters, p string) (out []string) {
	t.Helper()
	cells := tableOf(t, parameters, p)
	l := cells.Joint().Layout()
	for _, m := range cells.Mirrors() {
		name := m.Names(l)
		if m.Apart() {
			name = "each " + name
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// TestMirrors names the mirrors of layouts, and of layouts that nearly have one.
func TestMirrors(t *testing.T) {
	const two = "[capability]\na = { prior = \"normal(0, 2)\" }\nb = { prior = \"normal(0, 2)\" }\n"
	for _, c := range []struct {
		parameters, p, want string
	}{
		{"[capability]\na = { prior = \"normal(0, 3)\" }\n", "logistic(abs(a) - d)", "each -a"},
		{"[capability]\na = { prior = \"normal(1, 3)\" }\n", "logistic(abs(a - 1) - d)", "each -a"},
		{"[capability]\na = { prior = \"normal(0.1, 3)\" }\n", "logistic(abs(a) - d)", ""},
		{"[capability]\na = { prior = \"uniform(-1, 3)\" }\n", "logistic(abs(a - 1) - d)", "each -a"},
		{"[capability]\na = { prior = \"normal(0, 3)\" }\n", "logistic(a - d)", ""},
		{"[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\nslope = { prior = \"normal(0, 2)\" }\neasy = { prior = \"normal(0, 2)\" }\n", "logistic(slope*a + easy - d)", "-a -slope"},
		{"[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\nslope = { prior = \"normal(level, 2)\" }\n[shared]\nlevel = { prior = \"normal(0, 1)\" }\n", "logistic(slope*a - d)", "-a -level -slope"},
		{"[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\nslope = { prior = \"normal(level, 2)\" }\n[shared]\nlevel = { prior = \"halfnormal(1)\" }\n", "logistic(slope*a - d)", ""},
		{two, "logistic(a - d)*logistic(b - d)", "each a=b"},
		{two, "logistic(a - d)*logistic(b - 2*d)", ""},
		{two, "logistic(a*b - d)", "each -a -b; each a=b"},
		{two + "[shared]\nw = { prior = \"beta(2, 2)\" }\n", "mix(w, logistic(a - d), logistic(b - d))", "-w a=b"},
		{two + "[robustness]\nw = { prior = \"beta(2, 2)\" }\n", "mix(w, logistic(a - d), logistic(b - d))", "each -w a=b"},
		{two + "[shared]\nw = { prior = \"beta(2, 3)\" }\n", "mix(w, logistic(a - d), logistic(b - d))", ""},
		{"[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\nx = { prior = \"normal(0, 1)\" }\ny = { prior = \"normal(0, 1)\" }\nu = { prior = \"lognormal(0, 1)\" }\nv = { prior = \"lognormal(0, 1)\" }\n", "logistic(u*(a - x - d))*logistic(v*(a - y - d))", "each u=v x=y"},
	} {
		if got := strings.Join(mirrorsOf(t, c.parameters, c.p), "; "); got != c.want {
			t.Errorf("%s%s has mirrors %q, want %q", c.parameters, c.p, got, c.want)
		}
	}
}
