package scenario

import (
	"slices"

	"achilles/agents"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
)

// Adaptive says that each subject takes only items that are chosen for it, one after another. It has the fields of
// infer/adaptive.Settings, which this package must not import, so that one is converted into the other. The tags are for package
// scenarios/setting.
type Adaptive struct {
	Items  int     `setting:"items" limits:"[1, 1000000]" doc:"largest number of items that a subject takes; required"`
	SD     float64 `setting:"sd" limits:"[0, 1)" doc:"stop when the posterior SD of every capability is at most this proportion of its range, or of its prior SD where it has none; 0: never"`
	Checks float64 `setting:"checks" limits:"[0, 1)" doc:"proportion of the items drawn at random, for checks of fit"`
	Order  string  `setting:"order" choices:"information, precision, random, fixed" doc:"how the next item is chosen; for comparison, random draws it, and fixed gives all subjects the same"` // adaptive.ByInformation and so on
}

// NewAdaptive returns the usual settings, which lack Items.
func NewAdaptive() *Adaptive { return &Adaptive{Checks: 0.2, Order: "information"} }

// readAdaptive reads the section adaptive. It reports collectives that have a program, or a body that learns, as a
// member.
func (s *Scenario) readAdaptive(t *conf.Table) *Adaptive {
	a := NewAdaptive()
	setting.Of(a).Read(t, "")
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
			s.root.Report(s.root.At(pathOf("collective", i)+".members").Errorf("items are chosen for a collective as for any subject, and %s would have to take them besides its own: a body that learns or changes takes one sequence of items", x.Collective.Members[member]))
		}
	}
	return a
}

// isProgram returns whether an agent acts by something outside this program.
func (s *Scenario) isProgram(name string) bool {
	return slices.ContainsFunc(s.Agents, func(a agents.Spec) bool { return a.Name == name && a.Outside() })
}

// learns returns whether a member of a collective has a body that learns.
func (s *Scenario) learns(member string) bool {
	for _, p := range s.Populations {
		all, _ := s.named(p.Name)
		if slices.Contains(all, member) && slices.ContainsFunc(p.Body, func(b agents.BodyForm) bool { return b.Ordered() }) {
			return true
		}
	}
	return slices.ContainsFunc(s.Agents, func(a agents.Spec) bool {
		return a.Name == member && slices.ContainsFunc(a.Body, func(b agents.Body) bool { return b.Ordered() })
	})
}
