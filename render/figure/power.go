package figure

import (
	"fmt"

	"achilles/render/figure/chart"
)

// Power draws the probability that the responses of each subject, by row, tell it from each other subject, by column.
func Power(names []string, p [][]float64) chart.Figure {
	cells := make([][]chart.Cell, len(names))
	for i := range names {
		for k := range names {
			c := chart.Cell{Text: "–"}
			if i != k {
				c = chart.Cell{Share: &p[i][k], Text: fmt.Sprintf("%.2f", p[i][k])}
			}
			cells[i] = append(cells[i], c)
		}
	}
	return chart.Heat(names, names, cells, "probability that the subject of the row is distinguished from that of the column")
}
