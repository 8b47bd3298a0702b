// Package power predicts, before data are collected, how well a battery tells subjects apart: the probability that a candidate set
// classifies a subject correctly, by classifying simulated responses as an inference would, and the probability that a number of
// items tells a subject from another.
package power

import (
	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/scenario"
)

// A Subject has the probability that a subject of a scenario passes each item.
type Subject struct {
	Name, Family string
	P            []float64
}

// Subjects returns the subjects of a scenario that respond by rules, drawn with the seed root. Subjects with bodies
// or programs are left out, because their pass probabilities are not known.
func Subjects(s *scenario.Scenario, b *battery.Battery, root uint64) ([]Subject, error) {
	specs, err := s.Subjects(root)
	if err != nil {
		return nil, err
	}
	items := scenario.ItemsOf(b)
	var out []Subject
	for i := range specs {
		if len(specs[i].Rule) == 0 {
			continue
		}
		a, err := agents.Compile(&specs[i], items)
		if err != nil {
			return nil, s.Place(err)
		}
		subject := Subject{Name: specs[i].Name, Family: specs[i].Truth.Family, P: make([]float64, b.Items.Len())}
		for k := range subject.P {
			subject.P[k] = a.P(k)
		}
		out = append(out, subject)
	}
	return out, nil
}
