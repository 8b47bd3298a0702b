package report

import (
	"strings"

	"achilles/render/format"
	"achilles/scenarios/score"
)

func verdictTable(s *score.Scores) table {
	t := table{Head: []column{{Name: "subject"}, {Name: "verdict"}, {Name: "weight", Number: true}, {Name: "has OP", Number: true, Doc: "probability that it has object permanence"}, {Name: "weaknesses", Doc: "those more likely than not; below them mild ones"}, {Name: "components", Doc: "posterior probability of every rival that is all or part of an explanation"}, {Name: "noise", Number: true}, {Name: "misfits", Number: true}}}
	v := s.Verdicts
	if v == nil {
		return t
	}
	graded, published := v.Subjects > 0, false
	for i := range v.Rows {
		published = published || v.Rows[i].Published != nil
	}
	if graded {
		t.Head = append(t.Head, column{Name: "true family"}, column{Name: "true OP"}, column{Name: "true weaknesses"})
	}
	if published {
		t.Head = append(t.Head, column{Name: "published"})
	}
	for i := range v.Rows {
		t.Rows = append(t.Rows, tableRow{Cells: t.verdict(&v.Rows[i], graded, published)})
	}
	t.Foot = append(t.Foot, "Weight: posterior probability of the heaviest family, the bank of rivals being all there is. Below the noise its central 90 %.")
	if graded {
		t.Foot = append(t.Foot, "≠ before a true family: the verdict is another.")
	}
	return t
}

// verdict returns the cells of a subject's row. The subject's misfits become notes of the table.
func (t *table) verdict(r *score.VerdictRow, graded, published bool) []tableCell {
	family := tableCell{Text: r.Family}
	if r.CannotTell != "" {
		family.Below = []string{r.CannotTell}
	}
	misfit := count(len(r.Misfit))
	for _, m := range r.Misfit {
		t.mark(&misfit, r.Name+": "+m.Statement)
	}
	noise := tableCell{}
	if n := r.Noise; n != nil {
		noise = within(n.Mean, &n.Q5, &n.Q95, 2)
	}
	weak := text(strings.Join(r.WeaknessNames, ", "))
	for _, m := range r.Mild {
		weak.Below = append(weak.Below, "mildly "+m.Name)
	}
	row := []tableCell{text(r.Name), family, number(r.Weight, 2), number(r.HasOP, 2), weak, components(r), noise, misfit}
	if graded {
		c := tableCell{Text: r.Truth.Family, Strong: !r.Right && r.Truth.Family != ""}
		if c.Strong {
			c.Text = "≠ " + c.Text
		}
		row = append(row, c, text(r.Truth.HasOP), text(strings.Join(r.TrueWeaknesses, ", ")))
	}
	if published {
		c := tableCell{}
		if q := r.Published; q != nil {
			c = tableCell{Text: q.Decision, Below: []string{"OP: " + q.HasOP, q.Weakness}}
		}
		row = append(row, c)
	}
	return row
}

// components returns the cell with the posterior probabilities of the components of a subject's explanations.
func components(r *score.VerdictRow) tableCell {
	var c tableCell
	for i, x := range r.Components {
		line := x.Name + " " + format.Number(x.Probability, 2)
		if i == 0 {
			c.Text = line
			continue
		}
		c.Below = append(c.Below, line)
	}
	return c
}

// verdictWords returns a table with the verdict on each subject as a sentence.
func verdictWords(s *score.Scores) table {
	t := table{Title: "In words", Head: []column{{Name: "subject"}, {Name: "verdict", Prose: true}}}
	if s.Verdicts == nil {
		return t
	}
	for i := range s.Verdicts.Rows {
		if r := &s.Verdicts.Rows[i]; r.Words != "" {
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(r.Name), text(r.Words)}})
		}
	}
	return t
}

func verdictGrades(s *score.Scores) table {
	t := table{Title: "Grades of the verdicts", Head: append([]column{{Name: "grade"}}, numbers("right", "of", "share")...)}
	v := s.Verdicts
	if v == nil || v.Subjects == 0 {
		return t
	}
	for _, g := range v.Grades() {
		name := g.Name
		if g.Group != "" {
			name += ", " + g.Group
		}
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(name), count(g.Share.Covered), count(g.Share.N), share(&g.Share)}})
	}
	t.Foot = append(t.Foot, "Below each share its exact 95 % interval.")
	if v.HasOPBrier != nil {
		t.Foot = append(t.Foot, "Object permanence: Brier score "+format.Number(*v.HasOPBrier, 4)+" over the subjects that have it or lack it.")
	}
	return t
}
