package score

import (
	"achilles/infer"
	"achilles/infer/compare"
	"achilles/sim/table"
)

// profileTable returns the posterior of every parameter of every subject, which people see as one line for each subject.
func profileTable(s *Scores) *table.Table {
	stacked := func(of func(q *compare.ParameterEstimate) table.Value) func(p Profile) table.Value {
		return func(p Profile) table.Value {
			if p.Stacked == nil {
				return table.None
			}
			return of(p.Stacked)
		}
	}
	bound := func(of func(q *compare.ParameterEstimate) table.Value) func(p Profile) table.Value {
		return stacked(func(q *compare.ParameterEstimate) table.Value {
			if !q.Bound {
				return table.None
			}
			return of(q)
		})
	}
	published := func(i int) func(p Profile) table.Value {
		return func(p Profile) table.Value {
			if p.Published == nil {
				return table.None
			}
			return table.Float(p.Published[i])
		}
	}
	t := table.Of(table.Table{
		Name: "profiles", Title: "Profiles: posterior mean ± SD", Key: []string{"subject", "parameter"},
		View: &table.View{Down: "subject", Across: "parameter", Cell: "estimate", Below: []string{"truth", "published_mean"}, First: true, Once: []string{"success_rate", "log_evidence", "log_evidence_se"}},
	}, s.Profiles, []table.Field[Profile]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(p Profile) table.Value { return table.String(p.Name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(p Profile) table.Value { return table.String(p.Subject) }),
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(p Profile) table.Value { return table.String(p.Parameter) }),
		table.Col(table.Column{Name: "mean", Spread: "sd", Doc: "posterior mean under the profile layout"}, func(p Profile) table.Value { return table.Float(p.Mean) }),
		table.Col(table.Column{Name: "sd", Doc: "its standard deviation"}, func(p Profile) table.Value { return table.Float(p.SD) }),
		table.Col(table.Column{Name: "mcse", Doc: "Monte Carlo standard error of the mean"}, func(p Profile) table.Value { return table.Maybe(p.MCSE) }),
		table.Col(table.Column{Name: "q5"}, func(p Profile) table.Value { return table.Float(p.Q5) }),
		table.Col(table.Column{Name: "q25"}, func(p Profile) table.Value { return table.Float(p.Q25) }),
		table.Col(table.Column{Name: "q50"}, func(p Profile) table.Value { return table.Float(p.Q50) }),
		table.Col(table.Column{Name: "q75"}, func(p Profile) table.Value { return table.Float(p.Q75) }),
		table.Col(table.Column{Name: "q95"}, func(p Profile) table.Value { return table.Float(p.Q95) }),
		table.Col(table.Column{Name: "ess_bulk"}, func(p Profile) table.Value { return table.Maybe(p.ESSBulk) }),
		table.Col(table.Column{Name: "ess_tail"}, func(p Profile) table.Value { return table.Maybe(p.ESSTail) }),
		table.Col(table.Column{Name: "rhat"}, func(p Profile) table.Value { return table.Maybe(p.RHat) }),
		table.Col(table.Column{Name: "truth", Digits: -1, Doc: "true value, in the unit of the parameter"}, func(p Profile) table.Value { return table.Maybe(p.Truth) }),
		table.Col(table.Column{Name: "truth_fraction", Doc: "true value as a fraction of the maximum"}, func(p Profile) table.Value { return table.Maybe(p.Fraction) }),
		table.Col(table.Column{Name: "bma_mean", Was: "stacked_mean", Spread: "bma_sd", Doc: "model-averaged over the candidate set"}, stacked(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.Mean) })),
		table.Col(table.Column{Name: "bma_sd", Was: "stacked_sd"}, stacked(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.SD) })),
		table.Col(table.Column{Name: "bma_q5", Was: "stacked_q5"}, stacked(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.Q5) })),
		table.Col(table.Column{Name: "bma_q95", Was: "stacked_q95"}, stacked(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.Q95) })),
		table.Col(table.Column{Name: "success_rate", Digits: 3, Doc: "of the subject over its scored responses, which a profile replaces"}, func(p Profile) table.Value { return table.Maybe(p.Success) }),
		table.Col(table.Column{Name: "log_evidence", Head: "log marginal likelihood", Digits: 2, Weight: 1, Doc: "of the subject's responses, under the profile layout"}, func(p Profile) table.Value { return table.Maybe(p.LogEvidence) }),
		table.Col(table.Column{Name: "log_evidence_se", Head: "its SE", Digits: 2, Weight: 2, Doc: "standard error of the log marginal likelihood"}, func(p Profile) table.Value { return table.Maybe(p.LogEvidenceSE) }),
		table.Col(table.Column{Name: "estimate", Digits: -1, Spread: "estimate_sd", Low: "at_least", AtMost: "p_maximum", Doc: "posterior mean, model-averaged where there is a candidate set"}, func(p Profile) table.Value {
			mean, _ := p.Reported()
			return table.Float(mean)
		}),
		table.Col(table.Column{Name: "estimate_sd", Doc: "its standard deviation"}, func(p Profile) table.Value {
			_, sd := p.Reported()
			return table.Float(sd)
		}),
		table.Col(table.Column{Name: "at_least", Doc: "lower 90 % bound, if the estimate is only a bound"}, bound(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.Q5) })),
		table.Col(table.Column{Name: "p_maximum", Doc: "probability that the capability is at its maximum, where only a bound is known"}, bound(func(q *compare.ParameterEstimate) table.Value { return table.Float(q.AtMaximum) })),
		table.Col(table.Column{Name: "published_mean", Head: "published", Digits: -1, Spread: "published_sd"}, published(0)),
		table.Col(table.Column{Name: "published_sd"}, published(1)),
	})
	if s.Apart != "" {
		t.Foot = append(t.Foot, s.Apart)
	}
	if s.stacked() {
		t.Title += ", model-averaged over the candidate set"
		t.Foot = append(t.Foot, "≥: lower 90 % bound, where only that is known; max: probability of the maximum.")
	}
	t.Foot = append(t.Foot, s.from(t.Has("published_mean"))...)
	for i := range s.Profiles {
		p := &s.Profiles[i]
		if i == 0 || p.Name != s.Profiles[i-1].Name {
			t.Note(i, "subject", warnings(s, p.Name, infer.AllRows, false, wholeFit)...)
		}
		if p.Widened != "" && p.Stacked == nil {
			t.Note(i, "estimate", p.Widened)
		}
		t.Note(i, "estimate", warnings(s, p.Name, infer.AllRows, p.Stacked != nil, func(w *Warning) bool { return w.Parameter == p.Parameter })...)
	}
	return t
}
