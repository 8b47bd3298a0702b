package chart

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A GridCell is a cell of an agent characteristic grid.
type GridCell struct {
	N    float64 // number of responses
	Mean float64 // success rate; ignored if N is 0
	Mark string  // + competent, − incompetent, ? undecided, or empty
	Hint string  // second line; empty: n and the number of responses
}

// A Grid is an agent characteristic grid of a subject or a set of subjects, over one to three features. Rows are bins
// of the first feature, columns are bins of the second, and layers are bins of the third.
type Grid struct {
	Of            string
	Down, Across  string         // names of the features of rows and columns; may be empty
	Rows, Columns []string       // labels of the bins
	Layers        []string       // labels of the third feature's bins; nil if there is none
	Cells         [][][]GridCell // by layer, row and column
}

// Grids draws agent characteristic grids side by side. The colour of a cell shows the success rate. The fewer responses
// a cell has, the paler it is.
func Grids(grids []Grid) Figure {
	return GridsOf("success rate; fainter: fewer responses; n below it", grids)
}

// GridsOf is Grids with another label of the colours.
func GridsOf(scale string, grids []Grid) Figure {
	if len(grids) == 0 {
		return Figure{}
	}
	most := 1.0
	for _, g := range grids {
		for _, layer := range g.Cells {
			for _, row := range layer {
				for _, c := range row {
					most = max(most, c.N)
				}
			}
		}
	}
	var width, height float64
	var places []vg.Point // upper left corners of the grids in the figure
	x, y, tall := 0.0, 0.0, 0.0
	for _, g := range grids {
		w, h := g.size()
		if x > 0 && x+w > 640 {
			x, y, tall = 0, y+tall+10, 0
		}
		places = append(places, vg.Point{X: points(x), Y: points(y)})
		x, tall = x+w+12, max(tall, h)
		width, height = max(width, x-12), max(height, y+tall)
	}
	return Figure{Width: max(width, 12+rampWidth("0", scale)) + 14, Height: height + 26, draw: func(c draw.Canvas) {
		for k, g := range grids {
			g.draw(c, vg.Point{X: c.Min.X + places[k].X + 4, Y: c.Max.Y - places[k].Y}, most)
		}
		ramp(&c, c.Min.X+12, c.Min.Y+12, "0", scale)
	}}
}

const cellWide, cellHigh = 56.0, 30.0

func (g *Grid) labels() (leftRoom float64) {
	s := text(9, palette.Ink)
	for _, r := range g.Rows {
		leftRoom = max(leftRoom, min(s.Width(r).Points(), 100))
	}
	if g.Down != "" {
		leftRoom += 14
	}
	return leftRoom + 6
}

func (g *Grid) size() (w, h float64) {
	layers := float64(max(len(g.Layers), 1))
	head := 0.0
	if len(g.Layers) > 0 {
		head = 14
	}
	return max(g.labels()+cellWide*float64(len(g.Columns))+2, 90), 18 + layers*(head+cellHigh*float64(len(g.Rows))) + 28
}

func (g *Grid) draw(c draw.Canvas, at vg.Point, most float64) {
	room := points(g.labels())
	title := aligned(10.5, palette.Ink, left, top)
	title.Font.Weight = bold
	w, _ := g.size()
	c.FillText(title, vg.Point{X: at.X + 2, Y: at.Y - 2}, fit(title, g.Of, w-4))
	y := at.Y - 18
	small := text(9, palette.Ink)
	for l, layer := range g.Cells {
		if len(g.Layers) > 0 {
			s := aligned(9, palette.Muted, left, middle)
			c.FillText(s, vg.Point{X: at.X + room, Y: y - 7}, g.Layers[l])
			y -= 14
		}
		begin := y
		for i, row := range layer {
			mid := y - points(cellHigh/2)
			s := aligned(9, palette.Ink, right, middle)
			c.FillText(s, vg.Point{X: at.X + room - 4, Y: mid}, fit(small, g.Rows[i], 100))
			for j, cell := range row {
				cell.draw(&c, at.X+room+points(cellWide*float64(j)), mid, most)
			}
			y -= points(cellHigh)
		}
		if g.Down != "" {
			s := aligned(9, palette.Muted, centre, top)
			s.Rotation = math.Pi / 2
			c.FillText(s, vg.Point{X: at.X + 1, Y: (begin + y) / 2}, g.Down)
		}
	}
	for j, name := range g.Columns {
		s := aligned(9, palette.Ink, centre, top)
		c.FillText(s, vg.Point{X: at.X + room + points(cellWide*(float64(j)+0.5)), Y: y - 2}, fit(small, name, cellWide-2))
	}
	if g.Across != "" {
		c.FillText(aligned(9, palette.Muted, centre, top), vg.Point{X: at.X + room + points(cellWide*float64(len(g.Columns))/2), Y: y - 13}, g.Across)
	}
}

func (f GridCell) draw(c *draw.Canvas, x, mid vg.Length, most float64) {
	cell := Cell{}
	if f.N > 0 {
		share := f.Mean
		cell = Cell{Share: &share, Text: fmt.Sprintf("%.0f%%%s", 100*f.Mean, f.Mark), Small: cmp.Or(f.Hint, fmt.Sprintf("n=%.0f", f.N)),
			Faint: 0.75 * (1 - math.Sqrt(f.N/most))}
	}
	cell.draw(c, x, mid, cellWide, cellHigh)
}
