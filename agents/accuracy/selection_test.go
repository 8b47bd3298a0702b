package accuracy_test

import (
	"math"
	"strings"
	"testing"

	"achilles/agents/accuracy"
)

const selection = `accuracy = 0.6
difficulties_to = 40
[[agent]]
name = "able"
ability = 20
cost = 5
[[agent]]
name = "cheap"
ability = 8
[[group]]
name = "three"
members = ["cheap", "cheap", "cheap"]
[[group]]
name = "weighed"
members = ["cheap", "cheap", "able"]
rule = "weighted"
weights = [1, 1, 1.5]
cost = 2
[[group]]
name = "ranked"
members = ["cheap", "cheap", "able"]
rule = "borda"
[[task]]
difficulty = 5
answers = 5
[[task]]
name = "two"
difficulty = 8
answers = 2
`

func TestSelection(t *testing.T) {
	s, err := accuracy.ReadSelection("mine.toml", selection)
	if err != nil {
		t.Fatal(err)
	}
	list, chosen := s.Assess(1)
	// By hand: the agent able is right with probability 0.2 + 0.8 e^(-1/4) in task 1 and 0.5 + 0.5 e^(-2/5) in task two.
	near(t, "able on task 1", list[0].Chance[0], 0.2+0.8*math.Exp(-0.25), 1e-12)
	near(t, "able on two", list[0].Chance[1], 0.5+0.5*math.Exp(-0.4), 1e-12)
	near(t, "the least", list[0].Least, list[0].Chance[0], 0)
	p := accuracy.Chance(s.Tasks[1].Task, 8)
	near(t, "three on two", list[2].Chance[1], p*p*(3-2*p), 1e-12)
	// With these weights any two members have more than half of all weight, and no one alone has: it is a majority vote.
	q := accuracy.Chance(s.Tasks[1].Task, 20)
	near(t, "weighed on two", list[3].Chance[1], accuracy.Majority([]float64{p, p, q}), 1e-12)
	if s.Candidates[2].Cost != 3 || s.Candidates[3].Cost != 2 || s.Candidates[4].Cost != 7 {
		t.Errorf("the groups cost %v, %v and %v, want 3, 2 and 7", s.Candidates[2].Cost, s.Candidates[3].Cost, s.Candidates[4].Cost)
	}
	if list[4].Error == nil || list[4].Error[0] > 0.002 || list[3].Error != nil {
		t.Errorf("errors are %v and %v, want some where rankings are drawn and none where the chance is exact", list[4].Error, list[3].Error)
	}
	if name := s.Candidates[chosen].Name; name != "cheap" {
		t.Errorf("%s is chosen, want cheap", name) // 0.2 + 0.8 e^(-5/8) = 0.628 and 0.684
	}
	// An agent with the least ability is chosen, and one with slightly less is not.
	a := s.LeastAbility()
	for i, factor := range []float64{1, 1 - 1e-9} {
		s.Candidates = []accuracy.Candidate{{Group: accuracy.Group{Members: []accuracy.Ability{{a * factor}}, Rule: accuracy.BestMember}}}
		if _, chosen := s.Assess(1); (chosen == 0) != (i == 0) {
			t.Errorf("an ability of %v × %v is chosen: %v", a, factor, chosen == 0)
		}
	}
}

// TestSelectionOfVectors checks that an agent with two abilities is right as often as an agent whose only ability is
// their mean with the task's weights.
func TestSelectionOfVectors(t *testing.T) {
	s, err := accuracy.ReadSelection("mine.toml", `
[[agent]]
name = "a"
ability = [4, 20]
[[task]]
difficulty = 6
answers = 4
weights = [1, 3]
[[task]]
difficulty = 6
answers = 4
weights = [1, 0]
`)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := s.Assess(1)
	near(t, "both", list[0].Chance[0], accuracy.Chance(s.Tasks[0].Task, 16), 1e-12)
	near(t, "the first alone", list[0].Chance[1], accuracy.Chance(s.Tasks[0].Task, 4), 1e-12)
}

func TestBadSelections(t *testing.T) {
	for _, c := range []struct{ why, from, to, says string }{
		{"no agents", selection[:strings.Index(selection, "[[agent]]")] + "", "accuracy = 0.6\n", "agent"},
		{"accuracy", "accuracy = 0.6", "accuracy = 1.5", "mine.toml:1: key accuracy: want a chance"},
		{"ability", "ability = 20", "ability = 0", "key agent[0].ability"},
		{"no ability", "ability = 20\n", "", "its ability, in bits"},
		{"a list of abilities for one", "ability = 8", "ability = [8, 9]", "key agent[1].ability: 2 abilities"},
		{"name", `name = "cheap"`, `name = "able"`, `"able" is the name of another`},
		{"member", `["cheap", "cheap", "cheap"]`, `["chaep"]`, "did you mean cheap?"},
		{"group of groups", `["cheap", "cheap", "able"]`, `["three"]`, `"three" is a group`},
		{"rule", `"weighted"`, `"weigthed"`, "did you mean weighted?"},
		{"weights", "[1, 1, 1.5]", "[1, 1]", "3 weights"},
		{"weights of another rule", `rule = "weighted"`, `rule = "majority"`, "weighs its members"},
		{"answers", "answers = 2", "answers = 1", "key task[1].answers"},
		{"too many to rank", "answers = 5", "answers = 500", "key group[2].rule: rankings are simulated for up to 100 answers"},
		{"no difficulty", "difficulty = 5\n", "", "how hard the task is"},
		{"a key that is not there", "cost = 5", "price = 5", "key agent[0].price"},
	} {
		text := strings.Replace(selection, c.from, c.to, 1)
		if c.why == "no agents" {
			text = c.to
		}
		if text == selection {
			t.Fatalf("%s: nothing was changed", c.why)
		}
		if _, err := accuracy.ReadSelection("mine.toml", text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

func FuzzReadSelection(f *testing.F) {
	f.Add(selection)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := accuracy.ReadSelection("f.toml", text)
		if err != nil {
			return
		}
		for _, c := range s.Candidates {
			for _, task := range s.Tasks {
				if x, ok := c.Chance(task.Task); ok && !(x >= 0 && x <= 1+1e-9) {
					t.Errorf("%s has chance %v", c.Name, x)
				}
			}
		}
	})
}
