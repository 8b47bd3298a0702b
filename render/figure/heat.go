package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Cell is one field of a heat table. Without a Share it is left empty; Text stands in it.
type Cell struct {
	Share *float64 // 0 … 1: its colour
	Text  string
	Small string  // a second line
	Faint float64 // how much of its colour is taken away, 0 … 1: where little is known
}

// mostTilted is the length of a tilted label from which it is cut.
const mostTilted = 110

// Heat is a table of cells with coloured grounds: rows by columns. Colour goes from dark (0) to light (1); the legend says
// what of.
func Heat(rows, columns []string, cells [][]Cell, scale string) Figure {
	if len(rows) == 0 || len(columns) == 0 {
		return Figure{}
	}
	label := text(10, palette.Ink)
	leftRoom := 0.0
	for _, r := range rows {
		leftRoom = max(leftRoom, min(label.Width(r).Points(), 175))
	}
	high := 18.0
	for _, row := range cells {
		for _, c := range row {
			if c.Small != "" {
				high = 27
			}
		}
	}
	wide := max(38, min(72, (560-leftRoom-16)/float64(len(columns))))
	head, tilt := 22.0, 0.0
	for _, name := range columns {
		if w := label.Width(name).Points(); w > wide-4 { // one that does not fit tilts all
			tilt = math.Pi / 4
			head = max(head, 14+math.Sin(math.Pi/4)*min(w, mostTilted))
		}
	}
	width := max(leftRoom+16+wide*float64(len(columns)), leftRoom+16+rampWidth(scale))
	if tilt > 0 {
		width += 0.7 * head // of the last column
	}
	height := head + high*float64(len(rows)) + 34
	return Figure{width, height, func(c draw.Canvas) {
		x0, y0 := c.Min.X+points(leftRoom+8), c.Max.Y-points(head)
		for j, name := range columns {
			s := aligned(10, palette.Ink, centre, bottom)
			room := wide - 4
			if tilt > 0 {
				s.XAlign, s.Rotation, room = left, tilt, mostTilted
			}
			c.FillText(s, vg.Point{X: x0 + points(wide*(float64(j)+0.5)), Y: y0 + 4}, fit(text(10, palette.Ink), name, room))
		}
		for i, name := range rows {
			y := y0 - points(high*(float64(i)+0.5))
			s := aligned(10, palette.Ink, right, middle)
			c.FillText(s, vg.Point{X: x0 - 6, Y: y}, fit(s, name, leftRoom))
			for j := range columns {
				cells[i][j].draw(&c, x0+points(wide*float64(j)), y, wide, high)
			}
		}
		ramp(&c, x0, c.Min.Y+12, scale)
	}}
}

// draw fills the field whose left middle is at x, y.
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

// nearBlack is text on a light ground that stays light in the dark: not ink, which follows the theme.
const nearBlack palette.Colour = 0x101316ff

// rampWidth is the room that a ramp with that label takes.
func rampWidth(label string) float64 {
	return 8 + 100 + 4 + text(9.5, palette.Muted).Width("1  "+label).Points() + 4
}

// ramp is the legend of a scale of colours from 0 to 1.
func ramp(c *draw.Canvas, x, y vg.Length, label string) {
	const steps, wide = 20, 5
	s := aligned(9.5, palette.Muted, left, middle)
	c.FillText(s, vg.Point{X: x, Y: y}, "0")
	x += 8
	for i := range steps {
		box(c, palette.Ramp(float64(i)/(steps-1)), x+points(wide*float64(i)), y-4, x+points(wide*float64(i+1)), y+4)
	}
	c.FillText(s, vg.Point{X: x + steps*wide + 4, Y: y}, "1  "+label)
}
