package layout_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// training is a layout of checkpoints of runs.
const training = `name = "training"
[capability]
ability = { prior = "walk(start, step)", per = "checkpoint", within = "run" }
luck = { prior = "walk(0.5)", per = "day" }
[shared]
start = { prior = "normal(0, 1)" }
step = { prior = "halfnormal(1)" }
[response.y]
p = "logistic(ability + luck)"
`

// bindTraining binds a layout to checkpoints 10 and 9 of run b, and checkpoints 9, 100 and 10 of run a, on three days.
func bindTraining(t *testing.T, text string) (*layout.Joint, error) {
	t.Helper()
	covariates := []record.Column{
		{Feature: record.Feature{Name: "checkpoint", Kind: record.Number}, Number: []float64{10, 9, 9, 100, 10}},
		{Feature: record.Feature{Name: "run", Kind: record.Text}, Text: []string{"b", "b", "a", "a", "a"}},
		{Feature: record.Feature{Name: "day", Kind: record.Text}, Text: []string{"day 2", "day 10", "day 1", "day 10", "day 2"}},
	}
	it := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}
	l, err := layout.Parse("f.toml", text)
	if err != nil {
		return nil, err
	}
	return l.BindJoint(it, []string{"p", "q", "r", "s", "t"}, covariates, []record.Measure{{Name: "y", Family: record.Binary}})
}

func unitNames(j *layout.Joint, i int) (names []string) {
	for u := range j.Units(i) {
		names = append(names, j.UnitName(i, u))
	}
	return names
}

