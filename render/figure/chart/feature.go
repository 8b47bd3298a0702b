package chart

import (
	"math"

	"gonum.org/v1/plot"

	"achilles/render/palette"
)

// A Feature is the axis of a feature of items: its name, and the values of a text feature, which lie at 0, 1, …
type Feature struct {
	Name   string
	Labels []string // nil for a numeric feature
}

// plot returns a plot of success rates against the feature. The values of a numeric feature range from lo to hi. The
// labels of a text feature are tilted if one of them does not fit.
func (f Feature) plot(lo, hi float64) *plot.Plot {
	if !(hi > lo) {
		lo, hi = lo-1, lo+1
	}
	room := 0.06 * (hi - lo)
	p := newPlot(frame{x: f.Name, y: "success", xMin: lo - room, xMax: hi + room, yMin: -0.02, yMax: 1.02})
	if f.Labels == nil {
		return p
	}
	p.X.Min, p.X.Max = -0.5, float64(len(f.Labels))-0.5
	wide, style := 130/float64(len(f.Labels)), text(10, palette.Ink)
	var ticks nominal
	for i, l := range f.Labels {
		if style.Width(l).Points() > wide-3 {
			p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, right, middle
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: fit(style, l, 64)})
	}
	p.X.Tick.Marker = ticks
	return p
}
