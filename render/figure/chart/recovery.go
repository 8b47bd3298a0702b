package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A RecoveryPanel has the truth and the posterior of one capability for every subject, as fractions of the
// capability's maximum; or those of a parameter without bounds in all its units, in its own unit.
type RecoveryPanel struct {
	Name    string
	RMSE    float64
	Truth   []float64
	Post    []Estimate // posteriors, in the order of Truth
	Stacked bool       // whether the posteriors are averages over rivals, which have no quartiles

	Ends *[2]float64 // ends of the axes of a parameter without bounds; nil: fractions of the maximum
}

// atBound says whether truth i is the fraction 0 or 1. No central interval can contain such a truth.
func (r *RecoveryPanel) atBound(i int) bool {
	return r.Ends == nil && (r.Truth[i] <= 0 || r.Truth[i] >= 1)
}

// coverage returns the number n of truths that are not at a bound, and how many of these the central 50 % intervals
// (half) and the central 90 % intervals (most) contain.
func (r *RecoveryPanel) coverage() (half, most, n int) {
	for i, e := range r.Post {
		if r.atBound(i) {
			continue
		}
		n++
		if r.Truth[i] >= e.Q25 && r.Truth[i] <= e.Q75 {
			half++
		}
		if r.Truth[i] >= e.Q5 && r.Truth[i] <= e.Q95 {
			most++
		}
	}
	return half, most, n
}

// spread returns the truths, with equal ones moved apart over a range, so that their intervals do not overlap.
func spread(truth []float64, over float64) []float64 {
	same, seen, out := map[float64]int{}, map[float64]int{}, make([]float64, len(truth))
	for _, t := range truth {
		same[t]++
	}
	for i, t := range truth {
		out[i] = t
		if n := same[t]; n > 1 {
			out[i] += over * (float64(seen[t])/float64(n-1) - 0.5)
			seen[t]++
		}
	}
	return out
}

// Recovery draws posterior means and 90 % intervals against truths, with one panel for each capability. If recovery is
// perfect, the points are on the diagonal. Intervals that miss the truth are dashed. If a truth is at a bound, its
// point is a ring, because no central interval can contain the truth.
func Recovery(panels []RecoveryPanel) Figure {
	var plots []*plot.Plot
	bounded := false
	for k := range panels {
		bounded = bounded || panels[k].Ends == nil
		plots = append(plots, panels[k].plot())
	}
	sample := func(put func(c *draw.Canvas, x, low, mean, high vg.Length)) func(*draw.Canvas, vg.Point) {
		return func(c *draw.Canvas, at vg.Point) { put(c, at.X, at.Y-5, at.Y, at.Y+5) }
	}
	keys := []key{{"mean and 90 % interval", sample(held)}, {"interval misses the truth", sample(missed)}}
	if bounded {
		keys = append(keys, key{"truth at a bound", sample(bound)})
	}
	return panelled(plots, 3, 190, 186, append(keys, lineKey("perfect recovery", line(palette.Muted, 0.8))))
}

func held(c *draw.Canvas, x, low, mean, high vg.Length) {
	c.StrokeLine2(line(palette.Blue, 1.1), x, low, x, high)
	c.DrawGlyphNoClip(dot(palette.Blue, 2.6, draw.CircleGlyph{}), vg.Point{X: x, Y: mean})
}

func missed(c *draw.Canvas, x, low, mean, high vg.Length) {
	c.StrokeLine2(line(palette.Vermillion, 1.1, 2, 2), x, low, x, high)
	c.DrawGlyphNoClip(dot(palette.Vermillion, 2.6, triangle), vg.Point{X: x, Y: mean})
}

func bound(c *draw.Canvas, x, low, mean, high vg.Length) {
	c.StrokeLine2(line(palette.Blue, 0.8), x, low, x, high)
	c.DrawGlyphNoClip(dot(palette.Blue, 2.2, ring{}), vg.Point{X: x, Y: mean})
}

func (r *RecoveryPanel) plot() *plot.Plot {
	label, lo, hi := "truth, fraction of maximum", 0.0, 1.0
	if r.Ends != nil {
		label, lo, hi = "truth", r.Ends[0], r.Ends[1]
	}
	from := func(share float64) float64 { return lo + share*(hi-lo) }
	p := newPlot(frame{x: label, y: "posterior", xMin: from(-0.08), xMax: from(1.08), yMin: from(-0.04), yMax: from(1.04)})
	p.Title.Text = r.Name
	p.Title.TextStyle = aligned(11, palette.Ink, centre, top)
	p.Title.TextStyle.Font.Weight = bold
	p.Title.Padding = 3
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		c.StrokeLine2(line(palette.Muted, 0.8), x(lo), y(lo), x(hi), y(hi))
		at := spread(r.Truth, 0.1*(hi-lo))
		for _, i := range spaced(len(r.Post)) {
			e := &r.Post[i]
			put := held
			switch {
			case r.atBound(i):
				put = bound
			case r.Truth[i] < e.Q5 || r.Truth[i] > e.Q95:
				put = missed
			}
			put(c, x(at[i]), y(e.Q5), y(e.Mean), y(e.Q95))
		}
		s := aligned(9, palette.Ink, left, top)
		for k, t := range r.words() {
			c.FillText(s, vg.Point{X: x(from(-0.08)) + 3, Y: y(from(1.02)) - points(11*float64(k))}, t)
		}
	}))
	return p
}

func (r *RecoveryPanel) words() []string {
	half, most, n := r.coverage()
	out := []string{fmt.Sprintf("RMSE %.3f", r.RMSE)}
	if n == 0 {
		return append(out, "all at a bound")
	}
	out = append(out, fmt.Sprintf("in 90 %%: %d/%d", most, n))
	if !r.Stacked {
		out = append(out, fmt.Sprintf("in 50 %%: %d/%d", half, n))
	}
	return out
}
