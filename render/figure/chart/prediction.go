package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A ReliabilityBin is a bin of N similar forecasts. It has their mean, and the success rate of their outcomes with its
// interval. If the forecasts were reliable, the rate would be in the band with a probability of 95 %.
type ReliabilityBin struct {
	Forecast, Rate, Low, High float64
	BandLow, BandHigh         float64
	N                         int
}

// Reliability draws the success rate of each bin against its mean forecast, and the number of forecasts as a bar at
// the bottom. If forecasts are reliable, the points are on the diagonal, within the band (Bröcker and Smith 2007).
func Reliability(bins []ReliabilityBin) Figure {
	if len(bins) == 0 {
		return Figure{}
	}
	return withLegend(reliabilityPlot(bins), reliabilityKeys(), 460, 330)
}

// A ReliabilityPanel has the bins of one subject.
type ReliabilityPanel struct {
	Name string
	Bins []ReliabilityBin
}

// Reliabilities draws a reliability diagram for each subject.
func Reliabilities(panels []ReliabilityPanel) Figure {
	var plots []*plot.Plot
	for _, q := range panels {
		p := reliabilityPlot(q.Bins)
		p.X.Label.Text, p.Y.Label.Text = "predicted", "succeeded"
		titled(p, q.Name)
		plots = append(plots, p)
	}
	return panelled(plots, 3, 190, 180, reliabilityKeys())
}

func reliabilityKeys() []key {
	return []key{dotKey("success rate with its 95 % interval", dot(palette.Blue, 3.4, draw.CircleGlyph{})), boxKey("95 % band under perfect calibration", reliableColour),
		boxKey("number of forecasts (root scale)", palette.SkyBlue.Fade(0.45)), lineKey("perfect calibration", line(palette.Muted, 0.9))}
}

// reliableColour fills the band of reliable forecasts.
var reliableColour = palette.Muted.Fade(0.3)

func reliabilityPlot(bins []ReliabilityBin) *plot.Plot {
	most := 0
	for _, b := range bins {
		most = max(most, b.N)
	}
	p := newPlot(frame{x: "predicted probability of success", y: "proportion that succeeded", xMin: 0, xMax: 1, yMin: 0, yMax: 1})
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for _, b := range bins {
			h := 0.16 * math.Sqrt(float64(b.N)/float64(most))
			box(c, palette.SkyBlue.Fade(0.45), x(b.Forecast)-5, y(0), x(b.Forecast)+5, y(h))
			c.FillText(aligned(8, palette.Muted, centre, bottom), vg.Point{X: clampX(c, x(b.Forecast), 10), Y: y(h) + 1}, fmt.Sprint(b.N))
		}
		c.StrokeLine2(line(palette.Muted, 0.9), x(0), y(0), x(1), y(1))
		var pts []vg.Point
		for _, b := range bins {
			box(c, reliableColour, x(b.Forecast)-2.5, y(b.BandLow), x(b.Forecast)+2.5, y(b.BandHigh))
			c.StrokeLine2(line(palette.Blue, 1.2), x(b.Forecast), y(b.Low), x(b.Forecast), y(b.High))
			pts = append(pts, vg.Point{X: x(b.Forecast), Y: y(b.Rate)})
		}
		c.StrokeLines(line(palette.Blue, 0.8, 3, 2), pts)
		for _, q := range pts {
			c.DrawGlyphNoClip(dot(palette.Blue, 3.4, draw.CircleGlyph{}), q)
		}
	}))
	return p
}

func clampX(c *draw.Canvas, x, room vg.Length) vg.Length {
	return min(max(x, c.Min.X+room), c.Max.X-room)
}

// A BrierPoint has a subject's success rate on held-out responses, and the Brier scores of two forecasts of these
// responses: the layout's (Ours) and the subject's success rate (Aggregate).
type BrierPoint struct {
	Label     string
	Rate      float64
	Ours      float64
	Aggregate *float64
	Low, High float64 // interval of Ours
}

