package report

import (
	"achilles/scenarios/score"
)

func coverageTable(s *score.Scores) table {
	t := table{Title: "Coverage: share of truths inside credible intervals", Head: append([]column{{Name: "capability"}}, numbers("level, %", "central", "n", "at a bound", "central, others", "shortest")...)}
	if s.Coverage == nil {
		return t
	}
	for _, c := range s.Parameters() {
		for _, level := range []struct {
			name string
			v    int
		}{{"50", 50}, {"90", 90}} {
			d, ok := s.Coverage.Detail[level.name][c]
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(c), count(level.v), share(&d.All), count(d.All.N), count(d.AtBound), share(d.Interior), share(d.Shortest)}})
		}
	}
	t.Foot = append(t.Foot, "Below each share its exact 95 % interval. A truth at a bound lies outside every central interval; \"others\" leaves these out; the shortest interval may reach a bound.")
	return t
}

func share(s *score.Share) tableCell {
	if s == nil {
		return text("–")
	}
	return within(s.Share, &s.Interval[0], &s.Interval[1], 2)
}

// simulatedTable returns a table of the recovery of what a layout drew, with one row for each parameter that is not
// binary.
func simulatedTable(s *score.Scores) table {
	t := table{Title: "RMSE of the posterior mean" + s.SimulatedUnder() + ", in the unit of the parameter", Head: []column{{Name: "parameter"}, {Name: "of"}, {Name: "n", Number: true},
		{Name: "RMSE", Number: true, Doc: "95 %: bootstrap over units"}, {Name: "MCSE", Number: true, Doc: "what the finite number of draws contributes"},
		{Name: "bias", Number: true, Doc: "mean of posterior mean − value"}, {Name: "spread", Number: true, Doc: "standard deviation of the values"},
		{Name: "Pearson", Number: true}, {Name: "Spearman", Number: true}, {Name: "in 50 %", Number: true}, {Name: "in 90 %", Number: true}}}
	for _, p := range s.Drawn {
		if p.Binary != nil { // classificationTable
			continue
		}
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(p.Parameter), text(p.Kind), count(p.N), inInterval(p.RMSE, p.Interval, 3), optional(p.MCSE, 4),
			number(p.Bias, 3), optional(p.Spread, 3), optional(p.Pearson, 3), optional(p.Spearman, 3), share(&p.Share50), share(&p.Share90)}})
	}
	t.Foot = append(t.Foot, "The layout drew these values from its priors before the subjects responded. Correlations are of posterior means and values; the last columns are the shares of the values inside the central intervals, with exact 95 % intervals below.")
	return t
}

// classificationTable returns a table of the binary parameters that a layout drew; it has no rows if there are none.
func classificationTable(s *score.Scores) table {
	t := table{Title: "Binary parameters: who has what", Head: []column{{Name: "parameter"}, {Name: "n", Number: true}, {Name: "have it", Number: true},
		{Name: "told right", Number: true, Doc: "the value is the likelier one"}, {Name: "Brier", Number: true, Doc: "mean squared difference of posterior probability and value"},
		{Name: "of the share", Number: true, Doc: "Brier score of the share of those who have it as everybody's probability"},
		{Name: "calibration", Number: true, Doc: "what of the Brier score is due to wrong probabilities"}}}
	for _, p := range s.Drawn {
		if b := p.Binary; b != nil {
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(p.Parameter), count(p.N), number(b.Has, 3), share(&b.Right), number(b.Brier, 4), number(b.Uncertainty, 4), number(b.Calibration, 4)}})
		}
	}
	if p := s.Patterns; p != nil {
		none := text("")
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text("all together"), count(p.N), none, share(p), none, none, none}})
	}
	t.Foot = append(t.Foot, "The posterior mean of a binary parameter is the probability that it is 1. Below each share its exact 95 % interval; \"all together\" are the subjects of whom every value is told right.")
	return t
}
