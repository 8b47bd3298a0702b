package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legendWidth is the width, in points, of the legend of a figure whose panels a page arranges. It fits the screen of a
// phone.
const legendWidth = 340

// panelled returns a figure with several plots below a legend. Each plot is wide × high points in size, and at most `across`
// plots stand in a row.
func panelled(plots []*plot.Plot, across int, wide, high float64, keys []key) Figure {
	if len(plots) == 0 {
		return Figure{}
	}
	across = min(across, len(plots))
	width := wide * float64(across)
	if len(keys) > 0 {
		width = max(width, 300)
	}
	above := legendFigure(keys, width)
	f := Figure{Width: width, Height: above.Height + high*float64((len(plots)+across-1)/across)}
	if len(keys) > 0 {
		f.parts = append(f.parts, legendFigure(keys, legendWidth))
	}
	for _, p := range plots {
		f.parts = append(f.parts, Figure{Width: wide, Height: high, draw: func(c draw.Canvas) { p.Draw(draw.Crop(c, 4, -8, 4, -4)) }})
	}
	f.draw = func(c draw.Canvas) {
		above.draw(c)
		for k, panel := range f.parts[len(f.parts)-len(plots):] {
			x, y := c.Min.X+points(wide*float64(k%across)), c.Max.Y-points(above.Height+high*float64(k/across+1))
			panel.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + points(wide), Y: y + points(high)}}})
		}
	}
	return f
}

// legendFigure returns a legend as a figure. If there are no keys, its height is 0.
func legendFigure(keys []key, width float64) Figure {
	if len(keys) == 0 {
		return Figure{Width: width, draw: func(draw.Canvas) {}}
	}
	return Figure{Width: width, Height: 8 + 14*float64(countRows(keys, width-24)), draw: func(c draw.Canvas) {
		legend(&c, keys, c.Min.X.Points()+12, c.Max.X.Points()-12, c.Max.Y.Points()-9)
	}}
}
