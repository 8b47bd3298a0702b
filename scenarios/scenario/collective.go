package scenario

import (
	"achilles/agents"
	"achilles/agents/accuracy"
	"achilles/agents/series"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// readSolver reads how an agent answers questions. It returns nil if the agent has no solver.
func readSolver(t *conf.Table) *series.Solver {
	if !t.Has("solver") {
		if t.Has("lag") {
			t.Reportf("lag", "belongs to the solver %q", series.Pattern)
		}
		return nil
	}
	s := &series.Solver{Kind: series.Kind(t.Word("solver", words(series.Kinds())...)), Lag: t.Whole("lag", 0, 1, 1000)}
	if err := s.Check(); err != nil {
		t.Reportf("solver", "%v", err)
	}
	return s
}

// readCollective reads a subject that consists of other subjects and combines their answers.
func (s *Scenario) readCollective(t *conf.Table) agents.Spec {
	c := agents.Spec{Name: t.NeedText("name", "what the collective is called"), Doc: t.Text("doc")}
	checkName(t, c.Name)
	g := &agents.Collective{Rule: accuracy.Rule(t.Word("rule", words(accuracy.Rules())...))}
	names := t.Texts("members")
	if len(names) == 0 {
		t.Missing("members", "agents, or populations, by their names")
	}
	for _, name := range names {
		members, ok := s.named(name)
		if !ok {
			t.Reportf("members", "no agent and no population is called %q%s", name, expr.DidYouMean(name, s.names()))
		} else if len(members) == 0 {
			t.Reportf("members", "population %q has no members", name)
		}
		g.Members = append(g.Members, members...)
	}
	if t.Has("weights") {
		g.Weights = t.Numbers("weights", "numbers", nil)
	}
	if err := g.Check(); err != nil && len(g.Members) > 0 {
		key := "weights"
		if !t.Has(key) {
			key = "rule"
		}
		t.Reportf(key, "%v", err)
	}
	c.Collective = g
	return c
}

// named returns the names of the subjects that a name stands for: an agent, a member of a population, or all members of
// a population. It returns false if there are none.
func (s *Scenario) named(name string) ([]string, bool) {
	for _, a := range s.Agents {
		if a.Name == name {
			return []string{name}, true
		}
	}
	for _, p := range s.Populations {
		var all []string
		for i := range p.Count {
			member := p.Member(i)
			if member == name {
				return []string{name}, true
			}
			all = append(all, member)
		}
		if p.Name == name {
			return all, true
		}
	}
	return nil, false
}

func (s *Scenario) names() (list []string) {
	for _, a := range s.Agents {
		list = append(list, a.Name)
	}
	for _, p := range s.Populations {
		list = append(list, p.Name)
	}
	return list
}
