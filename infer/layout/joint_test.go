package layout_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// separate is a layout whose parameters all belong to subjects.
const separate = `name = "separate"
[metafeature]
x = { column = "x", range = [0, 5] }
[capability]
a = { prior = "uniform(0, 5)" }
b = { prior = "normal(0, 1)" }
[robustness]
noise = { prior = "uniform(0, 1)" }
[response.y]
p = "mix(noise, logistic(a - x)*logistic(b + 2 - 0.3*x), 1 - mean(y))"
`

// together is the same with a shared parameter, which does not enter the likelihood.
const together = `name = "together"
[metafeature]
x = { column = "x", range = [0, 5] }
[capability]
a = { prior = "uniform(0, 5)" }
b = { prior = "normal(level, 1)" }
[robustness]
noise = { prior = "uniform(0, 1)" }
[shared]
level = { prior = "normal(0, 1)" }
[response.y]
p = "mix(noise, logistic(a - x)*logistic(b + 2 - 0.3*x), 1 - mean(y))"
`

// TestJointLikelihood checks that the likelihood of all subjects together is the sum of those of subjects measured one by
// one, over items of which some share a row.
func TestJointLikelihood(t *testing.T) {
	const subjects, items = 7, 40
	r := rng.Stream(1, "together")
	it := &record.Items{Suite: make([]string, items), Paradigm: make([]string, items), Task: make([]string, items)}
	var x []float64
	for i := range items {
		it.ID = append(it.ID, "item"+strconv.Itoa(i))
		x = append(x, float64(r.IntN(6)))
	}
	it.Columns = []record.Column{{Feature: record.Feature{Name: "x"}, Number: x}}
	measures := []record.Measure{{Name: "y", Family: record.Binary}}
	var ids []string
	var all []record.Response
	for s := range subjects {
		ids = append(ids, strconv.Itoa(s))
		for i := range items {
			all = append(all, record.Response{Subject: int32(s), Item: int32(i), Value: float64(r.IntN(2))})
		}
	}
	d, err := parse(t, separate).Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	j, err := parse(t, together).BindJoint(it, ids, nil, measures)
	if err != nil {
		t.Fatal(err)
	}
	means, err := j.Means(all)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells(all, means)
	if err != nil {
		t.Fatal(err)
	}
	theta, grad := make([]float64, j.Len()), make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	want := 0.0
	for s := range subjects {
		data, err := d.NewData(all[s*items : (s+1)*items])
		if err != nil {
			t.Fatal(err)
		}
		each := make([]float64, len(data.Tallies()))
		d.NewTarget(data).PointwiseLogLik([]float64{theta[s], theta[subjects+s], theta[2*subjects+s]}, each)
		for k, tally := range data.Tallies() {
			want += each[k] * float64(tally.Count)
		}
	}
	if got := cells.NewTarget(make([]bool, 4), 1).LogLikelihood(theta, grad); math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("log likelihood %.12g, subject by subject %.12g", got, want)
	}
}

