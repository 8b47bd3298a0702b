package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// An ItemGroup is a number of items with the same value X of a feature and nearly the same success rate.
type ItemGroup struct {
	X, Rate float64
	Items   int
}

// An ItemPanel has all items by the values of one feature: their observed success rates, and the rates that a model
// predicts.
type ItemPanel struct {
	Feature             Feature
	Observed, Predicted []ItemGroup
}

// ItemMap draws success rates of items by their demands, with one panel for each feature. Discs are observed rates,
// rings are predicted ones. The more items a disc or ring stands for, the larger it is.
func ItemMap(panels []ItemPanel) Figure {
	var plots []*plot.Plot
	for i := range panels {
		plots = append(plots, panels[i].plot())
	}
	return panelled(plots, 3, 190, 170, []key{dotKey("observed (larger: more items)", dot(palette.Blue.Fade(0.6), 3.4, draw.CircleGlyph{})), dotKey("predicted", dot(palette.Vermillion, 3.4, draw.RingGlyph{}))})
}

func (q *ItemPanel) plot() *plot.Plot {
	lo, hi, most := math.Inf(1), math.Inf(-1), 0
	for _, groups := range [][]ItemGroup{q.Observed, q.Predicted} {
		for _, g := range groups {
			lo, hi, most = min(lo, g.X), max(hi, g.X), max(most, g.Items)
		}
	}
	p := q.Feature.plot(lo, hi)
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		// discs and rings are moved apart, so that a ring does not hide in a disc
		put := func(groups []ItemGroup, aside vg.Length, colour palette.Colour, shape draw.GlyphDrawer) {
			for _, g := range groups {
				radius := 1.2 + 3.6*math.Sqrt(float64(g.Items)/float64(most))
				c.DrawGlyphNoClip(dot(colour, radius, shape), vg.Point{X: x(g.X) + aside, Y: y(g.Rate)})
			}
		}
		put(q.Observed, -2.5, palette.Blue.Fade(0.6), draw.CircleGlyph{})
		put(q.Predicted, 2.5, palette.Vermillion, draw.RingGlyph{})
	}))
	return p
}
