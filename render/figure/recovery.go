package figure

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Recovered capability is a panel of a recovery figure: the truth and the posterior of every subject, as fractions of the
// maximum.
type Recovered struct {
	Name    string
	RMSE    float64
	Truth   []float64
	Post    []Estimate // in the order of Truth
	Stacked bool       // posteriors without quartiles
}

// coverage is how many truths lie in the central intervals of 50 % and of 90 %.
func (r *Recovered) coverage() (half, most int) {
	for i, e := range r.Post {
		if r.Truth[i] >= e.Q25 && r.Truth[i] <= e.Q75 {
			half++
		}
		if r.Truth[i] >= e.Q5 && r.Truth[i] <= e.Q95 {
			most++
		}
	}
	return half, most
}

// Recovery draws posterior mean and 90 % interval against truth, one panel a capability: points on the diagonal were
// recovered. Intervals that miss the truth are dashed.
func Recovery(panels []Recovered) Figure {
	var plots []*plot.Plot
	for k := range panels {
		plots = append(plots, panels[k].plot())
	}
	return panelled(plots, 3, 190, 186, []key{
		{"mean and 90 % interval", func(c *draw.Canvas, at vg.Point) {
			c.StrokeLine2(line(palette.Blue, 1.1), at.X, at.Y-5, at.X, at.Y+5)
			c.DrawGlyphNoClip(dot(palette.Blue, 2.6, draw.CircleGlyph{}), at)
		}},
		{"interval misses the truth", func(c *draw.Canvas, at vg.Point) {
			c.StrokeLine2(line(palette.Vermillion, 1.1, 2, 2), at.X, at.Y-5, at.X, at.Y+5)
			c.DrawGlyphNoClip(dot(palette.Vermillion, 3, triangle), at)
		}},
		lineKey("perfect recovery", line(palette.Muted, 0.8)),
	})
}

func (r *Recovered) plot() *plot.Plot {
	half, most := r.coverage()
	n := len(r.Post)
	p := newPlot(frame{x: "truth", y: "posterior", xMin: -0.04, xMax: 1.04, yMin: -0.04, yMax: 1.04})
	p.Title.Text = r.Name
	p.Title.TextStyle = aligned(11, palette.Ink, centre, top)
	p.Title.TextStyle.Font.Weight = bold
	p.Title.Padding = 3
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		c.StrokeLine2(line(palette.Muted, 0.8), x(0), y(0), x(1), y(1))
		for i, e := range r.Post {
			in, shape, colour, style := r.Truth[i] >= e.Q5 && r.Truth[i] <= e.Q95, draw.GlyphDrawer(draw.CircleGlyph{}), palette.Blue, line(palette.Blue, 1.1)
			if !in {
				shape, colour, style = triangle, palette.Vermillion, line(palette.Vermillion, 1.1, 2, 2)
			}
			c.StrokeLine2(style, x(r.Truth[i]), y(e.Q5), x(r.Truth[i]), y(e.Q95))
			c.DrawGlyph(dot(colour, 2.6, shape), vg.Point{X: x(r.Truth[i]), Y: y(e.Mean)})
		}
		s := aligned(9, palette.Ink, left, top)
		c.FillText(s, vg.Point{X: x(0) + 1, Y: y(1.02)}, fmt.Sprintf("RMSE %.3f", r.RMSE))
		c.FillText(s, vg.Point{X: x(0) + 1, Y: y(1.02) - 11}, fmt.Sprintf("in 90 %%: %d/%d", most, n))
		if !r.Stacked {
			c.FillText(s, vg.Point{X: x(0) + 1, Y: y(1.02) - 22}, fmt.Sprintf("in 50 %%: %d/%d", half, n))
		}
	}))
	return p
}

// panelled lays plots out in rows of at most across, each so wide and high, with keys above.
func panelled(plots []*plot.Plot, across int, wide, high float64, keys []key) Figure {
	if len(plots) == 0 {
		return Figure{}
	}
	across = min(across, len(plots))
	rows := (len(plots) + across - 1) / across
	width := wide * float64(across)
	room := 0.0
	if len(keys) > 0 {
		width = max(width, 300)
		room = 8 + 14*float64(countRows(keys, width-24))
	}
	return Figure{width, room + high*float64(rows), func(c draw.Canvas) {
		if len(keys) > 0 {
			legend(&c, keys, c.Min.X.Points()+12, c.Max.X.Points()-12, c.Max.Y.Points()-9)
		}
		for k, p := range plots {
			x, y := c.Min.X+points(wide*float64(k%across)), c.Max.Y-points(room+high*float64(k/across+1))
			p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x + 4, Y: y + 4}, Max: vg.Point{X: x + points(wide) - 8, Y: y + points(high) - 4}}})
		}
	}}
}
