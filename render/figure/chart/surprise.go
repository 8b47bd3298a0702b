package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A SurprisePair has the surprise of an observer at the two outcomes of an item, by frame of the test trial. A surprise
// is NaN if it is unknown.
type SurprisePair struct {
	Title                string
	Expected, Unexpected []float64
}

// Surprises draws the surprise at the expected and the unexpected outcome by frame, with one panel for each item.
func Surprises(pairs []SurprisePair) Figure {
	var plots []*plot.Plot
	for _, w := range pairs {
		lo, hi, most := extent([][]float64{w.Expected, w.Unexpected, {0}})
		p := newPlot(frame{x: "frame", y: "surprise, nats", xMin: 0, xMax: max(float64(most-1), 1), yMin: lo, yMax: hi})
		titled(p, w.Title)
		p.Y.Tick.Marker = ticks{2}
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
			polyline(c, line(palette.Expected, 1.2), curvePoints(w.Expected, x, y))
			polyline(c, line(palette.Unexpected, 1.2, 4, 2), curvePoints(w.Unexpected, x, y))
		}))
		plots = append(plots, p)
	}
	return panelled(plots, 3, 190, 140, []key{lineKey("expected outcome", line(palette.Expected, 1.6)), lineKey("unexpected outcome", line(palette.Unexpected, 1.6, 4, 2))})
}

// curvePoints returns the points of a curve, without the frames where it is NaN.
func curvePoints(v []float64, x, y func(float64) vg.Length) (pts []vg.Point) {
	for i, s := range v {
		if !math.IsNaN(s) {
			pts = append(pts, vg.Point{X: x(float64(i)), Y: y(s)})
		}
	}
	return pts
}
