package generate

import (
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// seal returns the text of truth.json. watched has the labels of items that observers watch, by opaque id. others has
// the files of the other sealed data.
func (s *Session) seal(id *identity, watched map[string]*bib.Label, others []record.File) ([]byte, error) {
	t := seal.New(s.Root)
	t.Drawn, t.Scenario, t.Scale, t.Published, t.Files = s.Drawn, s.Scenario, s.Scale, s.Published, others
	t.Parameters, t.Layout = s.Parameters, s.Layout
	for i, x := range s.Subjects {
		t.Subjects[id.subject[i]] = x
	}
	for i, x := range s.Battery.Items {
		t.Items[id.item[i]] = seal.Item{Name: x.Name, Labels: id.labels(i, x), Episode: watched[id.item[i]], Answer: x.Answer}
	}
	return t.Encode()
}

// labels returns the labels of an item's outcomes, sorted by public trial.
func (id *identity) labels(item int, it battery.Item) []seal.Label {
	var labels []seal.Label
	for t, trial := range it.Trials {
		if trial.Outcome != battery.NoOutcome {
			labels = append(labels, seal.Label{Pair: trial.Pair, Trial: id.publicTrial(item, t), Outcome: trial.Outcome.String()})
		}
	}
	slices.SortFunc(labels, func(a, b seal.Label) int { return a.Trial - b.Trial })
	seen := map[int]bool{}
	for i := range labels {
		labels[i].Name = "a"
		if p := labels[i].Pair; p > 0 && seen[p] {
			labels[i].Name = "b"
		}
		seen[labels[i].Pair] = true
	}
	return labels
}
