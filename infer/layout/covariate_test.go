package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// families is a layout of subjects of families, in whose abilities age counts.
const families = `name = "families"
[metafeature]
size = { column = "size", range = [0, 5] }
[covariate]
age = { column = "age", range = [0, 20], missing = 5 }
sex = { column = "sex", levels = ["f", "m"] }
[capability]
ability = { prior = "normal(family + slope*age, spread)" }
family = { prior = "normal(0, 1)", per = "family" }
[shared]
slope = { prior = "normal(0, 1)" }
spread = { prior = "halfnormal(1)" }
[response.y]
p = 'logistic(ability - size + 0.1*(sex == "f")*age)'
`

// bindFamilies binds a layout to three subjects of two families and two items. The age of the second subject is not known.
func bindFamilies(t *testing.T, text string) (*layout.Joint, error) {
	t.Helper()
	it := &record.Items{ID: []string{"i", "k"}, Suite: make([]string, 2), Paradigm: make([]string, 2), Task: make([]string, 2),
		Columns: []record.Column{{Feature: record.Feature{Name: "size"}, Number: []float64{1, 3}}}}
	covariates := []record.Column{
		{Feature: record.Feature{Name: "age", Kind: record.Number}, Number: []float64{2, 0, 7}, Missing: []bool{false, true, false}},
		{Feature: record.Feature{Name: "sex", Kind: record.Text}, Text: []string{"f", "m", "f"}},
		{Feature: record.Feature{Name: "family", Kind: record.Text}, Text: []string{"jay", "crow", "jay"}},
	}
	l, err := layout.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return l.BindJoint(it, []string{"ann", "bob", "zoe"}, covariates, []record.Measure{{Name: "y", Family: record.Binary}})
}

// TestCovariatesByHand compares the density of three subjects with formulas written out here, and its gradient with central
// differences. Families are sorted: crow, jay.
func TestCovariatesByHand(t *testing.T) {
	j, err := bindFamilies(t, families)
	if err != nil {
		t.Fatal(err)
	}
	y := []float64{1, 0, 0, 0, 1, 1}
	var responses []record.Response
	for k, v := range y {
		responses = append(responses, record.Response{Subject: int32(k / 2), Item: int32(k % 2), Value: v})
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	ability, crow, jay, slope, spread := []float64{0.4, -0.7, 1.3}, 0.2, -0.5, 0.3, 0.8
	normal := func(x, mean, sd float64) float64 {
		return -0.5*(x-mean)*(x-mean)/(sd*sd) - math.Log(sd) - 0.5*math.Log(2*math.Pi)
	}
	want := normal(ability[0], jay+2*slope, spread) + normal(ability[1], crow+5*slope, spread) + normal(ability[2], jay+7*slope, spread)
	want += normal(crow, 0, 1) + normal(jay, 0, 1) + normal(slope, 0, 1)
	want += math.Ln2 + normal(spread, 0, 1) + math.Log(spread) // the last is the Jacobian of log spread
	for k, v := range y {
		margin := ability[k/2] - []float64{1, 3}[k%2] + []float64{0.2, 0, 0.7}[k/2]
		want += math.Log(num.Logistic((2*v - 1) * margin))
	}
	q := append(ability[:3:3], crow, jay, slope, math.Log(spread))
	checkDensity(t, cells.NewTarget([]bool{true, true, true, true}, 1), q, want)
	scores := cells.NewTarget(make([]bool, 4), 1)
	scores.Unconstrain(append(ability[:3:3], crow, jay, slope, spread), q)
	checkDensity(t, scores, q, want+3*math.Log(spread)) // q has the scores of three abilities
}

// checkDensity compares the log density of a target at q with a number, and its gradient with central differences.
func checkDensity(t *testing.T, target *layout.JointTarget, q []float64, want float64) {
	t.Helper()
	grad, scratch := make([]float64, len(q)), make([]float64, len(q))
	if got := target.LogDensity(q, grad); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("log density %.15g, by hand %.15g", got, want)
	}
	const h = 1e-5
	for i := range q {
		x := q[i]
		q[i] = x + h
		up := target.LogDensity(q, scratch)
		q[i] = x - h
		down := target.LogDensity(q, scratch)
		q[i] = x
		if slope := (up - down) / (2 * h); !(math.Abs(slope-grad[i]) <= 1e-7*(1+math.Abs(slope))) {
			t.Errorf("slope %d: %.10g, by differences %.10g", i, grad[i], slope)
		}
	}
}

