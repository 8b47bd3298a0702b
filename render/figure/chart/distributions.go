package chart

import (
	"slices"

	"gonum.org/v1/plot"
)

// A Sample has the values of one measure in one of several collections, in any order.
type Sample struct {
	Name   string // of the collection
	Values []float64
}

// A Distribution has samples of one measure, side by side.
type Distribution struct {
	Measure string
	Samples []Sample
}

// Distributions draws the empirical distribution functions of samples: the share of values that are at most x, with one
// panel for each measure that has values. The k-th sample has the same colour in all panels and should have the same name, because there is
// one legend.
func Distributions(list []Distribution) Figure {
	var plots []*plot.Plot
	var keys []key
	for _, d := range list {
		var series []Series
		for k, sample := range d.Samples {
			series = append(series, Series{Name: sample.Name, Points: steps(sample.Values)})
			if k == len(keys) {
				keys = append(keys, lineKey(sample.Name, seriesLine(k)))
			}
		}
		if !slices.ContainsFunc(series, func(s Series) bool { return len(s.Points) > 0 }) {
			continue
		}
		lo, hi := reach(series)
		plots = append(plots, linesPlot(frame{x: d.Measure, y: "proportion at most", xMin: lo, xMax: hi, yMin: 0, yMax: 1}, series))
	}
	return panelled(plots, 3, 290, 180, keys)
}

// steps returns the corners of the empirical distribution function.
func steps(values []float64) (points []Point) {
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	for i, x := range sorted {
		points = append(points, Point{X: x, Y: float64(i) / n}, Point{X: x, Y: float64(i+1) / n})
	}
	return points
}
