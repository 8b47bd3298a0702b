package report

import (
	"fmt"
	"slices"

	"achilles/infer"
	"achilles/render/format"
	"achilles/scenarios/score"
)

// profileTable returns a table with one row for each subject. A cell has the truth below the estimate, and marks of
// notes with warnings.
func profileTable(s *score.Scores) table {
	parameters := s.Parameters()
	t := table{Head: append([]column{{Name: "subject"}}, numbers(parameters...)...)}
	truth, published, stacked := false, false, false
	for rest := s.Profiles; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Name == rest[0].Name {
			n++
		}
		row := tableRow{Cells: make([]tableCell, len(t.Head))}
		row.Cells[0].Text = rest[0].Name
		t.mark(&row.Cells[0], warnings(s, rest[0].Name, infer.AllRows, "")...)
		for _, p := range rest[:n] {
			mean, sd := p.Reported()
			stacked = stacked || p.Stacked != nil
			a, b := format.MeanSD(mean, sd)
			c := tableCell{Text: a, Value: &mean}
			if b != "" {
				c.Text += " ±" + b
			}
			if q := p.Stacked; q != nil && q.Bound {
				c.Text = "≥ " + format.Short(q.Q5)
			}
			if p.Truth != nil {
				truth = true
				c.Below = append(c.Below, "truth "+format.Short(*p.Truth))
			}
			if p.Published != nil {
				published = true
				c.Below = append(c.Below, fmt.Sprintf("publ. %s ±%s", format.Short(p.Published[0]), format.Short(p.Published[1])))
			}
			t.mark(&c, warnings(s, p.Name, infer.AllRows, p.Parameter)...)
			row.Cells[1+slices.Index(parameters, p.Parameter)] = c
		}
		t.Rows = append(t.Rows, row)
		rest = rest[n:]
	}
	if truth {
		t.Foot = append(t.Foot, "Below each: the sealed truth, where there is one.")
	}
	if stacked {
		t.Foot = append(t.Foot, "Of subjects with a verdict the posterior is that over all rival layouts, by their weights; ≥ is what lies above with a probability of 90 %.")
	}
	if published {
		t.Foot = append(t.Foot, "Published: "+s.Source+".")
	}
	return t
}

// warnings returns the warnings about a parameter of a subject. If parameter is empty, it returns those about the whole
// fit. Minor warnings are left out.
func warnings(s *score.Scores, subject, rows, parameter string) (out []string) {
	for _, w := range s.WarningsOf(subject) {
		if !w.Minor() && w.Rows == rows && w.Parameter == parameter {
			out = append(out, subject+": "+w.Detail)
		}
	}
	return out
}
