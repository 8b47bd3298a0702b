package report

import (
	"fmt"
	"strings"

	"achilles/render/format"
	"achilles/scenarios/score"
)

func ctestTable(s *score.Scores) table {
	c := s.CTest
	if c == nil {
		return table{}
	}
	t := table{Title: "Scores", Head: append([]column{{Name: "subject"}}, numbers("n", "score r", "ability measured", "r by it")...)}
	if c.Weight > 0 {
		t.Head = append(t.Head, numbers(fmt.Sprintf("ability %g r", c.Weight), "r by that")...)
	}
	row := func(name string, r score.SeriesScore) {
		cells := []tableCell{text(name), {}, number(r.Score, 3), {}, optional(r.ExpectedMeasured, 3)}
		if r.N > 0 {
			cells[1] = count(r.N)
		}
		if r.Measured != nil {
			a, b := format.MeanSD(r.Measured[0], r.Measured[1])
			cells[3] = tableCell{Text: a + " ±" + b, Value: &r.Measured[0]}
		}
		if c.Weight > 0 {
			cells = append(cells, optional(r.Ability, 2), optional(r.Expected, 3))
		}
		t.Rows = append(t.Rows, tableRow{Cells: cells})
	}
	for _, name := range c.Shown() {
		row(name, c.Subjects[name])
	}
	for _, r := range c.Published {
		row("published", r)
	}
	if c.Fitted != nil {
		t.Foot = append(t.Foot, fmt.Sprintf("An ability is %.1f r for the least mean square between the model and the success rates of the solvers.", *c.Fitted))
	}
	if c.Weight > 0 {
		t.Foot = append(t.Foot, "Published: "+s.Source+".")
	}
	return t
}

func collectiveTable(s *score.Scores) table {
	t := table{Title: "Share of right answers", Head: append([]column{{Name: "collective"}, {Name: "rule"}},
		numbers("members", "mean member", "best member", "actual", "formula", "z", "majority", "plurality", "published")...)}
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		cells := []tableCell{text(name), text(string(g.Rule)), count(len(g.Members)), number(g.Mean, 3), number(g.Best, 3), number(g.Actual, 3), text("–"), {}, text("–"), text("–")}
		if i := g.Independent; i != nil {
			cells[6], cells[7], cells[8], cells[9] = inInterval(i.Share, i.Interval, 3), optional(i.Z, 1), number(i.Majority, 3), optional(i.Plurality, 3)
			if i.SE != nil {
				cells[6].Below = []string{"simulated"}
			}
		}
		byTruth(&cells[8], g.TrueMajority)
		byTruth(&cells[9], g.TruePlurality)
		t.Rows = append(t.Rows, tableRow{Cells: append(cells, optional(g.Published, 2))})
	}
	t.Foot = []string{
		"Formula: of the collective's own rule, with its members' chances by their posteriors; below it its 95 % interval. Majority, plurality: if more than half had to be right, if most votes won (never less); below them the same by the members' true abilities.",
		"z: actual − formula, in standard deviations of so many responses. Far from 0, the members do not err independently.",
	}
	if s.CTest != nil {
		t.Title += ", weighted by complexity"
		if s.CTest.Note != "" {
			t.Foot = append(t.Foot, "Published: "+strings.TrimSuffix(s.CTest.Note, ".")+".")
		}
	}
	return t
}

// byTruth adds a line to the cell of a formula: the formula's value for the members' true abilities. It does nothing if
// x is nil.
func byTruth(c *tableCell, x *float64) {
	if x != nil {
		c.Below = []string{"true " + format.Number(*x, 3)}
	}
}
