package report

import (
	"slices"

	"achilles/render/figure"
	"achilles/sim/record"
)

func fitTable(m *figure.Material) table {
	names := map[string]string{}
	if m.Scores != nil {
		for _, p := range m.Scores.Profiles {
			names[p.Subject] = p.Name
		}
	}
	t := table{Head: append([]column{{Name: "subject"}, {Name: "rows", Doc: "all: the profile; fit: the predictions"}, {Name: "engine"}}, numbers("divergences", "worst R-hat", "least bulk ESS", "least tail ESS", "log evidence", "gradients", "likelihoods", "warnings")...)}
	for _, f := range m.Result.Diagnostics.Fits {
		name := names[f.Subject]
		if name == "" {
			name = f.Subject
		}
		c := tableCell{Text: f.Engine}
		for _, why := range f.Replaced {
			t.mark(&c, name+", chains replaced: "+why)
		}
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(name), text(f.Rows), c, count(f.Divergences), optional(f.WorstRHat, 4), optional(f.MinESSBulk, 0), optional(f.MinESSTail, 0), optional(f.LogEvidence, 2), count(f.Gradients), count(f.Likelihoods), count(len(f.Warnings))}})
	}
	slices.SortStableFunc(t.Rows, func(a, b tableRow) int { return record.CompareNames(a.Cells[0].Text, b.Cells[0].Text) })
	return t
}
