package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A ParameterDraws has the posterior draws of one parameter.
type ParameterDraws struct {
	Name  string
	Draws [][]float64 // by chain: draws in order
}

// shownDraws is the largest number of draws of a chain in a trace. Of a longer chain, a trace shows only every second,
// third … draw.
const shownDraws = 150

// Traces draws a trace plot of every parameter, in a panel of its own. A trace plot has one line for each chain,
// through the chain's draws in order. If the chains agree, their lines overlap.
func Traces(params []ParameterDraws) Figure {
	var plots []*plot.Plot
	for _, q := range params {
		lo, hi, most := extent(q.Draws)
		p := newPlot(frame{x: "draw", y: "value", xMin: 0, xMax: float64(most), yMin: lo, yMax: hi})
		titled(p, q.Name)
		p.Y.Tick.Marker = ticks{2}
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
			for k, chain := range q.Draws {
				stride := max(1, (len(chain)+shownDraws-1)/shownDraws)
				var pts []vg.Point
				for i := 0; i < len(chain); i += stride {
					pts = append(pts, vg.Point{X: x(float64(i)), Y: y(chain[i])})
				}
				polyline(c, line(palette.Category(k).Fade(0.75), 0.7), pts)
			}
		}))
		plots = append(plots, p)
	}
	return panelled(plots, 3, 190, 120, chainKeys(params))
}

func chainKeys(params []ParameterDraws) (keys []key) {
	if len(params) == 0 {
		return nil
	}
	for k := range params[0].Draws {
		keys = append(keys, lineKey(fmt.Sprintf("chain %d", k+1), line(palette.Category(k), 1.6)))
	}
	return keys
}

func titled(p *plot.Plot, title string) {
	p.Title.Text = title
	p.Title.TextStyle = aligned(10, palette.Ink, centre, top)
	p.Title.TextStyle.Font.Weight = bold
	p.Title.Padding = 2
}

// extent returns the least and the greatest value, with a margin of 5 %, and the length of the longest series. It
// ignores NaN.
func extent(series [][]float64) (lo, hi float64, most int) {
	first := true
	for _, s := range series {
		most = max(most, len(s))
		for _, v := range s {
			switch {
			case math.IsNaN(v):
			case first:
				lo, hi, first = v, v, false
			default:
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	room := 0.05 * (hi - lo)
	if room == 0 {
		room = 0.5
	}
	return lo - room, hi + room, most
}

// rankBins is the number of bins of a rank plot.
const rankBins = 20

// Ranks draws, for each parameter and chain, a histogram in twenty bins of the ranks that the chain's draws have among
// the draws of all chains (Vehtari et al. 2021). If the chains agree, all bins are near the line of equal shares.
func Ranks(params []ParameterDraws) Figure {
	var plots []*plot.Plot
	for _, q := range params {
		counts, expected := rankCounts(q.Draws)
		high := 0.0
		for _, c := range counts {
			high = max(high, slices.Max(c))
		}
		p := newPlot(frame{x: "rank", y: "draws", xMin: 0, xMax: rankBins, yMin: 0, yMax: max(high, expected*2) * 1.05})
		p.X.Tick.Marker = nominal{{Value: 0, Label: "low"}, {Value: rankBins, Label: "high"}}
		titled(p, q.Name)
		p.Y.Tick.Marker = ticks{2}
		p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
			c.StrokeLine2(line(palette.Ink, 0.8, 3, 2), x(0), y(expected), x(rankBins), y(expected))
			for k, bins := range counts {
				var pts []vg.Point
				for b, n := range bins {
					pts = append(pts, vg.Point{X: x(float64(b)), Y: y(n)}, vg.Point{X: x(float64(b + 1)), Y: y(n)})
				}
				c.StrokeLines(line(palette.Category(k), 1.1), pts)
			}
		}))
		plots = append(plots, p)
	}
	keys := chainKeys(params)
	if len(keys) > 0 {
		keys = append(keys, lineKey("equal proportions", line(palette.Ink, 0.8, 3, 2)))
	}
	return panelled(plots, 3, 190, 120, keys)
}

// rankCounts returns, for each chain, the numbers of its draws whose ranks are in each of rankBins equal bins. Equal
// draws all have the mean of their ranks. expected is the mean count of a bin.
func rankCounts(chains [][]float64) (counts [][]float64, expected float64) {
	type place struct {
		v     float64
		chain int
	}
	var all []place
	for k, c := range chains {
		counts = append(counts, make([]float64, rankBins))
		for _, v := range c {
			all = append(all, place{v, k})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.v, b.v) })
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		b := min(int(rankBins*(float64(i+j)/2)/float64(len(all))), rankBins-1)
		for ; i < j; i++ {
			counts[all[i].chain][b]++
		}
	}
	if len(chains) > 0 {
		expected = float64(len(all)) / float64(len(chains)) / rankBins
	}
	return counts, expected
}
