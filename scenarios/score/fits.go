package score

import (
	"slices"

	"achilles/infer"
	"achilles/sim/table"
)

// diagnose keeps the diagnostics of the fits, and sums them up.
func diagnose(s *Scores, r *infer.Result) {
	d := r.Diagnostics
	s.Diagnostics = Diagnostics{
		Fits: len(d.Fits), Divergences: d.Divergences, WorstRHat: d.WorstRHat, MinESSBulk: d.MinESSBulk, Replaced: d.Replaced,
		Approximate: infer.Approximate(d.Fits),
	}
	for _, f := range d.Fits {
		if len(f.Warnings) > 0 {
			s.Diagnostics.Warned++
		}
		f.Divergent, f.Misfit, f.LOO = nil, nil, nil // which no table has
		s.Fits = append(s.Fits, f)
	}
}

// FitTable returns how the chains of each fit ran. s has the names of the subjects; without it, which is nil then, they have
// their ids.
func FitTable(fits []infer.Fit, s *Scores) *table.Table {
	names := map[string]string{"": "all"}
	if s != nil {
		for _, p := range s.Profiles {
			names[p.Subject] = p.Name
		}
	}
	name := func(f infer.Fit) string {
		if n, ok := names[f.Subject]; ok {
			return n
		}
		return f.Subject
	}
	rows := slices.Clone(fits)
	sortByName(rows, name)
	t := table.Of(table.Table{Name: "fits", Title: "Diagnostics of each fit", Key: []string{"subject", "rows"}, Worst: []string{"worst_rhat"},
		Foot: []string{"Responses: all give the profile, fit (all that are not held out) the predictions."},
	}, rows, []table.Field[infer.Fit]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(f infer.Fit) table.Value { return table.String(name(f)) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(f infer.Fit) table.Value { return table.Named(f.Subject) }),
		table.Col(table.Column{Name: "rows", Head: "responses", Kind: table.Text, Doc: "all: the profile; fit: the predictions"}, func(f infer.Fit) table.Value { return table.String(f.Rows) }),
		table.Col(table.Column{Name: "engine", Head: "inference method", Kind: table.Text, Weight: 1}, func(f infer.Fit) table.Value { return table.Named(f.Engine) }),
		table.Col(table.Column{Name: "chains", Kind: table.Count, Weight: 6}, func(f infer.Fit) table.Value { return table.Int(f.Chains) }),
		table.Col(table.Column{Name: "draws", Kind: table.Count, Weight: 6, Doc: "of each chain"}, func(f infer.Fit) table.Value { return table.Int(f.Draws) }),
		table.Col(table.Column{Name: "divergences", Head: "divergent transitions", Kind: table.Count, Weight: 2}, func(f infer.Fit) table.Value { return table.Int(f.Divergences) }),
		table.Col(table.Column{Name: "worst_rhat", Head: "max R-hat", Digits: 4}, func(f infer.Fit) table.Value { return table.Maybe(f.WorstRHat) }),
		table.Col(table.Column{Name: "min_ess_bulk", Head: "min bulk ESS"}, func(f infer.Fit) table.Value { return table.Maybe(f.MinESSBulk) }),
		table.Col(table.Column{Name: "min_ess_tail", Head: "min tail ESS", Weight: 3}, func(f infer.Fit) table.Value { return table.Maybe(f.MinESSTail) }),
		table.Col(table.Column{Name: "log_evidence", Head: "log marginal likelihood", Digits: 2, Weight: 4}, func(f infer.Fit) table.Value { return table.Maybe(f.LogEvidence) }),
		table.Col(table.Column{Name: "log_evidence_se", Head: "its SE", Digits: 2, Weight: 5}, func(f infer.Fit) table.Value { return table.Maybe(f.EvidenceSE) }),
		table.Col(table.Column{Name: "gradients", Kind: table.Count, Weight: 6, Doc: "evaluations of the log density with its gradient"}, func(f infer.Fit) table.Value { return table.Int(f.Gradients) }),
		table.Col(table.Column{Name: "likelihoods", Kind: table.Count, Weight: 6, Doc: "evaluations of the likelihood alone"}, func(f infer.Fit) table.Value { return table.Int(f.Likelihoods) }),
		table.Col(table.Column{Name: "warnings", Kind: table.Count, Weight: 1}, func(f infer.Fit) table.Value { return table.Int(len(f.Warnings)) }),
	})
	for i, f := range rows {
		for _, why := range f.Replaced {
			t.Note(i, "engine", name(f)+": resampled with the tempered sampler because NUTS failed: "+why)
		}
	}
	return t
}

// Diagnostics has totals of the fits and the worst value of each diagnostic over all fits.
type Diagnostics struct {
	Fits        int      `json:"fits"`
	Divergences int      `json:"divergences"`
	WorstRHat   *float64 `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64 `json:"min_ess_bulk,omitempty"`
	Replaced    int      `json:"replaced"`              // fits whose chains disagreed, so that the engine that moves between modes replaced them
	Approximate int      `json:"approximate,omitempty"` // fits by a normal approximation around the maximum, without chains
	Warned      int      `json:"warned"`                // fits with at least one warning
}
