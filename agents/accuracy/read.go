package accuracy

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/num"
)

// ReadSelection reads the TOML file of a selection. Agents and groups are candidates; by default a group costs the sum
// of its members' costs. The error is a *conf.Error.
func ReadSelection(file, text string) (*Selection, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	s := &Selection{
		Accuracy: root.Number("accuracy", 0.5, "a chance, above 0 and up to 1", func(x float64) bool { return x > 0 && x <= 1 }),
		To:       root.Number("difficulties_to", 50, "a difficulty above 0", positive),
	}
	root.Text("doc")
	sum := root.Word("abilities", "mean", "sum") == "sum"
	cost := readCost(root)
	known := map[string]Candidate{}
	var names []string
	add := func(t *conf.Table, c Candidate) {
		if _, twice := known[c.Name]; twice {
			t.Reportf("name", "%q is the name of another agent or group", c.Name)
		}
		names = append(names, c.Name)
		known[c.Name] = c
		s.Candidates = append(s.Candidates, c)
	}
	components := 0
	for _, t := range root.Tables("agent") {
		c := readAgent(t, cost)
		if components == 0 {
			components = len(c.Members[0])
		} else if len(c.Members[0]) != components {
			t.Reportf("ability", "%d abilities, where the agents before have %d", len(c.Members[0]), components)
		}
		add(t, c)
	}
	most := 0
	for i, t := range root.Tables("task") {
		s.Tasks = append(s.Tasks, readTask(t, i, components))
		s.Tasks[i].Sum = sum
		most = max(most, s.Tasks[i].Answers)
	}
	for i, t := range root.Tables("class") {
		c := readClass(t, i, components, known, names)
		c.Sum = sum
		for k := range c.Results {
			if a := known[c.Results[k].Agent].Members[0]; len(a) == components {
				c.Results[k].Ability = c.counts(a)
			}
		}
		s.Classes = append(s.Classes, c)
	}
	for _, t := range root.Tables("group") {
		c := readGroup(t, known, names)
		if c.Rule.Ranks() && most > maxRanked {
			t.Reportf("rule", "rankings are simulated for up to %d answers", maxRanked)
		}
		add(t, c)
	}
	if len(s.Candidates) == 0 {
		root.Missing("agent", "the agents to choose from")
	}
	if len(s.Tasks) == 0 {
		root.Missing("task", "what is to be answered")
	}
	return s, root.Err()
}

// maxRanked is the largest number of answers that members may rank. The cost of an election grows with it.
const maxRanked = 100

func positive(x float64) bool { return x > 0 }

func notNegative(x float64) bool { return x >= 0 }

// readCost reads the cost of agents that have none of their own, a number or an expression of ability, the mean of its components.
func readCost(root *conf.Table) func(Ability) float64 {
	one := func(Ability) float64 { return 1 }
	_, n := root.Expression("cost")
	if n == nil {
		return one
	}
	value := expr.Column{Number: []float64{1}}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { return value, name == "ability" }, "ability")
	if err != nil {
		root.Report(root.Place("cost").In(err))
		return one
	}
	if p.Type() != expr.NumberType {
		root.Wrong("cost", "a number or an expression of ability, such as \"1 + ability/4\"")
		return one
	}
	return func(a Ability) float64 {
		value.Number[0] = num.Mean(a)
		return p.Number(0)
	}
}

func readAgent(t *conf.Table, cost func(Ability) float64) Candidate {
	name := t.NeedText("name", "what the agent is called")
	ability := Ability{1}
	if t.IsList("ability") {
		list := t.Numbers("ability", "abilities above 0", func(x []float64) bool {
			return len(x) > 0 && !slices.ContainsFunc(x, func(a float64) bool { return !positive(a) })
		})
		if len(list) > 0 {
			ability = list
		}
	} else if !t.Has("ability") {
		t.Missing("ability", "its ability, in bits")
	} else {
		ability[0] = t.Number("ability", 1, "an ability above 0, or a list", positive)
	}
	c := Candidate{Group: Group{Name: name, Members: []Ability{ability}, Rule: BestMember}, Cost: cost(ability)}
	if !(c.Cost >= 0) || math.IsInf(c.Cost, 1) {
		t.Reportf("ability", "the cost that ability %v gives is %v: it must be 0 or more", ability, c.Cost)
		c.Cost = 1
	}
	c.Cost = t.Number("cost", c.Cost, "a cost, 0 or more", notNegative)
	return c
}

