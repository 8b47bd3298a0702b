package figure

import (
	"slices"

	"achilles/infer/compare"
	"achilles/render/figure/chart"
	"achilles/scenarios/score"
)

func verdicts(m *Material) (out []Entry) {
	v := m.Scores.Verdicts
	if v == nil || len(v.Rows) == 0 {
		return nil
	}
	out = append(out, Entry{Name: "classifications", Title: "Classification: probabilities of the agent types", Section: SectionVerdicts, Make: func() chart.Figure { return families(v) },
		Caption: "Posterior probability of every agent type, subject by subject; a diamond stands in the true type, where it is among them." + cut(m)})
	if len(v.Confusion) > 0 {
		out = append(out, Entry{Name: "confusion", Title: "Classification: true type against classification", Section: SectionVerdicts, Make: func() chart.Figure { return confusion(v) },
			Caption: "How often each true type (rows) was classified as each type (columns)."})
	}
	return out
}

func families(v *score.Verdicts) chart.Figure {
	all := slices.DeleteFunc(v.Families(), func(f string) bool { return f == compare.Unclassified })
	var rows []chart.StackedBar
	for i := range first(v.Rows) {
		r := &v.Rows[i]
		row := chart.StackedBar{Label: r.Name, Parts: make([]float64, len(all)), True: slices.Index(all, r.Truth.Family)}
		for _, w := range r.Families {
			if k := slices.Index(all, w.Name); k >= 0 {
				row.Parts[k] = w.Weight
			}
		}
		rows = append(rows, row)
	}
	return chart.StackedBars("posterior probability", all, rows)
}

func confusion(v *score.Verdicts) chart.Figure {
	all := v.Families()
	var truths []string
	var counts [][]int
	for _, f := range all {
		if v.Confusion[f] == nil {
			continue
		}
		row := make([]int, len(all))
		for k, g := range all {
			row[k] = v.Confusion[f][g]
		}
		truths, counts = append(truths, f), append(counts, row)
	}
	return chart.Confusion(truths, all, counts)
}
