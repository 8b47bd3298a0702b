package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A StackedBar has the parts of a whole, by category. True is the index of the true category, or −1 if it is unknown.
type StackedBar struct {
	Label string
	Parts []float64
	True  int
}

// StackedBars draws bars below each other, with a diamond in the part of the true category.
func StackedBars(axis string, categories []string, rows []StackedBar) Figure {
	if len(rows) == 0 {
		return Figure{}
	}
	n := len(rows)
	p := newPlot(frame{x: axis, xMin: 0, xMax: 1, yMin: -0.5, yMax: float64(n) - 0.5})
	p.Y.Tick.Marker = names(n, 130, func(i int) string { return rows[n-1-i].Label })
	p.Y.Tick.Length = 0
	known := false
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i, r := range rows {
			at, sum := y(float64(n-1-i)), 0.0
			for k, part := range r.Parts {
				if part <= 0 {
					continue
				}
				box(c, palette.Category(k), x(sum), at-5.5, x(sum+part), at+5.5)
				frameBox(c, line(palette.White, 0.6), x(sum), at-5.5, x(sum+part), at+5.5)
				if k == r.True {
					ink := palette.On(palette.Category(k))
					if ink == palette.Black {
						ink = nearBlack
					}
					c.DrawGlyphNoClip(dot(ink, 3, diamond), vg.Point{X: x(sum + part/2), Y: at})
				}
				sum += part
			}
		}
	}))
	var keys []key
	for k, name := range categories {
		keys = append(keys, boxKey(name, palette.Category(k)))
	}
	for _, r := range rows {
		known = known || r.True >= 0
	}
	if known {
		keys = append(keys, dotKey("true", dot(palette.Truth, 3.5, diamond)))
	}
	return withLegend(p, keys, 560, 46+15*float64(n))
}

// Confusion draws a confusion matrix: rows are the true categories, columns the verdicts.
func Confusion(categories, verdicts []string, counts [][]int) Figure {
	cells := make([][]Cell, len(categories))
	for i, row := range counts {
		sum := 0
		for _, n := range row {
			sum += n
		}
		for _, n := range row {
			cell := Cell{Text: "·"}
			if n > 0 {
				share := float64(n) / float64(sum)
				cell = Cell{Share: &share, Text: fmt.Sprint(n), Small: fmt.Sprintf("%.0f%%", 100*share)}
			}
			cells[i] = append(cells[i], cell)
		}
	}
	return Heat(categories, verdicts, cells, "proportion of the row")
}
