package accuracy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/agents/accuracy"
)

// TestDifficultyOfAClass compares the difficulty from one agent with the closed form −α ln((s − g)/(1 − g)), that from several with a
// score equation that must be 0, and the ends of intervals with the likelihood there.
func TestDifficultyOfAClass(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		task     accuracy.Task
		g        float64
		right, n int
	}{{accuracy.Task{Answers: 4}, 0.25, 40, 60}, {accuracy.Task{Answers: 4, Guess: &tenth}, tenth, 24, 60}, {accuracy.Task{Answers: 2}, 0.5, 59, 60}} {
		class := accuracy.Class{Task: c.task, Results: []accuracy.Result{{Ability: 12, Right: c.right, N: c.n}}}
		s := float64(c.right) / float64(c.n)
		want := -12 * math.Log((s-c.g)/(1-c.g))
		d, low, high := class.Difficulty()
		near(t, "difficulty", d, want, 1e-12)
		l := func(d float64) float64 {
			task := c.task
			task.Difficulty = d
			p := accuracy.Chance(task, 12)
			return float64(c.right)*math.Log(p) + float64(c.n-c.right)*math.Log(1-p)
		}
		for _, end := range []float64{low, high} {
			near(t, "log likelihood at an end", l(d)-l(end), 1.920729410347062, 1e-6)
		}
		if !(low < d && d < high) {
			t.Errorf("%g is not within %g to %g", d, low, high)
		}
	}
	several := accuracy.Class{Task: accuracy.Task{Answers: 5}, Results: []accuracy.Result{{Ability: 5, Right: 9, N: 20}, {Ability: 12, Right: 13, N: 20}, {Ability: 20, Right: 17, N: 25}}}
	d, _, _ := several.Difficulty()
	slope := 0.0
	for _, r := range several.Results {
		p := accuracy.Chance(accuracy.Task{Answers: 5, Difficulty: d}, r.Ability)
		slope += (float64(r.Right)/p - float64(r.N-r.Right)/(1-p)) * 0.8 * math.Exp(-d/r.Ability) / r.Ability
	}
	near(t, "score equation", slope, 0, 1e-12)
	always := accuracy.Class{Task: accuracy.Task{Answers: 5}, Results: []accuracy.Result{{Ability: 5, Right: 9, N: 9}}}
	if d, low, high := always.Difficulty(); d != 0 || low != 0 || !(high > 0 && high < 5) {
		t.Errorf("always right: %g, %g to %g", d, low, high)
	}
	guessing := accuracy.Class{Task: accuracy.Task{Answers: 5}, Results: []accuracy.Result{{Ability: 5, Right: 1, N: 10}}}
	if d, low, high := guessing.Difficulty(); !math.IsInf(d, 1) || !(low > 0) || !math.IsInf(high, 1) {
		t.Errorf("no better than guesses: %g, %g to %g", d, low, high)
	}
}

const extras = `abilities = "sum"
cost = "1 + ability/4"
[[task]]
name = "hard"
difficulty = 10
answers = 4
guess = 0
weights = [2, 1]
[[agent]]
name = "a"
ability = [8, 4]
[[agent]]
name = "b"
ability = [2, 2]
cost = 9
[[class]]
answers = 4
weights = [2, 1]
results = { a = [3, 4] }
`

// TestSelectionExtras reads costs by ability, a chance of guesses, abilities that add up, and classes, with values by hand.
func TestSelectionExtras(t *testing.T) {
	s, err := accuracy.ReadSelection("s.toml", extras)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "cost by ability", s.Candidates[0].Cost, 1+6./4, 1e-12)
	near(t, "own cost", s.Candidates[1].Cost, 9, 0)
	near(t, "ability of the class", s.Classes[0].Results[0].Ability, 20, 1e-12)
	list, chosen := s.Assess(1)
	near(t, "by the sum, without guesses", list[0].Chance[0], math.Exp(-10./20), 1e-12)
	if chosen != 0 {
		t.Errorf("chosen %d", chosen)
	}
	for _, table := range append(s.Tables(list, chosen), s.Losses()) {
		if err := table.Check(); err != nil {
			t.Error(err)
		}
		value := func(row int, column string) float64 {
			x, _ := table.Value(row, column).Number()
			return x
		}
		switch table.Name {
		case "abilities":
			near(t, "mean", value(0, "mean"), 20./3, 1e-12)
			near(t, "accuracy by the mean", value(0, "p_mean"), math.Exp(-1.5), 1e-12)
			near(t, "sum", value(0, "sum"), 20, 1e-12)
		case "losses":
			near(t, "loss", value(1, "loss"), 1-math.Exp(-5./20), 1e-12)
			if table.Value(1, "another").Exists() {
				t.Error("what another answer costs is known where guesses have a chance of their own")
			}
		case "classes":
			near(t, "difficulty", value(0, "difficulty"), -20*math.Log((0.75-0.25)/0.75), 1e-6)
		}
	}
	plain, err := accuracy.ReadSelection("s.toml", "[[task]]\ndifficulty = 5\nanswers = 3\n[[agent]]\nname = \"pi\"\nability = 12.0094\n")
	if err != nil {
		t.Fatal(err)
	}
	losses := plain.Losses()
	if x, _ := losses.Value(2, "another").Number(); math.Abs(x-(1-math.Exp(-10/12.0094))/12) > 1e-12 { // (1 − e)/(m (m + 1))
		t.Errorf("another answer costs %g", x)
	}
	for from, to := range map[string][2]string{
		"guess = 0":           {"guess = 1", "key task[0].guess: want the chance that a blind guess is right, 0 or more, below 1"},
		"1 + ability/4":       {"1 + skill", "key cost: column 5: unknown name skill"},
		"1 + ability/4\"":     {"1 - ability\"", "the cost that ability [8 4] gives is -5: it must be 0 or more"},
		"a = [3, 4]":          {"a = [5, 4]", "two whole numbers, how often it was right and of how many"},
		"{ a = [3":            {"{ c = [3", "no agent is called \"c\""},
		"{ a = [3, 4] }":      {"{}", "names no agent"},
		"results = ":          {"result = ", "class[0].result: unknown key: did you mean results?"},
		"abilities = \"sum\"": {"abilities = \"product\"", "key abilities"},
	} {
		if _, err := accuracy.ReadSelection("s.toml", strings.Replace(extras, from, to[0], 1)); err == nil || !strings.Contains(fmt.Sprint(err), to[1]) {
			t.Errorf("%s: %v, want %s", to[0], err, to[1])
		}
	}
}
