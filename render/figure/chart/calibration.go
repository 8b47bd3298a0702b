package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// RankLine is the empirical distribution function of ranks. Below[i] is the share of ranks below i + 1.
type RankLine struct {
	Name  string
	Below []float64
}

// CalibrationPanel has the ranks of one quantity in simulation-based calibration: the ranks of its true values among
// posterior draws. The first line is of the fits as they are. Every other line is of fits into which an error was put
// on purpose, to see whether the ranks show it.
type CalibrationPanel struct {
	Name  string
	Lines []RankLine
}

// Calibration draws the distribution functions of ranks minus that of uniform ranks, with one panel for each quantity.
// A band shows the bounds that uniform ranks seldom leave (Säilynoja, Bürkner and Vehtari 2022). lower and upper are
// the bounds of the share of ranks below 1, 2, ….
func Calibration(panels []CalibrationPanel, lower, upper []float64) Figure {
	if len(panels) == 0 {
		return Figure{}
	}
	high := 0.0
	for i, u := range upper {
		high = max(high, u-uniform(i, upper), uniform(i, upper)-lower[i])
	}
	high *= 2 // range of the y axis: twice the height of the band; lines are cut there
	var plots []*plot.Plot
	for _, q := range panels {
		p := newPlot(frame{x: "rank, as a fraction", y: "proportion below − uniform", xMin: 0, xMax: 1, yMin: -high, yMax: high})
		titled(p, q.Name)
		p.X.Tick.Marker, p.Y.Tick.Marker = ticks{3}, ticks{3}
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
			at := func(i int, share float64) vg.Point {
				return vg.Point{X: x(uniform(i, upper)), Y: y(min(max(share-uniform(i, upper), -high), high))}
			}
			var edge []vg.Point
			for i := range lower {
				edge = append(edge, at(i, lower[i]))
			}
			for i := range slices.Backward(upper) {
				edge = append(edge, at(i, upper[i]))
			}
			c.FillPolygon(palette.Edge.Fade(0.6), edge)
			for k, l := range slices.Backward(q.Lines) {
				pts := []vg.Point{{X: x(0), Y: y(0)}}
				for i, share := range l.Below {
					pts = append(pts, at(i, share))
				}
				c.StrokeLines(rankStyle(k), append(pts, vg.Point{X: x(1), Y: y(0)}))
			}
		}))
		plots = append(plots, p)
	}
	keys := []key{boxKey("simultaneous band for uniform ranks", palette.Edge.Fade(0.6))}
	for k, l := range panels[0].Lines {
		keys = append(keys, lineKey(l.Name, rankStyle(k)))
	}
	return panelled(plots, 3, 200, 150, keys)
}

// uniform returns the share of uniform ranks that are below i + 1. A band has a bound for every such share except the
// last, which is 1.
func uniform(i int, band []float64) float64 { return float64(i+1) / float64(len(band)+1) }

// rankStyle returns the style of line k. Line 0 is that of the fits into which no error was put.
func rankStyle(k int) draw.LineStyle {
	if k == 0 {
		return line(palette.Ink, 1.6)
	}
	return line(palette.Category(k), 0.9, 4, 2)
}
