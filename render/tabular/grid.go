// Package tabular makes text of a given width, HTML, Markdown, LaTeX, CSV and JSON of a table. It is the only place where
// tables are laid out.
package tabular

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/render/format"
	"achilles/sim/num"
	"achilles/sim/table"
)

// missing is printed for a value that is not there.
const missing = "–"

// A grid is a table as people see it: its view, with every number as text.
type grid struct {
	heads []head
	lines []line
	notes []string // notes 1, 2, …, to which cells refer
	pairs bool     // each line is a name and its value; heads have no names
}

type head struct {
	name, doc string
	number    bool // numbers stand to the right
	prose     bool
	weight    int
}

type line struct {
	cells []cell
	sum   bool // sums up the others
}

type cell struct {
	text   string
	behind string   // interval or spread, printed behind the text or below it
	below  []string // further lines
	key    *float64 // number by which the cell is sorted
	strong bool
	marks  []int  // numbers of notes
	doc    string // of a name in a pair
}

// whole returns the text of the cell on one line.
func (c *cell) whole() string {
	text := c.text
	if c.behind != "" {
		text += " " + c.behind
	}
	for _, m := range c.marks {
		text += fmt.Sprintf("[%d]", m)
	}
	return text
}

// views returns the table once for each view that has rows, with these rows alone. What stands under it is under the last.
func views(t *table.Table) (out []*table.Table) {
	for _, v := range t.Views() {
		x := *t
		if v.Where != "" {
			x = *keep(t, func(row int) bool { return t.Value(row, v.Where).Text() == v.Is })
		}
		if x.View, x.More, x.Foot = &v, nil, nil; v.Title != "" {
			x.Title = v.Title
		}
		if len(x.Rows) > 0 {
			out = append(out, &x)
		}
	}
	if out == nil {
		return []*table.Table{t}
	}
	out[len(out)-1].Foot = t.Foot
	return out
}

// layOut returns the table as its first view has it, or row by row.
func layOut(t *table.Table) *grid {
	g := &grid{}
	l := &layout{Table: t, grid: g, marks: g.mark(t)}
	if t.View != nil && t.View.Across != "" {
		l.pivot(t.View)
	} else {
		l.long()
	}
	return g
}

// turned returns a grid of one line as pairs: a line for each column, with its name and its value.
func (g *grid) turned() *grid {
	t := &grid{heads: []head{{}, {prose: true}}, notes: g.notes, pairs: true}
	for k, h := range g.heads {
		t.lines = append(t.lines, line{cells: []cell{{text: h.name, doc: h.doc}, g.lines[0].cells[k]}})
	}
	return t
}

type layout struct {
	*table.Table
	grid  *grid
	marks map[[2]int][]int // row, column → numbers of notes
}

// mark numbers the notes of the table, equal ones once.
func (g *grid) mark(t *table.Table) map[[2]int][]int {
	marks := map[[2]int][]int{}
	for _, n := range t.Notes {
		k := slices.Index(g.notes, n.Text)
		if k < 0 {
			k = len(g.notes)
			g.notes = append(g.notes, n.Text)
		}
		at := [2]int{n.Row, t.Index(n.Column)}
		if !slices.Contains(marks[at], k+1) {
			marks[at] = append(marks[at], k+1)
			slices.Sort(marks[at])
		}
	}
	return marks
}

// printed returns the indices of the columns that are printed: those that have a value and that no other column prints.
func (l *layout) printed() (out []int) {
	used := map[string]bool{}
	for _, c := range l.Columns {
		used[c.Low], used[c.High], used[c.To], used[c.Spread], used[c.Error], used[c.AtMost] = true, true, true, true, true, true
	}
	for i, c := range l.Columns {
		if l.Print == nil && !c.Hidden && !used[c.Name] && l.Has(c.Name) {
			out = append(out, i)
		}
	}
	for _, name := range l.Print {
		if l.Has(name) {
			out = append(out, l.Index(name))
		}
	}
	return out
}

func (l *layout) long() {
	columns := l.printed()
	for _, i := range columns {
		l.grid.heads = append(l.grid.heads, l.head(i))
	}
	for row := range l.Rows {
		at := line{sum: l.Sum(row)}
		for _, i := range columns {
			at.cells = append(at.cells, l.cell(row, i))
		}
		if at.sum && len(at.cells) > 0 {
			if c := &at.cells[l.keyAt(columns)]; c.text == missing {
				c.text = "all"
			}
		}
		l.grid.lines = append(l.grid.lines, at)
	}
}

// keyAt returns the position among the printed columns of the last column of the key, 0 if it is not printed.
func (l *layout) keyAt(columns []int) int {
	return max(0, slices.Index(columns, l.Index(l.Key[len(l.Key)-1])))
}

func (l *layout) head(i int) head {
	c := &l.Columns[i]
	name := c.Head
	if name == "" {
		name = strings.ReplaceAll(c.Name, "_", " ")
	}
	if c.Unit != "" {
		name += ", " + c.Unit
	}
	return head{name: name, doc: c.Doc, number: c.Kind == table.Number || c.Kind == table.Count, prose: c.Prose, weight: c.Weight}
}

