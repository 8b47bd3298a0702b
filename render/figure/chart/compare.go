package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Comparison is a row of Compare. It has one value for each series, or NaN. If Low < High, they are the interval of
// the first value.
type Comparison struct {
	Label     string
	Values    []float64
	Low, High float64
}

// Compare draws rows of values on one axis from 0, with a different mark for each series. axis is the label of the
// axis.
func Compare(axis string, series []string, rows []Comparison) Figure {
	if len(rows) == 0 {
		return Figure{}
	}
	high := 0.0
	for _, r := range rows {
		for _, v := range append([]float64{r.High}, r.Values...) {
			high = max(high, finite(v))
		}
	}
	n := len(rows)
	p := newPlot(frame{x: axis, xMin: 0, xMax: max(high*1.05, 1e-9), yMin: -0.5, yMax: float64(n) - 0.5})
	p.Y.Tick.Marker = names(n, 130, func(i int) string { return rows[n-1-i].Label })
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Color = palette.Ink
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i, r := range rows {
			at := y(float64(n - 1 - i))
			if r.High > r.Low {
				c.StrokeLine2(line(palette.Category(0), 1.4), x(max(r.Low, 0)), at, x(r.High), at)
			}
			for k := len(r.Values) - 1; k >= 0; k-- {
				if math.IsNaN(r.Values[k]) {
					continue
				}
				c.DrawGlyphNoClip(dot(palette.Category(k), 3.2, shapes[k%len(shapes)]), vg.Point{X: x(r.Values[k]), Y: at})
			}
		}
	}))
	var keys []key
	for k, name := range series {
		keys = append(keys, dotKey(name, dot(palette.Category(k), 3.2, shapes[k%len(shapes)])))
	}
	return withLegend(p, keys, 560, 48+17*float64(n))
}