// Brier draws Brier scores against the success rate p. Each subject has the layout's score with its interval, and the
// score of always forecasting the subject's own success rate, which is near p(1 − p). A line joins the two.
func Brier(scores []BrierPoint) Figure {
	if len(scores) == 0 {
		return Figure{}
	}
	high := 0.27
	for _, s := range scores {
		high = max(high, s.High*1.05)
	}
	p := newPlot(frame{x: "success rate of held-out responses", y: "Brier score", xMin: -0.03, xMax: 1.03, yMin: -0.01, yMax: min(high, 1)})
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		var arch []vg.Point
		for k := range 101 {
			v := float64(k) / 100
			arch = append(arch, vg.Point{X: x(v), Y: y(v * (1 - v))})
		}
		c.StrokeLines(line(palette.Muted, 0.9, 4, 3), arch)
		for _, i := range spaced(len(scores)) {
			s := &scores[i]
			if s.Aggregate != nil {
				c.StrokeLine2(line(palette.Edge, 0.8), x(s.Rate), y(s.Ours), x(s.Rate), y(*s.Aggregate))
			}
			c.StrokeLine2(line(palette.Blue, 1), x(s.Rate), y(max(s.Low, 0)), x(s.Rate), y(s.High))
		}
		for _, i := range spaced(len(scores)) {
			s := &scores[i]
			if s.Aggregate != nil {
				c.DrawGlyphNoClip(dot(palette.Vermillion, 3.4, triangle), vg.Point{X: x(s.Rate), Y: y(*s.Aggregate)})
			}
			c.DrawGlyphNoClip(dot(palette.Blue, 3, draw.CircleGlyph{}), vg.Point{X: x(s.Rate), Y: y(s.Ours)})
		}
	}))
	return withLegend(p, []key{dotKey("this layout, 95 %", dot(palette.Blue, 3.4, draw.CircleGlyph{})), dotKey("baseline: success rate", dot(palette.Vermillion, 3.4, triangle)), lineKey("p(1 − p)", line(palette.Muted, 0.9, 4, 3))}, 520, 300)
}

// A ModelLoss is the loss of a model, with an interval.
type ModelLoss struct {
	Label     string
	Value     float64
	Low, High float64 // NaN: no interval
	Ours      bool    // whether the model is a measurement layout
}

// Models draws the losses of models below each other. Losses lie in [0, 1], and intervals are cut there.
func Models(axis string, models []ModelLoss) Figure {
	if len(models) == 0 {
		return Figure{}
	}
	high := 0.0
	for _, m := range models {
		high = max(high, m.Value, min(finite(m.High), 1))
	}
	n := len(models)
	p := newPlot(frame{x: axis, xMin: 0, xMax: high * 1.06, yMin: -0.5, yMax: float64(n) - 0.5})
	p.Y.Tick.Marker = names(n, 130, func(i int) string { return models[n-1-i].Label })
	p.Y.Tick.Length = 0
	p.Add(mark(func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i, m := range models {
			at, colour, shape := y(float64(n-1-i)), palette.Blue, draw.GlyphDrawer(draw.CircleGlyph{})
			if m.Ours {
				colour, shape = palette.Vermillion, draw.BoxGlyph{}
				c.DrawGlyphNoClip(dot(colour, 3, square), vg.Point{X: x(m.Value), Y: at})
			}
			if !math.IsNaN(m.Low) && !math.IsNaN(m.High) {
				c.StrokeLine2(line(colour, 1.3), x(max(m.Low, 0)), at, x(min(m.High, 1)), at)
			}
			c.DrawGlyphNoClip(dot(colour, 3.4, shape), vg.Point{X: x(m.Value), Y: at})
		}
	}))
	keys := []key{dotKey("statistical model", dot(palette.Blue, 3.4, draw.CircleGlyph{}))}
	for _, m := range models {
		if m.Ours {
			keys = append(keys, dotKey("measurement layout", dot(palette.Vermillion, 3, draw.BoxGlyph{})))
			break
		}
	}
	return withLegend(p, keys, 520, 48+17*float64(n))
}

// finite returns x, or 0 if x is not finite.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
