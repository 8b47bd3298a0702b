package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/format"
	"achilles/render/palette"
)

// A frame has the labels and the ranges of the axes of a plot.
type frame struct {
	x, y       string // labels of the axes
	xMin, xMax float64
	yMin, yMax float64
	noX, noY   bool // whether the axis is hidden
	log        bool // values are decimal logarithms
	xDoubles   bool // values of x are logarithms to base 2
}

// newPlot returns a plot with the fonts and colours of this package, light grid lines and no title.
func newPlot(f frame) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []struct {
		axis     *plot.Axis
		label    string
		min, max float64
	}{{&p.X, f.x, f.xMin, f.xMax}, {&p.Y, f.y, f.yMin, f.yMax}} {
		rotation := a.axis.Label.TextStyle.Rotation
		a.axis.Label.Text = a.label
		a.axis.Label.TextStyle = aligned(11, palette.Ink, centre, a.axis.Label.TextStyle.YAlign)
		a.axis.Label.TextStyle.Rotation = rotation
		a.axis.Label.Padding = 4
		label := text(10, palette.Muted)
		label.XAlign, label.YAlign = a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign
		a.axis.Tick.Label = label
		a.axis.Tick.LineStyle = line(palette.Muted, 0.7)
		a.axis.Tick.Length = 4
		a.axis.Tick.Marker = ticks{}
		if f.log {
			a.axis.Tick.Marker = decades{}
		}
		a.axis.LineStyle = line(palette.Muted, 0.7)
		a.axis.Padding = 0
		a.axis.Min, a.axis.Max = a.min, a.max
	}
	if f.xDoubles {
		p.X.Tick.Marker = doublings{}
	}
	p.Add(gridLines{})
	if f.noX {
		p.HideX()
	}
	if f.noY {
		p.HideY()
	}
	return p
}

// figureOf returns the figure of a plot, with a margin.
func figureOf(p *plot.Plot, width, height float64) Figure {
	return Figure{Width: width, Height: height, draw: func(c draw.Canvas) { p.Draw(draw.Crop(c, 6, -10, 4, -6)) }}
}

// ticks puts ticks at round numbers. There are at least as many intervals between ticks as spaces says, or four if it
// is 0, and at most about twice as many. Labels have as few decimals as show the distance between ticks.
type ticks struct{ spaces float64 }

// Ticks implements plot.Ticker.
func (t ticks) Ticks(min, max float64) (out []plot.Tick) {
	if !(max > min) {
		return nil
	}
	spaces := t.spaces
	if spaces == 0 {
		spaces = 4
	}
	step := math.Pow(10, math.Floor(math.Log10((max-min)/spaces)))
	for _, m := range []float64{5, 2} {
		if (max-min)/(step*m) >= spaces {
			step *= m
			break
		}
	}
	digits := 0
	if step < 1 {
		digits = int(math.Ceil(-math.Log10(step) - 1e-9))
	}
	for k := math.Ceil(min/step - 1e-9); k*step <= max+1e-9*step; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: format.Number(k*step, digits)})
	}
	return out
}

// decades puts a tick at every power of ten, where values are decimal logarithms.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(from, to float64) (out []plot.Tick) {
	for k := int(math.Ceil(from - 1e-9)); float64(k) <= to+1e-9; k++ {
		out = append(out, plot.Tick{Value: float64(k), Label: format.Number(math.Pow(10, float64(k)), max(-k, 0))})
	}
	return out
}

// doublings puts ticks at powers of 2, where values are logarithms to base 2: at most eight, at equal distances.
type doublings struct{}

// Ticks implements plot.Ticker.
func (doublings) Ticks(from, to float64) (out []plot.Tick) {
	const most = 8
	step := max(1, math.Ceil((to-from)/most))
	for k := math.Ceil(from/step-1e-9) * step; k <= to+1e-9; k += step {
		out = append(out, plot.Tick{Value: k, Label: format.Short(math.Exp2(k))})
	}
	return out
}

// gridLines draws light lines at the ticks of both axes.
type gridLines struct{}

// A mark is a function that draws on a plot. x and y convert values to places on the canvas.
type mark func(c *draw.Canvas, x, y func(float64) vg.Length)

// Plot implements plot.Plotter.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := line(palette.Edge, 0.6)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !t.IsMinor() && t.Value >= p.X.Min && t.Value <= p.X.Max {
			c.StrokeLine2(style, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() && t.Value >= p.Y.Min && t.Value <= p.Y.Max {
			c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
		}
	}
}

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m(&c, x, y)
}
