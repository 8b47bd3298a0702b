// Package report makes one HTML page of a results directory or of an analysis: the result in a sentence, what is doubtful about
// it, every table with its uncertainties, and every figure with the command that makes it. The page loads nothing, works without its script, can be
// printed, and is light or dark as its reader prefers. The same material gives the same bytes.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"achilles/render/figure"
	"achilles/scenarios/score"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string
	//go:embed sort.js
	scriptText string
)

// A Page is the contents of a report.
type Page struct {
	Title    string
	Lead     string
	Headline string        // the result in one sentence; empty: nothing is graded
	Alarm    string        // a warning about the whole report; empty: none
	Doubts   []score.Doubt // what is wrong, or may be
	Thumbs   []thumb       // the figures that show the result at a glance
	Next     string        // the command to type next; empty: none
	Sections []section
	Command  string // that makes the page
	Docs     string // names the documents that explain the numbers
}

// A fact is a line about what was run. A Folded one is seen when it is opened.
type fact struct {
	Name, Text string
	Folded     bool
}

// A thumb is a figure in small, as a link to the figure.
type thumb struct {
	Name, Title string
	SVG         template.HTML
}

// A section has text, facts, tables and figures, in that order.
type section struct {
	ID, Title string
	Text      []string
	Facts     []fact
	Tables    []table
	Figures   []pageFigure
}

// Opened are the facts that are seen at once.
func (s section) Opened() []fact {
	return slices.DeleteFunc(slices.Clone(s.Facts), func(f fact) bool { return f.Folded })
}

// Closed are the facts that are folded.
func (s section) Closed() []fact {
	return slices.DeleteFunc(slices.Clone(s.Facts), func(f fact) bool { return !f.Folded })
}

// A table is a table that readers can sort by any column.
type table struct {
	Title string
	Head  []column
	Rows  []tableRow
	Notes []string // numbered from 1; cells refer to the numbers
	Foot  []string // further notes, not numbered
}

// A column is the head of a column. Doc explains its name; it may be empty.
type column struct {
	Name, Doc string
	Number    bool
	Prose     bool // the cells have sentences, which may be broken into lines
}

// A tableRow is a row of a table. A Last row sums up the others, and stays at the end when the table is sorted.
type tableRow struct {
	Cells []tableCell
	Last  bool
}

// A tableCell is a cell of a table. Columns of numbers are sorted by Value.
type tableCell struct {
	Text   string
	Below  []string // small lines below the text
	Value  *float64
	Strong bool
	Marks  []int  // numbers of notes
	Watch  string // the command that shows an episode of what the row is about; empty: none
}

// Key is what the page sorts by; empty where the cell has no number.
func (c tableCell) Key() string {
	if c.Value == nil {
		return ""
	}
	return strconv.FormatFloat(*c.Value, 'g', 8, 64)
}

// A pageFigure is a figure with its caption and the command that makes it.
type pageFigure struct {
	Name, Title, Caption, Command string
	Parts                         []part
	Wide                          bool // it takes the whole width
}

// A part is the figure, or its legend or one of its panels.
type part struct {
	SVG   template.HTML
	Width float64 // in pixels
}

// wide is the width from which on a figure has no other beside it.
const wide = 520

// figures makes the figures of a section; empty ones are left out.
func figures(m *figure.Material, section string) (out []pageFigure) {
	for _, e := range m.Entries() {
		if e.Section != section {
			continue
		}
		f := e.Make()
		if f.Empty() {
			continue
		}
		p := pageFigure{Name: e.Name, Title: e.Title, Caption: e.Caption, Command: m.Command(e)}
		for _, q := range f.Parts() {
			p.Parts = append(p.Parts, part{template.HTML(q.Inline(e.Title)), q.Width})
		}
		p.Wide = len(p.Parts) > 1 || f.Width > wide
		out = append(out, p)
	}
	return out
}

// lead puts the two figures that show the result at the top of the page, as links to where they stand.
func (p *Page) lead(m *figure.Material) {
	for _, e := range m.Leading() {
		f := e.Make()
		if !f.Empty() {
			p.Thumbs = append(p.Thumbs, thumb{SVG: template.HTML(f.Inline(e.Title)), Name: e.Name, Title: e.Title})
		}
	}
}

// add appends a section, unless it is empty.
func (p *Page) add(s section) {
	if len(s.Tables)+len(s.Figures)+len(s.Facts) > 0 {
		p.Sections = append(p.Sections, s)
	}
}

// Encode returns the page as HTML.
func (p *Page) Encode() ([]byte, error) {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		panic("report: the page's template does not parse")
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		*Page
		Style  template.CSS
		Script template.JS
	}{p, template.CSS(styleText), template.JS(scriptText)})
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return b.Bytes(), nil
}
