package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"achilles/render/palette"
)

// A Said is a word of a table of words, and whether it is that of the first column of its block.
type Said struct {
	Text   string
	Judged bool // Agrees has a meaning
	Agrees bool
}

// A WordBlock is a block of columns about one thing. Words are given by row and column.
type WordBlock struct {
	Title   string
	Columns []string
	Words   [][]Said
}

// Measures of a table of words, in points.
const (
	wordHigh  = 17.0
	wordWide  = 150.0 // widest column
	wordHeads = 38.0
	wordGap   = 14.0
)

// Words draws blocks of words side by side, one line per row. A word that agrees with the first of its block is on a light ground, one that does
// not has a frame.
func Words(rows []string, blocks []WordBlock) Figure {
	if len(rows) == 0 || len(blocks) == 0 {
		return Figure{}
	}
	label, side := text(9.5, palette.Ink), 0.0
	for _, r := range rows {
		side = max(side, min(label.Width(r).Points(), 175))
	}
	wide := make([][]float64, len(blocks))
	width := side + 12
	for b, block := range blocks {
		for k, name := range block.Columns {
			w := label.Width(name).Points()
			for i := range rows {
				w = max(w, label.Width(block.Words[i][k].Text).Points())
			}
			wide[b] = append(wide[b], min(w, wordWide)+10)
			width += wide[b][k]
		}
		width += wordGap
	}
	return Figure{Width: width, Height: wordHeads + wordHigh*float64(len(rows)) + 26, draw: func(c draw.Canvas) {
		names := aligned(9.5, palette.Ink, right, middle)
		top := c.Max.Y - points(wordHeads)
		for i, r := range rows {
			c.FillText(names, vg.Point{X: c.Min.X + points(side+6), Y: top - points(wordHigh*(float64(i)+0.5))}, fit(names, r, side))
		}
		x := c.Min.X + points(side+12)
		for b, block := range blocks {
			title := aligned(10, palette.Ink, left, middle)
			c.FillText(title, vg.Point{X: x + 5, Y: c.Max.Y - 10}, block.Title)
			for k, name := range block.Columns {
				head := aligned(9.5, palette.Muted, left, middle)
				c.FillText(head, vg.Point{X: x + 5, Y: c.Max.Y - 28}, fit(head, name, wide[b][k]-8))
				for i := range rows {
					block.Words[i][k].draw(&c, x, top-points(wordHigh*float64(i)), wide[b][k])
				}
				x += points(wide[b][k])
			}
			x += wordGap
		}
		key := aligned(9.5, palette.Muted, left, middle)
		at := c.Min.X + points(side+12)
		box(&c, agreed, at, c.Min.Y+5, at+12, c.Min.Y+15)
		c.FillText(key, vg.Point{X: at + 17, Y: c.Min.Y + 10}, "as designed")
		at += 100
		frameBox(&c, line(palette.Vermillion, 1), at, c.Min.Y+5, at+12, c.Min.Y+15)
		c.FillText(key, vg.Point{X: at + 17, Y: c.Min.Y + 10}, "not as designed")
	}}
}

// agreed is the ground of words that agree.
var agreed = palette.Green.Mix(palette.White, 0.75)

// draw draws the word in a cell whose upper left corner is x, y.
func (w Said) draw(c *draw.Canvas, x, y vg.Length, wide float64) {
	x0, x1, y0, y1 := x+1, x+points(wide)-1, y-points(wordHigh)+1, y-1
	ink := palette.Ink
	switch {
	case w.Judged && w.Agrees:
		box(c, agreed, x0, y0, x1, y1)
		ink = nearBlack
	case w.Judged:
		frameBox(c, line(palette.Vermillion, 1), x0, y0, x1, y1)
	}
	s := aligned(9.5, ink, left, middle)
	c.FillText(s, vg.Point{X: x + 5, Y: (y0 + y1) / 2}, fit(s, w.Text, wide-8))
}
