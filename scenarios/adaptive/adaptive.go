// Package adaptive chooses the items of a battery that each subject takes, by a layout and a bank of rivals. The choosing side
// gets the published items and the responses so far; everything else stays with the session.
package adaptive

import (
	"context"
	"fmt"

	"achilles/infer/adaptive"
	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/sim/record"
)

// A Choice says how items are chosen.
type Choice struct {
	adaptive.Settings
	Layout *layout.Layout
	Bank   *compare.Source // rival explanations between which the items are to tell as well; may be nil

	// Unreached is told of every subject that has taken all its items and whose largest posterior SD of a capability, as a share of
	// its range, is still above Settings.SD. It is called from several goroutines; nil: nobody is told.
	Unreached func(largest float64)
}

// Begin begins the choice of items from what is published before anybody responds. It implements generate.Config.Choose. The
// error says why items cannot be chosen by the layout.
func (c Choice) Begin(candidates *record.Dataset) (generate.Choosing, error) {
	models, err := c.Models(candidates)
	if err != nil {
		return nil, err
	}
	if err := adaptive.Check(models, c.Settings); err != nil {
		return nil, err
	}
	return func(ctx context.Context, subject int, take generate.Take) error {
		chooser, err := adaptive.New(models, &candidates.Items, c.Settings, candidates.Subjects[subject])
		if err != nil {
			return err
		}
		for {
			item, ok := chooser.Next()
			if !ok {
				if sd := chooser.LargestSD(); c.SD > 0 && sd > c.SD && c.Unreached != nil {
					c.Unreached(sd)
				}
				return nil
			}
			responses, err := take(ctx, item)
			if err != nil {
				return err
			}
			if err := chooser.Record(ctx, item, responses); err != nil {
				return fmt.Errorf("subject %s: %w", candidates.Subjects[subject], err)
			}
		}
	}, nil
}

// Models returns the layout and the rivals of the bank, each side with half of the prior probability. Rivals by which items
// cannot be chosen are left out.
func (c Choice) Models(public *record.Dataset) ([]adaptive.Model, error) {
	var bank *compare.Bank
	var err error
	if c.Bank != nil {
		if bank, err = compare.Parse(*c.Bank); err != nil {
			return nil, err
		}
	}
	items, end := &public.Items, &public.Items // at the first position, and at the last
	if c.Layout.ByPosition(items) || bank != nil && bank.ByPosition(items) {
		items, end = adaptive.At(items, 1), adaptive.At(items, min(c.Items, items.Len()))
	}
	if _, err := c.Layout.Bind(end, public.Manifest.Measures); err != nil {
		return nil, err
	}
	design, err := c.Layout.Bind(items, public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	out := []adaptive.Model{{Design: design, Prior: 1}}
	if bank == nil {
		return out, nil
	}
	bound, err := bank.Bind(items, public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	later := bound
	if end != items {
		if later, err = bank.Bind(end, public.Manifest.Measures); err != nil {
			return nil, err
		}
	}
	for i, e := range later.Entries {
		if d := bound.Entries[i].Design; d != nil && e.Design != nil && adaptive.Fits(d) == nil {
			out = append(out, adaptive.Model{Design: d, Prior: e.Share})
		}
	}
	return out, nil
}
