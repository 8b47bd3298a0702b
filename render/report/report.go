// Package report makes one HTML file of a results directory or of an analysis: what was run, doubts first, every table
// with its uncertainties, and the figures with the command that makes each again. The file stands alone: it loads nothing,
// works without its script, prints, and follows the reader's light or dark. The same material gives the same bytes.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strconv"

	"achilles/render/figure"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string
	//go:embed sort.js
	scriptText string
)

// A Page is a report in the making.
type Page struct {
	Title    string
	Lead     string
	Alarm    string // what must be known before anything is believed; empty: nothing
	Warnings []warning
	Facts    []fact
	Sections []section
	Command  string // what makes the page again
	Docs     string // where the numbers are explained
}

// A fact is a line of what was run.
type fact struct{ Name, Text string }

// A warning is a doubt, and what it is about.
type warning struct{ About, Text string }

// A section has text, tables and figures, in that order.
type section struct {
	ID, Title string
	Text      []string
	Tables    []table
	Figures   []pageFigure
	Wide      bool // figures below each other, not side by side
}

// A table can be sorted by any column.
type table struct {
	Title string
	Head  []column
	Rows  []tableRow
	Notes []string // numbered from 1; cells have the numbers
	Foot  []string // not numbered
}

// A column is the head of a column; Doc explains it where the name does not.
type column struct {
	Name, Doc string
	Number    bool
	Prose     bool // sentences, which are broken into lines
}

// A tableRow is a line of a table. A Last row stays at the end, whatever is sorted by: it sums up the others.
type tableRow struct {
	Cells []tableCell
	Last  bool
}

// A tableCell has a text and perhaps more lines; Value is what a column of numbers is sorted by.
type tableCell struct {
	Text   string
	Below  []string // small lines under it
	Value  *float64
	Strong bool
	Marks  []int // of notes
}

// Key is the sort key; empty where the cell has no number.
func (c tableCell) Key() string {
	if c.Value == nil {
		return ""
	}
	return strconv.FormatFloat(*c.Value, 'g', 8, 64)
}

// A pageFigure is a picture with what it shows and what makes it again.
type pageFigure struct {
	Name, Title, Caption, Command string
	SVG                           template.HTML
	Width                         float64 // in pixels
}

// figures makes the figures of a section.
func figures(m *figure.Material, section string) (out []pageFigure) {
	for _, e := range m.Entries() {
		if e.Section != section {
			continue
		}
		f := e.Make()
		if f.Empty() {
			continue
		}
		out = append(out, pageFigure{e.Name, e.Title, e.Caption, m.Command(e), template.HTML(f.Inline(e.Title)), f.Width})
	}
	return out
}

// add appends a section that has something to show.
func (p *Page) add(s section) {
	if len(s.Tables)+len(s.Figures) > 0 {
		p.Sections = append(p.Sections, s)
	}
}

// Encode writes the page.
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