// TestCovariatesAreDrawn checks that abilities drawn from the prior have the means of their subjects, and that responses can be
// drawn from them.
func TestCovariatesAreDrawn(t *testing.T) {
	fixed := strings.NewReplacer(`slope = { prior = "normal(0, 1)" }`, `slope = { prior = "uniform(1, 1.001)" }`, `"normal(0, 1)", per`, `"normal(0, 0.001)", per`, `spread = { prior = "halfnormal(1)" }`, `spread = { prior = "uniform(0.01, 0.011)" }`)
	j, err := bindFamilies(t, fixed.Replace(families))
	if err != nil {
		t.Fatal(err)
	}
	theta, r := make([]float64, j.Len()), rng.Stream(1, "covariates")
	j.DrawPrior(&r, theta)
	for s, age := range []float64{2, 5, 7} {
		if math.Abs(theta[s]-age) > 0.1 {
			t.Errorf("ability of subject %d is %g, age %g", s, theta[s], age)
		}
	}
	if drawn, err := j.Simulate(theta, &r); err != nil || len(drawn) != 6 {
		t.Errorf("%d responses, error %v", len(drawn), err)
	}
	if p, unit := j.Layout().Parameters[1], j.UnitName(1, 1); p.OfSubjects() || unit != "jay" {
		t.Errorf("the second family is %q", unit)
	}
}

func TestCovariateErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown column", `column = "age"`, `column = "agee"`, `f.toml:5: key covariate.age: the subjects have no column agee: did you mean age?`},
		{"outside the range", `range = [0, 20]`, `range = [0, 6]`, `f.toml:5: key covariate.age: subject zoe has age = 7, outside the declared range 0 to 6`},
		{"no value", `, missing = 5`, ``, `f.toml:5: key covariate.age: subject bob has no value of column age: declare missing = a number to stand for it`},
		{"no such level", `"f", "m"`, `"f"`, `f.toml:6: key covariate.sex: subject bob has sex "m", which is not among the levels f`},
		{"numbers for levels", `levels = ["f", "m"]`, `range = [0, 1]`, ``},
		{"groups that are no text", `per = "family"`, `per = "age"`, `f.toml:9: key capability.family.prior: per = "age": the subjects have no text column of this name: there are sex, family`},
		{"a prior of a group with a covariate", `"normal(0, 1)", per`, `"normal(age, 1)", per`, `f.toml:9: key capability.family.prior: column 8: age may differ between the subjects of one family: a prior of groups may mention constants and shared parameters`},
		{"a shared prior with a covariate", `slope = { prior = "normal(0, 1)"`, `slope = { prior = "normal(age, 1)"`, `f.toml:11: key shared.slope.prior: column 8: a shared prior may mention constants and other parameters, and age is neither`},
		{"a group that needs a member", `"normal(0, 1)", per`, `"normal(ability, 1)", per`, ``},
	} {
		text := strings.Replace(families, c.old, c.new, 1)
		l, err := layout.Parse("f.toml", text)
		if err == nil && l != nil {
			_, err = bindFamilies(t, text)
		}
		if got := message(err); got == "" || c.want != "" && got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	l, err := layout.Parse("f.toml", families)
	if err != nil {
		t.Fatal(err)
	}
	it := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}, Columns: []record.Column{{Feature: record.Feature{Name: "size"}, Number: []float64{1}}}}
	if _, err := l.BindJoint(it, []string{"s"}, nil, nil); !strings.Contains(message(err), "the subjects have no column age: import a table of subjects that has it") {
		t.Errorf("without a table of subjects: %v", err)
	}
}
