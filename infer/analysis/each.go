package analysis

import (
	"context"
	"math"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	sheet "achilles/sim/table"
)

// An EachRow says of one subject what success has to do with a feature.
type EachRow struct {
	Subject, Feature string
	SuccessRate      float64
	Correlation      chargrid.Correlation
	Fall             chargrid.Fall
	Robustness       chargrid.Robustness // of irrelevant features
}

// makeEach computes the results of every subject by itself, for features that have an order or are irrelevant. Intervals that resample subjects are not defined for one.
func (a *Analysis) makeEach(ctx context.Context, t *table.Table) error {
	if !a.Settings.Each {
		return nil
	}
	c, nan := &a.Settings, math.NaN()
	b := chargrid.DefaultBootstrap(c.Seed)
	b.Replicates, b.Level = 0, c.Level
	for s, id := range t.Subjects {
		set := chargrid.Set{Name: id, Weight: make([]float64, len(t.Subjects))}
		set.Weight[s] = 1
		p := chargrid.Pool(t, set.Weight)
		rate, ok := p.Mean()
		if !ok {
			continue
		}
		correlations, err := chargrid.Correlate(ctx, t, set, b)
		if err != nil {
			return err
		}
		falls := chargrid.Falling(t, id, p, c.Permutations, c.Seed)
		for i := range t.Features {
			f := &t.Features[i]
			row := EachRow{Subject: id, Feature: f.Name, SuccessRate: rate, Correlation: correlations[i], Fall: chargrid.Fall{Conformance: nan, P: nan},
				Robustness: chargrid.Robustness{Value: nan, Spread: nan, Expected: nan, P: nan}}
			if !f.Nominal() {
				row.Fall, falls = falls[0], falls[1:]
			}
			if f.Role == table.Irrelevant && a.hasCapability() {
				row.Robustness = a.Spaces[0].Space.Robust(&a.Axes[i], id, p, c.Permutations, c.Seed)
			}
			if !f.Nominal() || f.Role == table.Irrelevant {
				a.each = append(a.each, row)
			}
		}
	}
	return nil
}

var eachIs = sheet.Table{Name: "each", Title: "Conformance and robustness of each subject", Key: []string{"subject", "feature"},
	Foot: []string{"P: permutation p-value, permuting values of the feature among the subject's items (for robustness, within cells)."}}

var eachColumns = []column[EachRow]{
	col(sheet.Column{Name: "subject"}, func(r *EachRow) any { return &r.Subject }),
	col(sheet.Column{Name: "feature"}, func(r *EachRow) any { return &r.Feature }),
	col(sheet.Column{Name: "success_rate", Digits: 3, Weight: 1, Doc: "over all responses of the subject"}, func(r *EachRow) any { return &r.SuccessRate }),
	col(sheet.Column{Name: "responses", Weight: 3, Doc: "to items that have the feature"}, func(r *EachRow) any { return &r.Correlation.Responses }),
	col(sheet.Column{Name: "values", Weight: 3, Doc: "distinct values of the feature"}, func(r *EachRow) any { return &r.Correlation.Levels }),
	col(sheet.Column{Name: "spearman", Head: "Spearman", Digits: 2, Low: "spearman_low", High: "spearman_high", Weight: 1, Doc: "rank correlation with success, with Fisher's interval"}, func(r *EachRow) any { return &r.Correlation.Spearman.Value }),
	col(sheet.Column{Name: "spearman_low"}, func(r *EachRow) any { return &r.Correlation.Spearman.Fisher.Low }),
	col(sheet.Column{Name: "spearman_high"}, func(r *EachRow) any { return &r.Correlation.Spearman.Fisher.High }),
	col(sheet.Column{Name: "eta", Digits: 3, Weight: 4, Doc: "correlation ratio, corrected for chance; also for labels"}, func(r *EachRow) any { return &r.Correlation.Eta }),
	col(sheet.Column{Name: "slope", Digits: 3, Weight: 3, Doc: "of the least-squares line of success on the feature"}, func(r *EachRow) any { return &r.Correlation.Line.Slope.Value }),
	col(sheet.Column{Name: "conformance", Digits: 2}, func(r *EachRow) any { return &r.Fall.Conformance }),
	col(sheet.Column{Name: "conformance_p", Test: true, Head: "its P", Digits: 3, Doc: "permutation p-value of the conformance"}, func(r *EachRow) any { return &r.Fall.P }),
	col(sheet.Column{Name: "robustness", Digits: 3, Doc: "of irrelevant features"}, func(r *EachRow) any { return &r.Robustness.Value }),
	col(sheet.Column{Name: "spread_by_chance", Digits: 3, Weight: 2, Doc: "1 − robustness that is expected where the feature does not matter"}, func(r *EachRow) any { return &r.Robustness.Expected }),
	col(sheet.Column{Name: "robustness_p", Test: true, Head: "its P", Digits: 3, Doc: "permutation p-value of the spread"}, func(r *EachRow) any { return &r.Robustness.P }),
	col(sheet.Column{Name: "cells", Weight: 4, Doc: "cells with responses at two values of the irrelevant feature"}, func(r *EachRow) any { return &r.Robustness.Cells }),
	col(sheet.Column{Name: "reason", Hidden: true, Doc: "why numbers are missing"}, func(r *EachRow) any { return &r.Correlation.Reason }),
}
