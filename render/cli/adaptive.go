package cli

import (
	"context"

	"achilles/infer/adaptive"
	taking "achilles/scenarios/adaptive"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// choosing returns the function that leaves each subject of a session the items which are chosen for it, by the section
// adaptive of the scenario and the layout that measures its subjects.
func choosing(s *scenario.Scenario, c generate.Config) (func(context.Context, *generate.Session) error, error) {
	l, err := loadLayout(s.Inference.Layout)
	if err != nil {
		return nil, err
	}
	bank, err := readBank(s.Inference.Bank)
	if err != nil {
		return nil, err
	}
	settings := adaptive.Settings{Items: s.Adaptive.Items, SD: s.Adaptive.SD, Order: adaptive.Order(s.Adaptive.Order)}
	return func(ctx context.Context, session *generate.Session) error {
		return taking.Take(ctx, session, taking.Config{Settings: settings, Layout: l, Bank: bank, Jobs: c.Jobs, Progress: c.Progress})
	}, nil
}
