package figure

import (
	"fmt"
	"math"
	"slices"

	"achilles/render/figure/chart"
	"achilles/scenarios/score"
)

// ctest returns the entries of figures 1, 2, 4 and 5 of Chmait et al. (2017), with our values beside the published
// ones. The numbers of the figures are those of the paper.
func ctest(m *Material) (out []Entry) {
	t := m.Scores.CTest
	if t == nil {
		return nil
	}
	out = append(out, Entry{Name: "ctest-1", Title: "C-test: scores beside what the model gives (figure 1)", Section: SectionCTest, Make: m.scores,
		Caption: "Proportion of correct answers, weighted by complexity, and the score expected by the model on the same items, for the estimated ability and for the ability that the paper derives from the score. With the latter the model underestimates able agents. Published: abilities in the paper, which does not name its agents."})
	curves := m.Scores.Curves()
	of := func(figure int) []score.Curve {
		return slices.DeleteFunc(slices.Clone(curves), func(c score.Curve) bool { return c.Figure != figure })
	}
	if surfaces := of(2); len(surfaces) > 0 {
		c := &surfaces[0] // only the first of the subjects that have a published ability
		out = append(out, Entry{Name: "ctest-2", Title: fmt.Sprintf("C-test: chance by difficulty and answers, ability %g (figure 2)", t.Like[c.Name]), Section: SectionCTest, Make: func() chart.Figure { return surface(c) },
			Caption: fmt.Sprintf("Rows: difficulty in bits; columns: number of answers. Large: for the paper's ability of %g, which gives the colour; small: for that of %s, as measured.", t.Like[c.Name], c.Name)})
	}
	if iso := of(4); len(iso) > 0 {
		out = append(out, Entry{Name: "ctest-4", Title: "C-test: difficulty up to which a chance is reached (figure 4)", Section: SectionCTest, Make: func() chart.Figure { return isolines(iso) },
			Caption: "Lines: for the paper's ability; marks: for the measured ability, with its 90 % interval. On each line the chance of a right answer is the same."})
	}
	if groups := of(5); len(groups) > 0 {
		out = append(out, Entry{Name: "ctest-5", Title: "C-test: groups by difficulty (figure 5)", Section: SectionCTest, Make: func() chart.Figure { return groupPanels(groups) },
			Caption: "Lines: the chance that a group is right whose members have these abilities and err independently: by majority more than half of them must be right, as in the paper; by plurality most votes win. Marks, where there are ten series or more of a complexity: the proportion that the group had right, with exact 95 % intervals."})
	}
	return out
}

func (m *Material) scores() chart.Figure {
	t := m.Scores.CTest
	value := func(x *float64) float64 {
		if x == nil {
			return math.NaN()
		}
		return *x
	}
	var rows []chart.Comparison
	add := func(name string, r score.SeriesScore) {
		rows = append(rows, chart.Comparison{Label: name, Values: []float64{r.Score, value(r.ExpectedMeasured), value(r.Expected)}})
	}
	for _, name := range t.Shown() {
		if _, group := m.Scores.Collectives[name]; !group {
			add(name, t.Subjects[name])
		}
	}
	for _, r := range t.Published {
		add(fmt.Sprintf("published: ability %g", *r.Ability), r)
	}
	return chart.Compare("score", []string{"score", "model, ability measured", "model, ability from the score"}, rows)
}

func surface(c *score.Curve) chart.Figure {
	var rows, columns []string
	var cells [][]chart.Cell
	for i, p := range c.Points {
		row, column := fmt.Sprintf("%g bits", p.Difficulty), fmt.Sprint(p.Answers)
		if len(rows) == 0 || rows[len(rows)-1] != row {
			rows, cells = append(rows, row), append(cells, nil)
		}
		if len(rows) == 1 {
			columns = append(columns, column)
		}
		share := p.P
		cells[len(cells)-1] = append(cells[len(cells)-1], chart.Cell{Share: &share, Text: fmt.Sprintf("%.2f", p.P), Small: fmt.Sprintf("%.2f", c.Ours[i].P)})
	}
	return chart.Heat(rows, columns, cells, "chance of a right answer")
}

func isolines(curves []score.Curve) chart.Figure {
	var series []chart.Series
	high := 0.0
	for _, c := range curves {
		at := func(list []score.CurvePoint) (out []chart.Point) {
			for _, p := range list {
				out = append(out, chart.Point{X: float64(p.Answers), Y: p.Difficulty, Low: p.Low, High: p.High})
				high = max(high, p.High)
			}
			return out
		}
		series = append(series, chart.Series{Name: "chance " + c.Name, Points: at(c.Points), Marks: at(c.Ours)})
	}
	return chart.Lines("answers", "difficulty, bits", series, 0, 1.05*high)
}

func groupPanels(curves []score.Curve) chart.Figure {
	var panels []chart.Panel
	at := func(list []score.CurvePoint) (out []chart.Point) {
		for _, p := range list {
			out = append(out, chart.Point{X: p.Difficulty, Y: p.P, Low: p.Low, High: p.High})
		}
		return out
	}
	for _, c := range curves {
		title := fmt.Sprintf("%s, %d answers", c.Rule, c.Answers)
		if n := len(panels); n == 0 || panels[n-1].Title != title {
			panels = append(panels, chart.Panel{Title: title})
		}
		last := &panels[len(panels)-1]
		last.Series = append(last.Series, chart.Series{Name: c.Name, Points: at(c.Points), Marks: at(c.Ours)})
	}
	return chart.LinePanels("difficulty, bits", "chance", panels, 3, 0, 1)
}
