package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Watching is what an observer thought of the two outcomes of one item: the surprise of each frame of the test trial.
type Watching struct {
	Title                string
	Expected, Unexpected []float64
}

// Surprises draws the surprise of every frame, expected beside unexpected outcome, a panel an item.
func Surprises(watched []Watching) Figure {
	var plots []*plot.Plot
	for _, w := range watched {
		lo, hi, most := extent([][]float64{w.Expected, w.Unexpected, {0}})
		p := newPlot(frame{x: "frame", y: "surprise", xMin: 0, xMax: max(float64(most-1), 1), yMin: lo, yMax: hi})
		titled(p, w.Title)
		p.Y.Tick.Marker = ticks{2}
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
			polyline(c, line(palette.Expected, 1.2), w.points(w.Expected, x, y))
			polyline(c, line(palette.Unexpected, 1.2, 4, 2), w.points(w.Unexpected, x, y))
		}))
		plots = append(plots, p)
	}
	return panelled(plots, 3, 190, 140, []key{lineKey("expected outcome", line(palette.Expected, 1.6)), lineKey("unexpected outcome", line(palette.Unexpected, 1.6, 4, 2))})
}

func (Watching) points(v []float64, x, y func(float64) vg.Length) (pts []vg.Point) {
	for i, s := range v {
		pts = append(pts, vg.Point{X: x(float64(i)), Y: y(s)})
	}
	return pts
}
