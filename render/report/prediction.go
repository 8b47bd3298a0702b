package report

import (
	"maps"
	"slices"

	"achilles/infer"
	"achilles/render/figure"
	"achilles/scenarios/score"
)

// valueTables returns a table for each measure of numbers of which predictions are graded.
func valueTables(s *score.Scores) (out []table) {
	for _, measure := range slices.Sorted(maps.Keys(s.Values)) {
		v := s.Values[measure]
		t := table{Title: "Errors of held-out responses: " + measure, Head: append([]column{{Name: "subject"}}, numbers("n", "mean", "RMSE", "aggregate", "MAE", "aggregate", "MSE: ours − aggregate")...)}
		row := func(name string, g *score.Value) []tableCell {
			out := []tableCell{text(name), count(g.N), number(g.Mean, 3), number(g.RMSE, 3), optional(g.RMSEAggregate, 3), number(g.MAE, 3), optional(g.MAEAggregate, 3), {}}
			if g.Excess != nil {
				out[7] = inInterval(*g.Excess, g.ExcessInterval, 3)
			}
			return out
		}
		for _, name := range v.Names() {
			g := v.Subjects[name]
			cells := row(name, &g)
			t.mark(&cells[0], fitWarnings(s, name)...)
			t.Rows = append(t.Rows, tableRow{Cells: cells})
		}
		t.Rows = append(t.Rows, tableRow{Cells: row("all together", v.Pooled), Last: true})
		t.Foot = append(t.Foot, "The aggregate always predicts the mean of the subject's other responses. Below the difference its 95 % interval; negative ones mean that the layout predicts better.")
		out = append(out, t)
	}
	return out
}

// fitWarnings returns the warnings about the fit that predicts a subject's held-out responses.
func fitWarnings(s *score.Scores, subject string) (out []string) {
	for _, w := range s.WarningsOf(subject) {
		if !w.Minor() && w.Rows == infer.FitRows {
			out = append(out, subject+": "+w.Detail)
		}
	}
	return out
}

func pathTable(s *score.Scores) table {
	t := table{Title: "RMSE in cells, by paradigm", Head: append([]column{{Name: "paradigm"}}, numbers("episodes", "subjects", "predicted path", "mean of sampled paths", "population's profile", "shortest way", "staying put", "predicted − population's", "predicted − shortest")...)}
	diff := func(a, b float64, i *score.Interval) tableCell { return inInterval(a-b, i, 2) }
	for _, name := range figure.Paradigms(s.Paths) {
		p := s.Paths[name]
		t.Rows = append(t.Rows, tableRow{Last: name == score.Overall, Cells: []tableCell{text(name), count(p.N), count(p.Subjects), inInterval(p.RMSE, p.Interval, 2), number(p.Fan, 2), number(p.Pooled, 2), number(p.Direct, 2), number(p.Still, 2),
			diff(p.RMSE, p.Pooled, p.OverPooled), diff(p.RMSE, p.Direct, p.OverDirect)}})
	}
	t.Foot = append(t.Foot, "Below each its 95 % interval, by bootstrap over subjects. Negative differences mean that the subject's own profile predicts better.")
	return t
}
