package tabular

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"achilles/sim/num"
	"achilles/sim/table"
)

//go:embed table.html
var htmlText string

// Watch has the command that shows an episode of a row, by the text of the row's first cell.
type Watch map[string]string

// Scrolls is the number of lines from which an HTML table is in a box of its own that scrolls.
const Scrolls = 30

// pairsFrom is the number of columns from which a page shows a table of one row as pairs of name and value.
const pairsFrom = 4

// A page shows tables of more than ManyLines lines by the first mostLines/2 and the last.
const (
	ManyLines = 200
	mostLines = 20
)

// extremes returns the first and the last lines of many, and those that sum up others, and how many it leaves out.
func extremes(lines []line) (out []line, left int) {
	if len(lines) <= ManyLines {
		return lines, 0
	}
	for i, l := range lines {
		if i < mostLines/2 || i >= len(lines)-mostLines/2 || l.sum {
			out = append(out, l)
		}
	}
	return out, len(lines) - len(out)
}

// HTML returns the table as people see it, the worst rows first: for each view a heading, a table element whose columns a page can sort by, notes
// and foot. label names the table where it has no title. The same table gives the same bytes.
func HTML(t *table.Table, label string, watch Watch) (all template.HTML) {
	for _, x := range views(WorstFirst(t)) {
		all += html(x, label, watch)
	}
	return all
}

func html(t *table.Table, label string, watch Watch) template.HTML {
	g := layOut(t)
	if len(g.lines) == 1 && len(g.heads) >= pairsFrom {
		g = g.turned()
	}
	type htmlCell struct {
		Text, Behind, Key, Watch, Doc string
		Below                         []string
		Strong, First                 bool
		Number, Prose                 bool
		Marks                         []int
	}
	type htmlLine struct {
		Cells []htmlCell
		Sum   bool
	}
	type htmlHead struct {
		Name, Doc string
		Number    bool
	}
	data := struct {
		Title, Label string
		Tall         bool
		Heads        []htmlHead
		Lines        []htmlLine
		Notes, Foot  []string
	}{Title: t.Title, Label: label, Tall: len(g.lines) > Scrolls, Notes: g.notes, Foot: t.Foot}
	if t.Title != "" {
		data.Label = t.Title
	}
	if lines, left := extremes(g.lines); left > 0 {
		g.lines = lines
		data.Tall, data.Foot = false, append(slices.Clone(data.Foot), fmt.Sprintf("The first and the last %d of %s; achilles show has all, and the directory %s.csv.", mostLines/2, num.Counted(len(lines)+left, "row"), t.Name))
		if n := len(data.Notes); n > mostLines {
			data.Notes = append(slices.Clone(data.Notes[:mostLines]), fmt.Sprintf("… and %s", num.Counted(n-mostLines, "more note")))
		}
	}
	key := 0 // the column that names a row
	if g.pairs {
		key, g.heads[1].prose = 1, false
	} else {
		for _, h := range g.heads {
			data.Heads = append(data.Heads, htmlHead{h.name, h.doc, h.number})
		}
	}
	for i, l := range g.lines {
		at := htmlLine{Sum: l.sum}
		for k, c := range l.cells {
			out := htmlCell{Text: c.text, Doc: c.doc, Behind: c.behind, Below: c.below, Strong: c.strong, Marks: c.marks, First: k == 0, Number: g.heads[k].number, Prose: g.heads[k].prose}
			if c.key != nil {
				out.Key = strconv.FormatFloat(*c.key, 'g', 8, 64)
			}
			if k == key && !l.sum && !(g.pairs && i > 0) {
				out.Watch = watch[c.text]
			}
			at.Cells = append(at.Cells, out)
		}
		data.Lines = append(data.Lines, at)
	}
	var b bytes.Buffer
	page, err := template.New("table").Parse(htmlText)
	if err != nil {
		panic("tabular: the template of a table does not parse")
	}
	if err := page.Execute(&b, data); err != nil {
		panic("tabular: the template of a table fails")
	}
	return template.HTML(b.String())
}
