package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A ReplicatedRate compares the success rate at one value of a feature with the success rates of data that a fitted
// model has replicated: their mean and central 90 %.
type ReplicatedRate struct {
	X, Observed     float64
	Mean, Low, High float64
}

// Held says whether the interval contains the observed rate.
func (r *ReplicatedRate) Held() bool { return r.Low <= r.Observed && r.Observed <= r.High }

// A ReplicatedPanel has the rates at every value of a feature, in ascending order.
type ReplicatedPanel struct {
	Feature Feature
	Rates   []ReplicatedRate
}

// Replicated draws a posterior predictive check (Gelman et al. 2013, Bayesian Data Analysis, ch. 6) with one panel for
// each feature: observed success rates on the band of replicated ones. An observed rate outside the band is a triangle.
func Replicated(panels []ReplicatedPanel) Figure {
	var plots []*plot.Plot
	for i := range panels {
		plots = append(plots, panels[i].plot())
	}
	return panelled(plots, 3, 190, 160, []key{boxKey("90 % of replicated rates", bandColour), lineKey("their mean", meanLine()),
		dotKey("observed", dot(palette.Ink, 3, draw.CircleGlyph{})), dotKey("observed, outside the band", dot(palette.Vermillion, 3.4, triangle))})
}

// bandColour is the colour of the band of replicated rates.
var bandColour = palette.SkyBlue.Fade(0.45)

func meanLine() draw.LineStyle { return line(palette.Blue, 1.2) }

func (q *ReplicatedPanel) plot() *plot.Plot {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range q.Rates {
		lo, hi = min(lo, r.X), max(hi, r.X)
	}
	p := q.Feature.plot(lo, hi)
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		if q.Feature.Labels != nil || len(q.Rates) < 3 {
			q.bars(c, x, y)
		} else {
			q.band(c, x, y)
		}
		for i := range q.Rates {
			r, g := &q.Rates[i], dot(palette.Ink, 2.6, draw.CircleGlyph{})
			if !r.Held() {
				g = dot(palette.Vermillion, 3.2, triangle)
			}
			c.DrawGlyphNoClip(g, vg.Point{X: x(r.X), Y: y(r.Observed)})
		}
	}))
	return p
}

// bars draws the interval of every value as a bar.
func (q *ReplicatedPanel) bars(c *draw.Canvas, x, y func(float64) vg.Length) {
	for _, r := range q.Rates {
		box(c, bandColour, x(r.X)-7, y(r.Low), x(r.X)+7, y(r.High))
		c.StrokeLine2(meanLine(), x(r.X)-7, y(r.Mean), x(r.X)+7, y(r.Mean))
	}
}

// band draws the intervals of all values as one band.
func (q *ReplicatedPanel) band(c *draw.Canvas, x, y func(float64) vg.Length) {
	var outline, mean []vg.Point
	for _, r := range q.Rates {
		outline = append(outline, vg.Point{X: x(r.X), Y: y(r.High)})
		mean = append(mean, vg.Point{X: x(r.X), Y: y(r.Mean)})
	}
	for i := len(q.Rates) - 1; i >= 0; i-- {
		outline = append(outline, vg.Point{X: x(q.Rates[i].X), Y: y(q.Rates[i].Low)})
	}
	c.FillPolygon(bandColour, outline)
	c.StrokeLines(meanLine(), mean)
}