// cell returns the cell of a row in a column, with its interval, its spread or error, and the marks of its notes.
func (l *layout) cell(row, i int) cell {
	c, v := &l.Columns[i], l.Rows[row][i]
	out := cell{text: missing, marks: l.marks[[2]int{row, i}]}
	if !v.Exists() {
		return out
	}
	x, number := v.Number()
	if !number || c.Kind == table.Flag {
		if out.text = v.Text(); c.Kind == table.Flag {
			out.text = map[bool]string{true: "yes", false: "no"}[x != 0]
		}
		return out
	}
	out.key = &x
	side := func(column string) (float64, bool) {
		if column == "" {
			return 0, false
		}
		return l.Value(row, column).Number()
	}
	low, hasLow := side(c.Low)
	high, hasHigh := side(c.High)
	if most, ok := side(c.AtMost); ok && hasLow {
		out.text, out.behind = "≥ "+l.number(c, low), "(max "+format.Number(most, 2)+")"
		return out
	}
	if out.text = l.number(c, x); c.To != "" {
		out.text = missing
		if to, ok := side(c.To); ok {
			out.text = l.interval(c, x, to)
		}
		return out
	}
	if sd, ok := side(c.Spread); ok {
		mean, spread := l.number(c, x), l.number(c, sd)
		if c.Digits < 0 {
			mean, spread = format.MeanSD(x, sd)
		}
		if out.text = mean; spread != "" {
			out.behind = "±" + spread
		}
	} else if se, ok := side(c.Error); ok {
		out.behind = "(" + l.number(c, se) + ")"
	} else if hasLow && hasHigh {
		out.behind = l.interval(c, low, high)
	}
	if than, ok := side(c.Than); ok {
		out.strong = c.Better == table.Less && x < than || c.Better == table.More && x > than
	}
	return out
}

func (l *layout) interval(c *table.Column, low, high float64) string {
	return "[" + strings.TrimSuffix(l.number(c, low), " %") + ", " + strings.TrimSuffix(l.number(c, high), " %") + "]"
}

// number returns a number as the column prints it.
func (l *layout) number(c *table.Column, x float64) string {
	switch {
	case math.IsInf(x, 0):
		return map[bool]string{true: "∞", false: "−∞"}[x > 0]
	case c.Dot && x == 0:
		return "·"
	case c.Kind == table.Count:
		return num.Count(int(x))
	case c.Percent:
		return format.Number(100*x, max(0, c.Digits-2)) + " %"
	case c.Digits < 0:
		return format.Short(x)
	case c.Test:
		return format.PValue(x, c.Digits)
	}
	return format.Number(x, c.Digits)
}

// pivot lays out a long table by its view.
func (l *layout) pivot(v *table.View) {
	down, across := l.Index(v.Down), l.Index(v.Across)
	var groups []string
	for _, row := range l.Rows {
		if a := row[across].Text(); row[across].Exists() && !slices.Contains(groups, a) {
			groups = append(groups, a)
		}
	}
	once := func() {
		for _, name := range v.Once {
			if l.Has(name) {
				l.grid.heads = append(l.grid.heads, l.head(l.Index(name)))
			}
		}
	}
	l.grid.heads = []head{l.head(down)}
	if v.First {
		once()
	}
	first := len(l.grid.heads) // of the groups
	main := l.head(l.Index(v.Cell))
	for _, a := range groups {
		h := main
		if h.name = a; v.Short[a] != "" {
			h.name = v.Short[a]
		}
		l.grid.heads = append(l.grid.heads, h)
	}
	if !v.First {
		once()
	}
	at := map[string]int{}
	for row, values := range l.Rows {
		name := values[down].Text()
		i, ok := at[name]
		if !ok {
			i = len(l.grid.lines)
			at[name] = i
			cells := make([]cell, len(l.grid.heads))
			for k := range cells {
				cells[k].text = missing
			}
			cells[0] = l.cell(row, down)
			l.grid.lines = append(l.grid.lines, line{cells: cells})
		}
		cells := l.grid.lines[i].cells
		l.join(&cells[0], row, down)
		k := 1
		if !v.First {
			k = first + len(groups)
		}
		for _, name := range v.Once {
			if l.Has(name) {
				if cells[k].text == missing {
					cells[k] = l.cell(row, l.Index(name))
				}
				k++
			}
		}
		if !values[across].Exists() {
			continue
		}
		c := l.cell(row, l.Index(v.Cell))
		if v.Bare {
			c.behind = ""
		}
		for _, name := range v.Below {
			if b := l.cell(row, l.Index(name)); b.text != missing {
				c.below = append(c.below, l.head(l.Index(name)).name+" "+b.whole())
			}
		}
		cells[first+slices.Index(groups, values[across].Text())] = c
	}
}

// join adds the marks of a row's cell to those of the line that the row is part of.
func (l *layout) join(c *cell, row, column int) {
	for _, m := range l.marks[[2]int{row, column}] {
		if !slices.Contains(c.marks, m) {
			c.marks = append(c.marks, m)
		}
	}
}