// TestWalkByHand compares the density of two walks of abilities and one of luck with formulas written out here, and the gradient with
// central differences, for steps themselves and for their scores.
func TestWalkByHand(t *testing.T) {
	j, err := bindTraining(t, training)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := unitNames(j, 0), unitNames(j, 1); !slices.Equal(a, []string{"a 9", "a 10", "a 100", "b 9", "b 10"}) || !slices.Equal(b, []string{"day 1", "day 2", "day 10"}) {
		t.Errorf("groups %q and %q", a, b)
	}
	var responses []record.Response
	y := []float64{1, 0, 1, 1, 0}
	for s, v := range y {
		responses = append(responses, record.Response{Subject: int32(s), Value: v})
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	ability, luck, start, step := []float64{0.3, -0.2, 0.9, 1.1, 0.4}, []float64{0.1, 0.7, 0.2}, -0.3, 0.6
	normal := func(x, mean, sd float64) float64 {
		return -0.5*(x-mean)*(x-mean)/(sd*sd) - math.Log(sd) - 0.5*math.Log(2*math.Pi)
	}
	want := normal(ability[0], start, step) + normal(ability[1], ability[0], step) + normal(ability[2], ability[1], step)
	want += normal(ability[3], start, step) + normal(ability[4], ability[3], step)
	want += normal(luck[0], 0, 0.5) + normal(luck[1], luck[0], 0.5) + normal(luck[2], luck[1], 0.5)
	want += normal(start, 0, 1) + math.Ln2 + normal(step, 0, 1) + math.Log(step) // the last is the Jacobian of log step
	for s, margin := range []float64{ability[4] + luck[1], ability[3] + luck[2], ability[0] + luck[0], ability[2] + luck[2], ability[1] + luck[1]} {
		want -= math.Log1p(math.Exp(-(2*y[s] - 1) * margin))
	}
	theta := slices.Concat(ability, luck, []float64{start, step})
	q := slices.Clone(theta)
	q[9] = math.Log(step)
	checkDensity(t, cells.NewTarget([]bool{true, true, true, true}, 1), q, want)
	scores := cells.NewTarget(make([]bool, 4), 1)
	scores.Unconstrain(theta, q)
	if math.Abs(q[1]-(ability[1]-ability[0])/step) > 1e-12 {
		t.Errorf("score of the second checkpoint is %g", q[1])
	}
	checkDensity(t, scores, q, want+5*math.Log(step)+3*math.Log(0.5))
	back := make([]float64, len(q))
	scores.Constrain(q, back)
	for i, x := range back {
		if math.Abs(x-theta[i]) > 1e-12 {
			t.Errorf("value %d comes back as %g, want %g", i, x, theta[i])
		}
	}
}

// TestWalkIsDrawn checks the variances of draws along a walk, 1, 2 and 3 squared steps, and the SD that the prior is given: the root
// mean square of those of all groups.
func TestWalkIsDrawn(t *testing.T) {
	j, err := bindTraining(t, training)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 20000
	theta, r := make([]float64, j.Len()), rng.Stream(1, "walk")
	squares := make([]float64, 3)
	for range draws {
		j.DrawPrior(&r, theta)
		for k := range squares {
			squares[k] += theta[5+k] * theta[5+k] / draws
		}
	}
	for k, got := range squares {
		want := 0.25 * float64(k+1)
		if z := (got - want) / (want * math.Sqrt(2.0/draws)); math.Abs(z) > 5.2 { // α = 1e-6 over three checks
			t.Errorf("variance of day %d is %g, want %g", k+1, got, want)
		}
	}
	// Of ability: start has variance 1, and a step the mean square 1. Its groups are 1, 2, 3, 1 and 2 steps away.
	for i, want := range []float64{math.Sqrt(1 + 9.0/5), math.Sqrt(0.25 * 2)} {
		if got := j.PriorSD()[i]; math.Abs(got/want-1) > 0.02 {
			t.Errorf("SD of parameter %d is %g, want %g", i, got, want)
		}
	}
}

func TestWalkErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"without groups", `, per = "day"`, ``, `f.toml:4: key capability.luck.prior: a walk goes along the values of a column, one group after the other: set per = "column"`},
		{"without a step", `walk(0.5)`, `walk()`, `f.toml:4: key capability.luck.prior: column 1: walk takes 1 or 2 arguments, not 0: walk(step) or walk(start, step)`},
		{"three arguments", `walk(0.5)`, `walk(0, 1, 2)`, `f.toml:4: key capability.luck.prior: column 1: walk takes 1 or 2 arguments, not 3: walk(step) or walk(start, step)`},
		{"no step forward", `walk(0.5)`, `walk(-0.5)`, `f.toml:4: key capability.luck.prior: column 6: the step of a walk must be positive, and can be -0.5`},
		{"within what does not walk", `"walk(0.5)"`, `"normal(0, 1)", within = "run"`, `f.toml:4: key capability.luck.within: unknown key: did you mean capability.ability.within?`},
		{"unknown column", `per = "day"`, `per = "dya"`, `f.toml:4: key capability.luck.prior: per = "dya": the subjects have no column of this name: did you mean day?`},
		{"within numbers", `within = "run"`, `within = "checkpoint"`, `f.toml:3: key capability.ability.prior: within = "checkpoint": the subjects have no text column of this name: there are run, day`},
		{"shared", `start = { prior = "normal(0, 1)" }`, `start = { prior = "walk(1)" }`, `f.toml:6: key shared.start.prior: a walk goes along the values of a column, one group after the other: set per = "column"`},
		{"a walk of other steps", `walk(start, step)`, `walk(luck, step)`, `f.toml:3: key capability.ability.prior: column 6: ability belongs to each checkpoint within run and luck to each day: a prior may mention parameters of the same unit, or shared parameters ([shared])`},
	} {
		_, err := bindTraining(t, strings.Replace(training, c.old, c.new, 1))
		if got := message(err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestWalkNames checks that two steps of one name are refused: nobody could tell their values apart.
func TestWalkNames(t *testing.T) {
	l, err := layout.Parse("f.toml", strings.Replace(training, `luck = { prior = "walk(0.5)", per = "day" }`, `luck = { prior = "normal(0, 1)" }`, 1))
	if err != nil {
		t.Fatal(err)
	}
	it := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}
	_, err = l.BindJoint(it, []string{"p", "q"}, []record.Column{
		{Feature: record.Feature{Name: "checkpoint", Kind: record.Text}, Text: []string{"c", "b c"}},
		{Feature: record.Feature{Name: "run", Kind: record.Text}, Text: []string{"a b", "a"}},
	}, []record.Measure{{Name: "y", Family: record.Binary}})
	if got, want := message(err), `f.toml:3: key capability.ability.prior: two steps of the walk are called "a b c": change the values of column run or checkpoint`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
