package chart

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/infer/chargrid"
	"achilles/render/format"
	"achilles/render/palette"
)

// pairDraws is the largest number of draws in one cell of a pair plot, not counting divergent draws, which are all
// shown.
const pairDraws = 100

// Sizes in points of a pair plot.
const (
	pairCell   = 92
	pairMargin = 40 // margin at the left and below, for the ends of the axes and the names
	pairGap    = 5
	pairBins   = 18 // number of bins of the histograms
)

// Pairs draws the posterior draws of parameters in pairs: histograms on the diagonal, a scatter plot of each pair below
// it, and Pearson's correlation of the pair above it. divergent has the indices of the divergent draws of every chain;
// these draws are crosses.
func Pairs(params []ParameterDraws, divergent [][]int) Figure {
	if len(params) < 2 || len(slices.Concat(params[0].Draws...)) == 0 {
		return Figure{}
	}
	keys := []key{dotKey("draw", dot(palette.Blue.Fade(0.5), 2, draw.CircleGlyph{})), dotKey("divergent draw", dot(palette.Vermillion, 3, cross))}
	var ps []pairParameter
	for _, q := range params {
		ps = append(ps, newPairParameter(q))
	}
	points := pairPoints(params[0].Draws, divergent)
	n := len(params)
	size := pairMargin + pairCell*float64(n)
	above := legendFigure(keys, size)
	return Figure{Width: size + 8, Height: above.Height + size, draw: func(c draw.Canvas) {
		above.draw(c)
		for i := range ps {
			for j := range ps {
				cell := pairAt(c, above.Height, i, j)
				switch {
				case i == j:
					ps[i].histogram(&cell)
				case j < i:
					scatter(&cell, &ps[j], &ps[i], points)
				default:
					correlation(&cell, &ps[i], &ps[j])
				}
			}
			ps[i].axes(pairAt(c, above.Height, i, 0), pairAt(c, above.Height, n-1, i), i > 0)
		}
	}}
}

// pairAt returns the cell in row i and column j. above is the height of the legend above the cells.
func pairAt(c draw.Canvas, above float64, i, j int) draw.Canvas {
	x, y := c.Min.X+points(pairMargin+pairCell*float64(j)), c.Max.Y-points(above+pairCell*float64(i))
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - pairCell + pairGap}, Max: vg.Point{X: x + pairCell - pairGap, Y: y}}}
}

// A pairParameter has all draws of a parameter, one chain after the other, and the range of its axis.
type pairParameter struct {
	name   string
	draws  []float64
	lo, hi float64
}

func newPairParameter(q ParameterDraws) pairParameter {
	p := pairParameter{name: q.Name, draws: slices.Concat(q.Draws...)}
	p.lo, p.hi, _ = extent(q.Draws)
	return p
}

// at returns the place of value v as a share of the axis.
func (p *pairParameter) at(v float64) vg.Length { return vg.Length((v - p.lo) / (p.hi - p.lo)) }

// A pairPoint is a draw that a scatter plot shows. index is its index among all draws.
type pairPoint struct {
	index     int
	divergent bool
}

// pairPoints returns at most pairDraws evenly spaced draws, followed by all divergent draws. chains are the draws of
// any parameter.
func pairPoints(chains [][]float64, divergent [][]int) (out []pairPoint) {
	total := 0
	for k, chain := range chains {
		if k < len(divergent) {
			for _, i := range divergent[k] {
				if i < len(chain) {
					out = append(out, pairPoint{total + i, true})
				}
			}
		}
		total += len(chain)
	}
	kept := min(total, pairDraws)
	for i := range kept {
		out = append(out, pairPoint{index: (2*i + 1) * total / (2 * kept)})
	}
	slices.SortStableFunc(out, func(a, b pairPoint) int {
		switch {
		case a.divergent == b.divergent:
			return cmp.Compare(a.index, b.index)
		case b.divergent:
			return -1
		}
		return 1
	})
	return out
}

