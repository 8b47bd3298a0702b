package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// histogramBins is the number of bins of a histogram.
const histogramBins = 24

// A Histogram counts values in bins of one width from Min to Max; values outside are in the first or the last bin.
type Histogram struct {
	Name     string
	Min, Max float64
	Values   []float64
}

// Histograms draws a panel for each histogram that has values, with counts on the upright axis.
func Histograms(list []Histogram) Figure {
	var plots []*plot.Plot
	for i := range list {
		if h := &list[i]; len(h.Values) > 0 && h.Max > h.Min {
			plots = append(plots, h.plot())
		}
	}
	return panelled(plots, 3, 190, 130, nil)
}

func (h *Histogram) counts() []float64 {
	n := make([]float64, histogramBins)
	for _, v := range h.Values {
		k := int(histogramBins * (v - h.Min) / (h.Max - h.Min))
		n[min(max(k, 0), histogramBins-1)]++
	}
	return n
}

func (h *Histogram) plot() *plot.Plot {
	n := h.counts()
	p := newPlot(frame{x: h.Name, y: "number", xMin: h.Min, xMax: h.Max, yMin: 0, yMax: 1.05 * slices.Max(n)})
	step := (h.Max - h.Min) / histogramBins
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for k, count := range n {
			if count > 0 {
				left := h.Min + step*float64(k)
				box(c, palette.SkyBlue.Fade(0.7), x(left), y(0), x(left+step), y(count))
			}
		}
	}))
	return p
}
