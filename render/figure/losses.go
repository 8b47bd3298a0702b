package figure

import (
	"fmt"
	"slices"

	"achilles/render/figure/chart"
	"achilles/sim/table"
)

// Losses draws a table of accuracy.Selection.Losses: the accuracy that agents lose by difficulty, a panel per agent and a curve per number of
// answers (Chmait et al. 2017, Figure 3). More than 40 agents are an error.
func Losses(t *table.Table) (chart.Figure, error) {
	var panels []chart.Panel
	for i := range t.Rows {
		agent := t.Value(i, "agent").Text()
		at := slices.IndexFunc(panels, func(p chart.Panel) bool { return p.Title == agent })
		if at < 0 {
			at, panels = len(panels), append(panels, chart.Panel{Title: agent})
		}
		d, _ := t.Value(i, "difficulty").Number()
		loss, _ := t.Value(i, "loss").Number()
		panels[at].Add(t.Value(i, "tasks").Text(), chart.Point{X: d, Y: loss})
	}
	if len(panels) > mostPredicted {
		return chart.Figure{}, fmt.Errorf("a figure shows at most %d agents, not %d: choose with --where, such as 'agent == %q'", mostPredicted, len(panels), panels[0].Title)
	}
	return chart.LinePanels("difficulty, bits", "loss of accuracy", panels, 3, 0, 1), nil
}