// TestJointMeans checks the means of three subjects by hand: the second has no response and gets the mean of all; if the
// third has only a response to another measure, it is an error.
func TestJointMeans(t *testing.T) {
	it := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""},
		Columns: []record.Column{{Feature: record.Feature{Name: "x"}, Number: []float64{1}}}}
	j, err := parse(t, together).BindJoint(it, []string{"a", "b", "c"}, nil, []record.Measure{{Name: "y", Family: record.Binary}, {Name: "z", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := j.Means([]record.Response{{Subject: 0, Value: 1}, {Subject: 0}, {Subject: 2, Value: 1}})
	if want := [][]float64{{0.5, 2.0 / 3, 1}}; err != nil || !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	if _, err := j.Means([]record.Response{{Subject: 0}, {Subject: 2, Measure: 1}}); err == nil || !strings.Contains(err.Error(), "subject c") {
		t.Errorf("no response to the measure: %v", err)
	}
}

// TestJointPriorSD compares the SDs of marginal priors with formulas: the variance of a is that of level, 4, plus the mean
// square of spread, 9; that of b is 0.25 + 1 on the first item.
func TestJointPriorSD(t *testing.T) {
	it := &record.Items{ID: []string{"p", "q"}, Suite: make([]string, 2), Paradigm: make([]string, 2), Task: []string{"z", "a"}}
	it.Columns = []record.Column{{Feature: record.Feature{Name: "x"}, Number: []float64{0.5, 3}}}
	j, err := parse(t, `name = "spreads"
[metafeature]
x = { column = "x", range = [0, 5] }
[capability]
a = { prior = "normal(level, spread)" }
[item]
b = { prior = "normal(slope*x, 1)" }
g = { prior = "normal(level, 1)", per = "task" }
far = { prior = "normal(0, wide)" }
[shared]
level = { prior = "normal(0, 2)" }
spread = { prior = "halfnormal(3)" }
slope = { prior = "normal(0, 1)" }
wide = { prior = "halfcauchy(1)" }
[response.y]
p = "logistic(a + b + g + far)"
`).BindJoint(it, []string{"s", "t"}, nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{math.Sqrt(13), math.Sqrt(1.25), math.Sqrt(5), math.Inf(1), 2, 3 * math.Sqrt(1-2/math.Pi), 1, math.Inf(1)}
	for i, sd := range j.PriorSD() {
		if p := j.Layout().Parameters[i]; !(math.Abs(sd/want[i]-1) <= 0.02) && sd != want[i] {
			t.Errorf("%s: SD %g, want %g", p.Name, sd, want[i])
		}
	}
}

// TestJointBlocks checks that the likelihood of many blocks, most of which share a plan, is the sum of those of single subjects. The
// last subjects have fewer responses.
func TestJointBlocks(t *testing.T) {
	const subjects, items = 100, 130
	it := &record.Items{Suite: make([]string, items), Paradigm: make([]string, items), Task: make([]string, items)}
	var ids []string
	for i := range items {
		it.ID = append(it.ID, "item"+strconv.Itoa(i))
	}
	for s := range subjects {
		ids = append(ids, strconv.Itoa(s))
	}
	j, err := parse(t, `name = "blocks"
[capability]
a = { prior = "normal(0, 1)" }
[item]
d = { prior = "normal(level, 1)" }
[shared]
level = { prior = "normal(0, 1)" }
[response.y]
p = "logistic(a - d + 0.1*level)"
`).BindJoint(it, ids, nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "blocks")
	var all []record.Response
	for s := range subjects {
		for i := range items {
			if s < 97 || i%s != 0 {
				all = append(all, record.Response{Subject: int32(s), Item: int32(i), Value: float64(r.IntN(2))})
			}
		}
	}
	theta, grad, sum := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	likelihood := func(responses []record.Response) float64 {
		cells, err := j.NewCells(responses, nil)
		if err != nil {
			t.Fatal(err)
		}
		return cells.NewTarget(make([]bool, 3), 2).LogLikelihood(theta, grad)
	}
	want := 0.0
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].Subject == all[from].Subject {
			to++
		}
		want += likelihood(all[from:to])
		for i, g := range grad {
			sum[i] += g
		}
		from = to
	}
	if got := likelihood(all); math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("log likelihood %.12g, subject by subject %.12g", got, want)
	}
	for i, g := range grad {
		if math.Abs(g-sum[i]) > 1e-9*(1+math.Abs(g)) {
			t.Errorf("derivative %d is %g, subject by subject %g", i, g, sum[i])
		}
	}
}

// TestConstantInPriorOfSubjects checks that a constant in the prior of subjects, as in op-items, is no covariate of theirs: the
// likelihood of all is compiled, and is that of a layout with the number itself.
func TestConstantInPriorOfSubjects(t *testing.T) {
	text := `name = "bounded"
[constant]
largest = 3
[capability]
outer = { prior = "uniform(0, 1)" }
inner = { prior = "uniform(0, LARGEST*outer)" }
[item]
residual = { prior = "lognormal(0, LARGEST*1)" }
[response.y]
p = "exp(-residual*inner)"
`
	var density []float64
	for _, largest := range []string{"largest", "3"} {
		text := strings.ReplaceAll(text, "LARGEST", largest)
		if largest == "3" {
			text = strings.Replace(text, "[constant]\nlargest = 3\n", "", 1)
		}
		it := &record.Items{ID: []string{"i", "j", "k"}, Suite: make([]string, 3), Paradigm: make([]string, 3), Task: make([]string, 3)}
		j, err := parse(t, text).BindJoint(it, []string{"s", "t"}, nil, []record.Measure{{Name: "y", Family: record.Binary}})
		if err != nil {
			t.Fatal(err)
		}
		var responses []record.Response
		for s := range 2 {
			for i := range 3 {
				responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: float64((s + i) % 2)})
			}
		}
		c, err := j.NewCells(responses, nil)
		if err != nil {
			t.Fatal(err)
		}
		target := c.NewTarget(make([]bool, 3), 1)
		q, grad := slices.Repeat([]float64{0.3}, target.Dim()), make([]float64, target.Dim())
		density = append(density, target.LogDensity(q, grad))
	}
	if density[0] != density[1] || math.IsInf(density[0], 0) {
		t.Errorf("log density %g with a constant, %g with its value", density[0], density[1])
	}
}
