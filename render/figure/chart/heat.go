package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Cell is a cell of a heat table.
type Cell struct {
	Share *float64 // colour of the cell, 0 … 1; nil: no colour
	Text  string
	Small string  // second line of text; may be empty
	Faint float64 // how much paler the colour is, from 0, not at all, to 1, white
}

// mostTilted is the largest length of a tilted label, in points.
const mostTilted = 110

// Heat draws a table of cells, given by row and column, with colours from dark (0) to light (1). scale is the label of
// the colour scale.
func Heat(rows, columns []string, cells [][]Cell, scale string) Figure {
	return heatOn(rows, columns, cells, "0", scale)
}

// Correlations draws a table of correlations, whose colours go from dark (−1) to light (1).
func Correlations(rows, columns []string, cells [][]Cell) Figure {
	return heatOn(rows, columns, cells, "−1", "correlation")
}

// heatOn draws a table of cells on a colour scale that begins at least.
func heatOn(rows, columns []string, cells [][]Cell, least, scale string) Figure {
	if len(rows) == 0 || len(columns) == 0 {
		return Figure{}
	}
	h := measure(rows, columns, cells)
	width := max(h.left+16+h.wide*float64(len(columns)), h.left+16+rampWidth(least, scale))
	if h.tilt > 0 {
		width += 0.7 * h.head // room for the tilted name of the last column
	}
	return Figure{Width: width, Height: h.head + h.high*float64(len(rows)) + 34, draw: func(c draw.Canvas) {
		x0, y0 := c.Min.X+points(h.left+8), c.Max.Y-points(h.head)
		h.heads(&c, x0, y0, columns)
		for i, name := range rows {
			y := y0 - points(h.high*(float64(i)+0.5))
			s := aligned(10, palette.Ink, right, middle)
			c.FillText(s, vg.Point{X: x0 - 6, Y: y}, fit(s, name, h.left))
			for j := range columns {
				cells[i][j].draw(&c, x0+points(h.wide*float64(j)), y, h.wide, h.high)
			}
		}
		ramp(&c, x0, c.Min.Y+12, least, scale)
	}}
}

// A heat has the measures of a heat table in points: the width of the row names, the height of the column names, and
// the width and height of a cell. tilt is the angle of the column names in radians.
type heat struct{ left, head, wide, high, tilt float64 }

func measure(rows, columns []string, cells [][]Cell) heat {
	label := text(10, palette.Ink)
	h := heat{head: 22, high: 18}
	for _, r := range rows {
		h.left = max(h.left, min(label.Width(r).Points(), 175))
	}
	for _, row := range cells {
		for _, c := range row {
			if c.Small != "" {
				h.high = 27
			}
		}
	}
	h.wide = max(38, min(72, (560-h.left-16)/float64(len(columns))))
	for _, name := range columns {
		if w := label.Width(name).Points(); w > h.wide-4 { // if one name does not fit, all names are tilted
			h.tilt = math.Pi / 4
			h.head = max(h.head, 14+math.Sin(h.tilt)*min(w, mostTilted))
		}
	}
	return h
}

// heads writes the names of the columns above the cells.
func (h *heat) heads(c *draw.Canvas, x, y vg.Length, columns []string) {
	s, room := aligned(10, palette.Ink, centre, bottom), h.wide-4
	if h.tilt > 0 {
		s.XAlign, s.Rotation, room = left, h.tilt, mostTilted
	}
	for j, name := range columns {
		c.FillText(s, vg.Point{X: x + points(h.wide*(float64(j)+0.5)), Y: y + 4}, fit(text(10, palette.Ink), name, room))
	}
}

// draw draws the cell. x, y is the middle of its left side.
func (f Cell) draw(c *draw.Canvas, x, y vg.Length, wide, high float64) {
	x0, x1, y0, y1 := x+1, x+points(wide)-1, y-points(high/2)+1, y+points(high/2)-1
	ink := palette.Muted
	if f.Share != nil {
		ground := palette.Ramp(*f.Share).Mix(palette.White, f.Faint)
		box(c, ground, x0, y0, x1, y1)
		ink = palette.On(ground)
	} else {
		frameBox(c, line(palette.Edge, 0.7), x0, y0, x1, y1)
	}
	if ink == palette.Black {
		ink = nearBlack
	}
	if f.Small == "" {
		s := aligned(9.5, ink, centre, middle)
		c.FillText(s, vg.Point{X: (x0 + x1) / 2, Y: y}, fit(s, f.Text, wide-4))
		return
	}
	s := aligned(9.5, ink, centre, bottom)
	c.FillText(s, vg.Point{X: (x0 + x1) / 2, Y: y + 0.5}, fit(s, f.Text, wide-4))
	s = aligned(8, ink, centre, top)
	c.FillText(s, vg.Point{X: (x0 + x1) / 2, Y: y - 1}, fit(s, f.Small, wide-4))
}

// nearBlack is the colour of text on a light cell. Unlike Ink, it does not change with the theme of the page, because
// the colour of the cell does not change either.
const nearBlack palette.Colour = 0x010101ff

// rampWidth returns the width of a ramp with a label, in points.
func rampWidth(least, label string) float64 {
	return rampStart(least) + 100 + 4 + text(9.5, palette.Muted).Width("1  "+label).Points() + 4
}

// rampStart returns the width of what stands before the colours, in points.
func rampStart(least string) float64 {
	return max(8, text(9.5, palette.Muted).Width(least).Points()+2)
}

// ramp draws the colour scale from least to 1, with a label.
func ramp(c *draw.Canvas, x, y vg.Length, least, label string) {
	const steps, wide = 20, 5
	s := aligned(9.5, palette.Muted, left, middle)
	c.FillText(s, vg.Point{X: x, Y: y}, least)
	x += points(rampStart(least))
	for i := range steps {
		box(c, palette.Ramp(float64(i)/(steps-1)), x+points(wide*float64(i)), y-4, x+points(wide*float64(i+1)), y+4)
	}
	c.FillText(s, vg.Point{X: x + steps*wide + 4, Y: y}, "1  "+label)
}
