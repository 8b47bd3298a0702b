package cli

import (
	"achilles/infer/adaptive"
	taking "achilles/scenarios/adaptive"
	"achilles/scenarios/scenario"
)

// choosing says how items are chosen for the subjects of a scenario: by its section adaptive, the layout that measures its
// subjects, and its bank.
func (a *app) choosing(s *scenario.Scenario) (taking.Choice, error) {
	c := taking.Choice{Settings: adaptive.Settings{Items: s.Adaptive.Items, SD: s.Adaptive.SD, Order: adaptive.Order(s.Adaptive.Order)}}
	var err error
	if c.Layout, err = a.layout(s.Inference.Text("layout")); err != nil {
		return c, err
	}
	c.Bank, err = readBank(s.Inference.Text(s.Inference.Renamed("candidates", "bank")))
	return c, err
}
