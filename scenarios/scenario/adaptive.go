package scenario

import (
	"slices"

	"achilles/agents"
	"achilles/battery"
	"achilles/sim/conf"
)

// Adaptive says that each subject takes only items that are chosen for it, one after another.
type Adaptive struct {
	Items  int     // largest number of items that a subject takes
	SD     float64 // stop when the posterior SD of every capability, as a share of its range, is at most SD; 0: never
	Checks float64 // share of the items that are drawn at random, for checks of fit
	Order  string  // information: the item that is expected to say most; precision: to leave the least variance of the capabilities; random; fixed: the same for all
}

// readAdaptive reads the section adaptive. It reports collectives that have a program, or a body that learns, as a
// member.
func (s *Scenario) readAdaptive(t *conf.Table) *Adaptive {
	a := &Adaptive{
		Items:  t.Whole("items", 0, 1, battery.MaxItems),
		SD:     t.Number("sd", 0, "a fraction of the range of a capability, from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 }),
		Checks: t.Number("checks", 0.2, "a proportion of the items, from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 }),
		Order:  t.Word("order", "information", "precision", "random", "fixed"),
	}
	if !t.Has("items") {
		t.Missing("items", "how many items a subject takes at most")
	}
	if s.HeldOut > 0 {
		s.root.Report(s.root.At("adaptive").Errorf("the items are chosen by all responses, so that none can be held out for a fair test: want held_out = 0 in [responses]"))
	}
	if s.Repetitions > 1 {
		s.root.Report(s.root.At("adaptive").Errorf("an item is chosen for one response: want repetitions = 1 in [responses]"))
	}
	for i, x := range s.Collectives {
		if member := slices.IndexFunc(x.Collective.Members, s.isProgram); member >= 0 {
			s.root.Report(s.root.At(pathOf("collective", i)+".members").Errorf("items are chosen for a collective as for any subject, and %s would have to take them besides its own: a program takes each item once", x.Collective.Members[member]))
		}
		if member := slices.IndexFunc(x.Collective.Members, s.learns); member >= 0 {
			s.root.Report(s.root.At(pathOf("collective", i)+".members").Errorf("items are chosen for a collective as for any subject, and %s would have to take them besides its own: a body that learns takes one sequence of items", x.Collective.Members[member]))
		}
	}
	return a
}

// isProgram returns whether an agent acts by a program.
func (s *Scenario) isProgram(name string) bool {
	return slices.ContainsFunc(s.Agents, func(a agents.Spec) bool { return a.Name == name && len(a.Command) > 0 })
}

// learns returns whether a member of a collective has a body that learns.
func (s *Scenario) learns(member string) bool {
	for _, p := range s.Populations {
		all, _ := s.named(p.Name)
		if slices.Contains(all, member) && slices.ContainsFunc(p.Body, func(b agents.BodyForm) bool { return b.Learns != "" }) {
			return true
		}
	}
	return slices.ContainsFunc(s.Agents, func(a agents.Spec) bool {
		return a.Name == member && slices.ContainsFunc(a.Body, func(b agents.Body) bool { return b.Learning != nil })
	})
}
