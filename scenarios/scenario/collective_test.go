package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"achilles/scenarios/scenario"
)

const groups = `name = "groups"
[battery]
suite = "ctest"
[[agent]]
name = "a"
solver = "pattern"
lag = 2
[[agent]]
name = "b"
rule = [{ p = 0.5 }]
[[population]]
name = "c"
count = 3
rule = [{ p = 0.5 }]
[[collective]]
name = "all"
members = ["a", "b", "c"]
[[collective]]
name = "some"
doc = "A few."
members = ["b", "c-002", "b"]
rule = "weighted"
weights = [1, 0.5, 0]
[published]
source = "a paper"
[published.ctest]
weight = 28
abilities = [4.5, 11]
like = { a = 11.28 }
votes = { all = 0.5 }
note = "a vote"
`

func TestCollectives(t *testing.T) {
	s, err := scenario.Parse("f.toml", groups)
	if err != nil {
		t.Fatal(err)
	}
	specs, err := s.Subjects(1)
	if err != nil {
		t.Fatal(err)
	}
	all, some := specs[len(specs)-2], specs[len(specs)-1]
	if all.Name != "all" || all.Collective.Rule != "plurality" || !slices.Equal(all.Collective.Members, []string{"a", "b", "c-001", "c-002", "c-003"}) {
		t.Errorf("all is %+v", all.Collective)
	}
	if some.Doc != "A few." || some.Collective.Rule != "weighted" || !slices.Equal(some.Collective.Members, []string{"b", "c-002", "b"}) || !slices.Equal(some.Collective.Weights, []float64{1, 0.5, 0}) {
		t.Errorf("some is %+v", some.Collective)
	}
	if a := specs[0].Solver; a == nil || a.Kind != "pattern" || a.Lag != 2 {
		t.Errorf("a solves by %+v", a)
	}
	if want := `{"source":"a paper","ctest":{"weight":28,"abilities":[4.5,11],"like":{"a":11.28},"votes":{"all":0.5},"note":"a vote"}}`; string(s.Published) != want {
		t.Errorf("published is %s", s.Published)
	}
	for _, c := range []struct{ why, from, to, says string }{
		{"no weight is published", "weight = 28\n", "", "f.toml:26: key published.ctest.weight: is missing"},
		{"a negative ability", "4.5", "-4.5", "want abilities above 0"},
		{"like nobody", "like = { a", "like = { aa", `no agent is called "aa": did you mean a?`},
		{"the vote of an agent", "votes = { all", "votes = { a", `no collective is called "a"`},
		{"no member", `members = ["a", "b", "c"]`, "", "f.toml:15: key collective[0].members: is missing"},
		{"an empty list", `["a", "b", "c"]`, `[]`, "f.toml:17: key collective[0].members: is missing"},
		{"an empty population", "count = 3", "count = 0", `f.toml:17: key collective[0].members: population "c" has no members`},
		{"unknown member", `["a", "b", "c"]`, `["a", "bb"]`, `f.toml:17: key collective[0].members: no agent and no population is called "bb"`},
		{"no such member of a population", `"c-002"`, `"c-004"`, `no agent and no population is called "c-004"`},
		{"a group of groups", `["b", "c-002", "b"]`, `["all"]`, `no agent and no population is called "all"`},
		{"name taken", `name = "some"`, `name = "a"`, `"a" is the name of agent[0] too`},
		{"a member's name taken", `name = "some"`, `name = "c-001"`, "c-001 is the name of another subject"},
		{"rule", `"weighted"`, `"wieghted"`, "did you mean weighted?"},
		{"too few weights", "[1, 0.5, 0]", "[1, 0.5]", "f.toml:23: key collective[1].weights: 2 weights for 3 members"},
		{"negative weight", "[1, 0.5, 0]", "[1, -0.5, 0]", "weight -0.5 is negative"},
		{"no weight", "[1, 0.5, 0]", "[0, 0, 0]", "all weights are 0"},
		{"weights are missing", "weights = [1, 0.5, 0]\n", "", "key collective[1].rule: 0 weights for 3 members"},
		{"weights of another rule", `rule = "weighted"`, `rule = "majority"`, "weighs members"},
		{"an unknown solver", `"pattern"`, `"patern"`, "did you mean pattern?"},
		{"no lag", "lag = 2\n", "", "needs a lag"},
		{"a lag for another", `"pattern"`, `"mode"`, "only a pattern has a lag"},
		{"a lag for nobody", "solver = \"pattern\"\n", "", "belongs to the solver"},
		{"a solver with rules", "lag = 2", "lag = 2\nrule = [{ p = 1 }]", "already"},
		{"an unknown key", `doc = "A few."`, `dok = "A few."`, "did you mean doc?"},
	} {
		text := strings.Replace(groups, c.from, c.to, 1)
		if text == groups {
			t.Fatalf("%s: nothing was changed", c.why)
		}
		found := scenario.Check(t.Context(), "f.toml", text)
		if !slices.ContainsFunc(found, func(err error) bool { return strings.Contains(err.Error(), c.says) }) {
			t.Errorf("%s: errors %v, want one that says %q", c.why, found, c.says)
		}
	}
}
