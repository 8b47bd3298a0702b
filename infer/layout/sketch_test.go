package layout_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// sketchData returns data of 12 subjects and 30 items with these columns.
func sketchData(family record.Family, values func(s, i int) float64, covariates []record.Column, columns ...record.Column) *record.Dataset {
	const subjects, items = 12, 30
	d := &record.Dataset{Reasons: []string{""}, Covariates: covariates}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: family}}
	d.Items = record.Items{Suite: make([]string, items), Paradigm: make([]string, items), Task: make([]string, items), Columns: columns}
	for i := range items {
		d.Items.ID = append(d.Items.ID, "i"+strconv.Itoa(100+i))
	}
	var list []record.Response
	for s := range subjects {
		d.Subjects = append(d.Subjects, "s"+strconv.Itoa(100+s))
		for i := range items {
			r := record.Response{Subject: int32(s), Item: int32(i), Value: values(s, i)}
			if family == record.Count {
				r.Trials = 5
			}
			list = append(list, r)
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

func columnBy(name string, role record.Role, f func(i int) float64) record.Column {
	c := record.Column{Feature: record.Feature{Name: name, Kind: record.Number, Role: role}}
	for i := range 30 {
		c.Number = append(c.Number, f(i))
	}
	return c
}

func textBy(name string, role record.Role, n int, words ...string) record.Column {
	c := record.Column{Feature: record.Feature{Name: name, Kind: record.Text, Role: role}}
	for i := range n {
		c.Text = append(c.Text, words[i%len(words)])
	}
	return c
}

// sketched writes a layout, binds it, and checks that the density at a draw of the prior is finite.
func sketched(t *testing.T, d *record.Dataset, s layout.Sketch) *layout.Sketched {
	t.Helper()
	w, err := s.Write(d)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	r := rng.Stream(1, "sketch")
	all := d.Responses.List()
	if w.Layout.Joint() {
		j, err := w.Layout.BindJoint(&d.Items, d.Subjects, d.Covariates, d.Manifest.Measures)
		if err != nil {
			t.Fatalf("%v\n%s", err, w.Layout.Text)
		}
		cells, err := j.NewCells(all, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, w.Layout.Text)
		}
		target := cells.NewTarget(make([]bool, len(w.Layout.Parameters)), 1)
		theta, grad := make([]float64, j.Len()), make([]float64, j.Len())
		j.DrawNear(&r, 0.2, theta)
		target.Unconstrain(theta, theta)
		if l := target.LogDensity(theta, grad); math.IsNaN(l) || math.IsInf(l, 0) {
			t.Errorf("density %g\n%s", l, w.Layout.Text)
		}
		return w
	}
	design := bind(t, w.Layout, &d.Items, d.Manifest.Measures)
	tg := target(t, design, d.Responses.Of(3))
	q, grad := make([]float64, tg.Dim()), make([]float64, tg.Dim())
	if l := tg.LogDensity(q, grad); math.IsNaN(l) || math.IsInf(l, 0) {
		t.Errorf("density %g\n%s", l, w.Layout.Text)
	}
	return w
}

func has(t *testing.T, w *layout.Sketched, want ...string) {
	t.Helper()
	for _, x := range want {
		if !strings.Contains(w.Layout.Text, x) {
			t.Errorf("no %s in\n%s", x, w.Layout.Text)
		}
	}
}

func coin(s, i int) float64 { return float64((s*7 + i*i + s*i) % 2) }

// TestSketchPools writes layouts of few demands with ranges of their own and of many with one, with every pool, chance and covariates.
func TestSketchPools(t *testing.T) {
	age := columnBy("age in months", record.Covariate, func(i int) float64 { return float64(36 + i) })
	age.Number = age.Number[:12]
	covariates := []record.Column{age, textBy("sex", record.Covariate, 12, "f", "m")}
	few := []record.Column{
		columnBy("delay (s)", record.Demand, func(i int) float64 { return float64(i % 7) }),
		columnBy("max", record.Demand, func(i int) float64 { return 1 + float64(i%5)/2 }),
		columnBy("still", record.Demand, func(int) float64 { return 3 }),
		columnBy("colour", record.Nuisance, func(i int) float64 { return float64(i % 2) }),
		textBy("format", record.Condition, 30, "mc4", "open"),
	}
	few = append(few, columnBy("Größe", record.Demand, func(i int) float64 { return float64(i % 4) })) // TOML has bare keys in ASCII alone
	few[1].Missing = make([]bool, 30)
	few[1].Missing[4] = true
	var many []record.Column
	for k := range 7 {
		many = append(many, columnBy("v2/D"+strconv.Itoa(k), record.Demand, func(i int) float64 { return float64((i*(k+1) + i/6 + k) % 6) }))
	}
	many = append(many, columnBy("n_options", record.Nuisance, func(i int) float64 { return float64(2 + i%3) }))
	for _, pool := range []string{"", layout.Product, layout.Softmin, layout.Geometric, layout.Additive} {
		for _, c := range [][]record.Column{nil, covariates} {
			w := sketched(t, sketchData(record.Binary, coin, c, few...), layout.Sketch{Pool: pool})
			has(t, w, `delayS = { column = "delay (s)", range = [0, 6] }`, `max2 = { column = "max", range = [1, 3], missing = 1 }`, `"Größe" = { column = "Größe"`, `abilityGröße`, "chanceMc4 = 0.25", "chanceOpen = 0", `levels = ["mc4", "open"]`)
			if strings.Contains(w.Layout.Text, "still =") || strings.Contains(w.Layout.Text, "colour") || w.Layout.Joint() != (c != nil) {
				t.Errorf("a constant column, or a nuisance, in\n%s", w.Layout.Text)
			}
			w = sketched(t, sketchData(record.Count, func(s, i int) float64 { return float64((s + i) % 6) }, c, many...), layout.Sketch{Pool: pool})
			has(t, w, `demand = { columns = ["v2/D0", "v2/D1"`, "range = [0, 5]", "1/options", `family = "binomial"`)
		}
	}
}

// TestSketchSoftmin checks that the pool of the worst demand has even odds where the one demand that an item has is at its ability.
func TestSketchSoftmin(t *testing.T) {
	var many []record.Column
	for k := range 6 {
		many = append(many, columnBy("d"+strconv.Itoa(k), record.Demand, func(i int) float64 { return map[bool]float64{true: 3, false: 0}[i%6 == k] }))
	}
	w := sketched(t, sketchData(record.Binary, coin, nil, many...), layout.Sketch{Pool: layout.Softmin})
	d := sketchData(record.Binary, coin, nil, many...)
	tg := target(t, bind(t, w.Layout, &d.Items, d.Manifest.Measures), d.Responses.Of(0))
	theta := []float64{3, 3, 3, 3, 3, 3, 0}
	out := make([]float64, 6)
	tg.Predict(theta, out)
	for _, p := range out {
		if math.Abs(p-0.5) > 1e-3 { // the offset has three digits
			t.Errorf("probability %g", p)
		}
	}
}

// TestSketchWithoutDemands writes layouts of every kind of measure and model for items without demands.
func TestSketchWithoutDemands(t *testing.T) {
	age := columnBy("age", record.Covariate, func(i int) float64 { return float64(36 + i) })
	age.Number = age.Number[:12]
	for _, c := range [][]record.Column{nil, {age, textBy("group", record.Covariate, 12, "a \"b\"", "c")}} {
		for model, want := range map[string]string{"": "ability - difficulty", "2pl": "discrimination*(ability - difficulty)", "2pl-signed": "slope*ability + easiness"} {
			has(t, sketched(t, sketchData(record.Binary, coin, c), layout.Sketch{Model: model}), want)
		}
		for model, want := range map[string]string{"": "3*ability - step1 - step2 - step3", "gpcm": "discrimination*(3*ability", "grm": "log(logistic(margin3))"} {
			has(t, sketched(t, sketchData(record.Choice, func(s, i int) float64 { return float64((s + i) % 4) }, c), layout.Sketch{Model: model}), want)
		}
		has(t, sketched(t, sketchData(record.Unit, func(s, i int) float64 { return float64((s+i)%5) / 4 }, c), layout.Sketch{}), "zero_one_inflated_beta")
		has(t, sketched(t, sketchData(record.Real, func(s, i int) float64 { return 400 + float64(s*i%50) }, c), layout.Sketch{}), `family = "normal"`)
		has(t, sketched(t, sketchData(record.Binary, coin, c), layout.Sketch{Chance: "0.25"}), "mix(chance, logistic(ability - difficulty), 1)", "chance = 0.25")
	}
}

func TestSketchErrors(t *testing.T) {
	demand := columnBy("delay", record.Demand, func(i int) float64 { return float64(i % 7) })
	binary := sketchData(record.Binary, coin, nil, demand)
	choice := sketchData(record.Choice, func(s, i int) float64 { return float64(i % 3) }, nil, demand)
	bare := sketchData(record.Binary, coin, nil)
	count := sketchData(record.Count, coin, nil)
	list := count.Responses.List()
	for i := range list {
		list[i].Trials = 0
	}
	count.Responses = record.PackResponses(list)
	for _, c := range []struct {
		data *record.Dataset
		s    layout.Sketch
		want string
	}{
		{binary, layout.Sketch{Measure: "sucess"}, "the data have no measure sucess: did you mean success?"},
		{binary, layout.Sketch{Demands: []string{"dely"}}, "the items have no column dely: did you mean delay?"},
		{binary, layout.Sketch{Chance: "1.5"}, "want a probability from 0 to below 1"},
		{binary, layout.Sketch{Chance: "dely"}, "chance = dely: no number, and no column of the items: did you mean delay?"},
		{binary, layout.Sketch{Chance: "delay"}, "neither probabilities nor numbers of options"},
		{binary, layout.Sketch{Model: "rasch"}, "add --pool none"},
		{binary, layout.Sketch{Model: "pcm", Pool: "none"}, "model = pcm does not fit success, a binary measure: want one of rasch, 2pl, 2pl-signed"},
		{choice, layout.Sketch{Model: "2pl"}, "want one of pcm, gpcm, grm"},
		{choice, layout.Sketch{Pool: "product"}, "use --pool none"},
		{bare, layout.Sketch{Pool: "product"}, "no column of the items is a demand"},
		{count, layout.Sketch{}, "no response says among how many trials"},
	} {
		if _, err := c.s.Write(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.s, err, c.want)
		}
	}
}
