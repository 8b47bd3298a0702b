package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Group is a set of points of one colour and shape. A point's Low and High are its interval in Y, or NaN.
type Group struct {
	Name   string
	Points []Point
}

// Scatter draws points, and a legend if there are several groups.
func Scatter(x, y string, groups []Group) Figure {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	var keys []key
	for k, g := range groups {
		for _, p := range g.Points {
			lo[0], hi[0] = min(lo[0], p.X), max(hi[0], p.X)
			lo[1], hi[1] = min(lo[1], p.Y), max(hi[1], p.Y)
			if p.hasInterval() {
				lo[1], hi[1] = min(lo[1], p.Low), max(hi[1], p.High)
			}
			if p.XHigh > p.XLow {
				lo[0], hi[0] = min(lo[0], p.XLow), max(hi[0], p.XHigh)
			}
		}
		keys = append(keys, dotKey(g.Name, groupDot(k)))
	}
	if !(hi[0] >= lo[0]) {
		return Figure{}
	}
	room := func(k int) float64 { return 0.04*(hi[k]-lo[k]) + 1e-3 }
	p := newPlot(frame{x: x, y: y, xMin: lo[0] - room(0), xMax: hi[0] + room(0), yMin: lo[1] - room(1), yMax: hi[1] + room(1)})
	p.Add(mark(func(c *draw.Canvas, px, py func(float64) vg.Length) {
		for k, g := range groups {
			for _, q := range g.Points {
				if q.hasInterval() {
					c.StrokeLine2(line(palette.Category(k).Fade(0.5), 0.6), px(q.X), py(q.Low), px(q.X), py(q.High))
				}
				if q.XHigh > q.XLow {
					c.StrokeLine2(line(palette.Category(k).Fade(0.5), 0.6), px(q.XLow), py(q.Y), px(q.XHigh), py(q.Y))
				}
				c.DrawGlyphNoClip(groupDot(k), vg.Point{X: px(q.X), Y: py(q.Y)})
			}
		}
	}))
	if len(keys) < 2 {
		keys = nil
	}
	return withLegend(p, keys, 520, 300)
}

func groupDot(k int) draw.GlyphStyle { return dot(palette.Category(k), 2.2, shapes[k%len(shapes)]) }

// Wright draws a Wright map (Wright and Stone 1979): a vertical scale, with a histogram of the subjects' abilities to
// the left and one of the items' difficulties to the right. Values below −4 and above 4 are counted in the first and
// the last bin.
func Wright(abilities, difficulties []float64) Figure {
	if len(abilities) == 0 || len(difficulties) == 0 {
		return Figure{}
	}
	const lo, hi, step = -4.0, 4.0, 0.25
	count := func(x []float64) (bins []float64, most float64) {
		bins = make([]float64, int((hi-lo)/step))
		for _, v := range x {
			k := min(max(int(math.Floor((v-lo)/step)), 0), len(bins)-1)
			bins[k]++
			most = max(most, bins[k])
		}
		return bins, most
	}
	left, most := count(abilities)
	right, mostItems := count(difficulties)
	p := newPlot(frame{x: "← subjects · items →", y: "ability and difficulty", xMin: -1.05, xMax: 1.05, yMin: lo, yMax: hi})
	p.X.Tick.Marker = names(0, 0, nil)
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for k := range left {
			low, high := y(lo+float64(k)*step)+0.5, y(lo+float64(k+1)*step)-0.5
			box(c, palette.Blue, x(-left[k]/most), low, x(0), high)
			box(c, palette.Orange, x(0), low, x(right[k]/mostItems), high)
		}
	}))
	return withLegend(p, []key{boxKey("subjects", palette.Blue), boxKey("items", palette.Orange)}, 420, 340)
}
