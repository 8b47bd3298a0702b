package figure

import (
	"fmt"
	"slices"
	"strings"

	"achilles/infer/compare"
	"achilles/render/figure/chart"
	"achilles/scenarios/score"
)

func verdicts(m *Material) (out []Entry) {
	v := m.Scores.Verdicts
	if v == nil || len(v.Rows) == 0 {
		return nil
	}
	out = append(out, Entry{Name: "classifications", Title: "Classification: probabilities of the agent types", Section: m.eachIn(SectionVerdicts), Make: func() chart.Figure { return families(v) },
		Caption: "Posterior probability of every agent type, subject by subject; a diamond stands in the true type, where it is among them." + cut(m)})
	if len(v.Confusion) > 0 {
		out = append(out, Entry{Name: "confusion", Title: "Classification: true type against classification", Section: SectionVerdicts, Make: func() chart.Figure { return confusion(v) },
			Caption: "How often each true type (rows) was classified as each type (columns)."})
	}
	if slices.ContainsFunc(v.Rows, func(r score.VerdictRow) bool { return r.Design != nil }) {
		out = append(out, Entry{Name: "design", Title: "Classification: the published design, its authors' inference and ours", Section: SectionVerdicts, Make: func() chart.Figure { return design(v) },
			Caption: "What each subject was made to be, as published, beside what the authors inferred from its responses, and what is inferred here. Our types are compared with the design, and of object permanence yes and no alone (ours: P(OP) from 0.75 and up to 0.25)." + cut(m)})
	}
	return out
}

// design draws what was published of the subjects beside what was inferred.
func design(v *score.Verdicts) chart.Figure {
	blocks := []chart.WordBlock{{Title: "Type"}, {Title: "Object permanence"}, {Title: "Weakness"}, {Title: "Variability, noise"}}
	for b := range blocks {
		blocks[b].Columns = []string{"design", "authors", "ours"}
	}
	var rows []string
	for i := range first(v.Rows) {
		r := &v.Rows[i]
		if r.Design == nil {
			continue
		}
		rows = append(rows, r.Name)
		var authors score.PublishedVerdict
		if r.Published != nil {
			authors = *r.Published
		}
		noise := ""
		if r.Noise != nil {
			noise = fmt.Sprintf("%.2f", r.Noise.Mean)
		}
		d := r.Design
		has, known := yes(d.HasOP)
		theirs, said := yes(authors.HasOP)
		for b, words := range [][]chart.Said{
			{{Text: d.Type}, {Text: authors.Decision}, {Text: r.Family, Judged: d.Family != "", Agrees: r.Family == d.Family}},
			{{Text: d.HasOP}, {Text: authors.HasOP, Judged: known && said, Agrees: theirs == has},
				{Text: fmt.Sprintf("%.2f", r.HasOP), Judged: known && (r.HasOP <= 0.25 || r.HasOP >= 0.75), Agrees: r.HasOP > 0.5 == has}},
			{{Text: d.Weakness}, {Text: authors.Weakness}, {Text: strings.Join(r.WeaknessNames, ", ")}},
			{{Text: d.Variability}, {Text: authors.Noise}, {Text: noise}},
		} {
			blocks[b].Words = append(blocks[b].Words, words)
		}
	}
	return chart.Words(rows, blocks)
}

// yes returns whether a word is yes, and whether it is yes or no.
func yes(word string) (yes, known bool) {
	yes = strings.EqualFold(word, "yes")
	return yes, yes || strings.EqualFold(word, "no")
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
