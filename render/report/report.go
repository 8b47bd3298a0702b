// Package report makes one HTML page of a results directory or of an analysis: warnings first, what was run, every table with
// its uncertainties, and every figure with the command that makes it. The page loads nothing, works without its script, can be
// printed, and is light or dark as its reader prefers. The same material gives the same bytes.
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

// A Page is the contents of a report.
type Page struct {
	Title    string
	Lead     string
	Alarm    string // a warning about the whole report; empty: none
	Warnings []warning
	Facts    []fact
	Sections []section
	Command  string // that makes the page
	Docs     string // names the documents that explain the numbers
}

// A fact is a line about what was run.
type fact struct{ Name, Text string }

// A warning is a warning with what it is about.
type warning struct{ About, Text string }

// A section has text, tables and figures, in that order.
type section struct {
	ID, Title string
	Text      []string
	Tables    []table
	Figures   []pageFigure
	Wide      bool // figures stand below each other, not side by side
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
	Marks  []int // numbers of notes
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
	SVG                           template.HTML
	Width                         float64 // in pixels
}

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
		out = append(out, pageFigure{e.Name, e.Title, e.Caption, m.Command(e), template.HTML(f.Inline(e.Title)), f.Width})
	}
	return out
}

// add appends a section, unless it has neither tables nor figures.
func (p *Page) add(s section) {
	if len(s.Tables)+len(s.Figures) > 0 {
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