func readGroup(t *conf.Table, known map[string]Candidate, names []string) Candidate {
	g := Group{Name: t.NeedText("name", "what the group is called"), Rule: readRule(t, "rule")}
	cost := 0.0
	members := t.Texts("members")
	if len(members) == 0 {
		t.Missing("members", "agents by their names; one may appear several times")
	}
	for _, m := range members {
		c, ok := known[m]
		switch {
		case !ok:
			t.Reportf("members", "no agent is called %q%s", m, expr.DidYouMean(m, names))
		case len(c.Members) != 1 || c.Rule != BestMember:
			t.Reportf("members", "%q is a group: name its members", m)
		default:
			g.Members = append(g.Members, c.Members[0])
			cost += c.Cost
		}
	}
	if g.Rule == PluralityVote && len(members) > MaxVoters {
		t.Reportf("members", "plurality is exact for up to %d members", MaxVoters)
	}
	if t.Has("weights") {
		g.Weights = t.Numbers("weights", fmt.Sprintf("%d weights, none of them negative and not all 0", len(members)), func(w []float64) bool {
			return len(w) == len(members) && slices.Max(append(w, 0)) > 0 && slices.Min(append(w, 0)) >= 0
		})
		if g.Rule != WeightedVote {
			t.Reportf("weights", "only the rule %q weighs its members", WeightedVote)
		}
	}
	return Candidate{Group: g, Cost: t.Number("cost", cost, "a cost, 0 or more", notNegative)}
}

// readRule reads the name of a rule; the default is the first of Rules.
func readRule(t *conf.Table, key string) Rule {
	var list []string
	for _, r := range Rules() {
		list = append(list, string(r))
	}
	return Rule(t.Word(key, list...))
}

func readTask(t *conf.Table, i, components int) NamedTask {
	name := t.Text("name")
	if name == "" {
		name = fmt.Sprintf("task %d", i+1)
	}
	task := NamedTask{Name: name, Task: readAnswers(t, components)}
	task.Difficulty = t.Number("difficulty", 0, "a difficulty in bits, 0 or more", notNegative)
	if !t.Has("difficulty") {
		t.Missing("difficulty", "how hard the task is")
	}
	return task
}

// readAnswers reads a task but for its difficulty.
func readAnswers(t *conf.Table, components int) (task Task) {
	task.Answers = t.Whole("answers", 2, 2, 1_000_000)
	if !t.Has("answers") {
		t.Missing("answers", "how many answers there are")
	}
	if t.Has("guess") {
		g := t.Number("guess", 0, "the chance that a blind guess is right, 0 or more, below 1", func(x float64) bool { return x >= 0 && x < 1 })
		task.Guess = &g
	}
	if components > 1 || t.Has("weights") {
		task.Weights = t.Numbers("weights", fmt.Sprintf("%d weights, one per ability, none of them negative and not all 0", components), func(w []float64) bool {
			return len(w) == components && slices.Max(w) > 0 && slices.Min(w) >= 0
		})
		if task.Weights == nil {
			task.Weights = slices.Repeat([]float64{1}, max(components, 1))
		}
	}
	return task
}

// readClass reads a class of tasks with what agents did on it.
func readClass(t *conf.Table, i, components int, known map[string]Candidate, names []string) Class {
	c := Class{Name: t.Text("name"), Task: readAnswers(t, components)}
	if c.Name == "" {
		c.Name = fmt.Sprintf("class %d", i+1)
	}
	if !t.Has("results") {
		t.Missing("results", "what agents did, as { agent = [RIGHT, N] }")
		return c
	}
	results := t.Table("results")
	for _, name := range results.Keys() {
		if _, ok := known[name]; !ok {
			results.Reportf(name, "no agent is called %q%s", name, expr.DidYouMean(name, names))
		}
		whole := func(x float64) bool { return x >= 0 && x == math.Trunc(x) && x <= 1e9 }
		x := results.Numbers(name, "two whole numbers, how often it was right and of how many, the first not above the second", func(x []float64) bool {
			return len(x) == 2 && whole(x[0]) && whole(x[1]) && x[0] <= x[1] && x[1] > 0
		})
		if _, ok := known[name]; ok && len(x) == 2 {
			c.Results = append(c.Results, Result{Agent: name, Right: int(x[0]), N: int(x[1])})
		}
	}
	if len(results.Keys()) == 0 {
		t.Reportf("results", "names no agent: want { agent = [RIGHT, N] }")
	}
	return c
}