// scatter draws a scatter plot of the draws of x and y.
func scatter(c *draw.Canvas, x, y *pairParameter, points []pairPoint) {
	size := c.Size()
	for _, p := range points {
		if g := (vg.Point{X: c.Min.X + size.X*x.at(x.draws[p.index]), Y: c.Min.Y + size.Y*y.at(y.draws[p.index])}); p.divergent {
			c.DrawGlyphNoClip(dot(palette.Vermillion, 2.4, cross), g)
		} else {
			c.DrawGlyphNoClip(dot(palette.Blue.Fade(0.5), 1.1, draw.BoxGlyph{}), g)
		}
	}
	frameBox(c, line(palette.Edge, 0.7), c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
}

// histogram draws a histogram of the draws, with the name of the parameter.
func (p *pairParameter) histogram(c *draw.Canvas) {
	var counts [pairBins]float64
	for _, v := range p.draws {
		if k := int(float64(p.at(v)) * pairBins); k >= 0 && k < pairBins {
			counts[k]++
		}
	}
	most, size := max(slices.Max(counts[:]), 1), c.Size()
	for k, n := range counts {
		x := c.Min.X + size.X*vg.Length(k)/pairBins
		if n > 0 {
			box(c, palette.SkyBlue.Fade(0.7), x, c.Min.Y, x+size.X/pairBins, c.Min.Y+(size.Y-16)*vg.Length(n/most))
		}
	}
	frameBox(c, line(palette.Edge, 0.7), c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	s := aligned(10, palette.Ink, centre, top)
	s.Font.Weight = bold
	c.FillText(s, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Max.Y - 3}, fit(s, p.name, pairCell-8))
}

// correlation writes the correlation of x and y. The stronger it is, the darker is the background.
func correlation(c *draw.Canvas, x, y *pairParameter) {
	text, ground := "–", 0.0
	if r := chargrid.Pearson(x.draws, y.draws, nil); !math.IsNaN(r) {
		text, ground = format.Number(r, 2), math.Abs(r)
	}
	box(c, palette.SkyBlue.Fade(0.6*ground), c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	frameBox(c, line(palette.Edge, 0.7), c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	c.FillText(aligned(13, palette.Ink, centre, middle), vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y + c.Max.Y) / 2}, text)
}

// axes writes the least and the greatest draw and the name of the parameter below its column and, if upright is true,
// also to the left of its row. first is the leftmost cell of the row, and last is the lowest cell of the column.
func (p *pairParameter) axes(first, last draw.Canvas, upright bool) {
	low, _ := format.MeanSD(slices.Min(p.draws), p.hi-p.lo) // rounded to as many decimals as the width of the axis needs
	high, _ := format.MeanSD(slices.Max(p.draws), p.hi-p.lo)
	ends := [2]string{low, high}
	if upright {
		s := aligned(8.5, palette.Muted, right, bottom)
		first.FillText(s, vg.Point{X: first.Min.X - 3, Y: first.Min.Y}, ends[0])
		s.YAlign = top
		first.FillText(s, vg.Point{X: first.Min.X - 3, Y: first.Max.Y}, ends[1])
		name := aligned(9, palette.Ink, centre, bottom)
		name.Rotation = math.Pi / 2
		first.FillText(name, vg.Point{X: first.Min.X - 22, Y: (first.Min.Y + first.Max.Y) / 2}, fit(text(9, palette.Ink), p.name, pairCell-8))
	}
	s := aligned(8.5, palette.Muted, left, top)
	last.FillText(s, vg.Point{X: last.Min.X, Y: last.Min.Y - 3}, ends[0])
	s.XAlign = right
	last.FillText(s, vg.Point{X: last.Max.X, Y: last.Min.Y - 3}, ends[1])
	last.FillText(aligned(9, palette.Ink, centre, top), vg.Point{X: (last.Min.X + last.Max.X) / 2, Y: last.Min.Y - 14}, fit(text(9, palette.Ink), p.name, pairCell-8))
}
