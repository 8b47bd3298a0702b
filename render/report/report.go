// Package report makes an HTML page of a results directory or of an analysis. The page has the result in a sentence,
// doubts about it, every table with its uncertainties, and every figure with the command that makes it. What says the same in another
// way, or more exactly, is folded, so that a result is printed on a few sheets. The page loads nothing, works without JavaScript and can
// be printed. It is light or dark as the reader's browser is set. The same material gives the same bytes.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"achilles/render/figure"
	"achilles/render/tabular"
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
	Summary  []template.HTML // the result beside its baselines; empty if nothing is graded
	Alarm    string          // a warning about the whole report; may be empty
	Doubts   []score.Doubt   // known and possible faults of the result
	Figures  []pageFigure    // the two most important figures, which their sections then lack
	Next     string          // command to type next; may be empty
	Sections []section
	Command  string // command that makes the page; "": none is said
	Docs     string // a sentence that names the documents which explain the numbers
}

// A fact is a line about what was run. A Folded fact is hidden until the reader opens the list.
type fact struct {
	Name, Text string
	Folded     bool
}

// A section has text, facts, tables and figures, in that order, and what else there is, folded until the reader opens it and left out in
// print.
type section struct {
	ID, Title string
	Text      []string
	Facts     []fact
	Blocks    []template.HTML // tables
	Figures   []pageFigure
	More      fold
}

// A fold has tables and figures that are hidden until the reader opens them.
type fold struct {
	Blocks  []template.HTML
	Figures []pageFigure
	titles  []string // of the tables
}

// Titles names what is folded, tables by what stands before the colon of their titles.
func (f fold) Titles() string {
	var out []string
	for _, x := range f.titles {
		short, _, _ := strings.Cut(x, ":")
		out = append(out, short)
	}
	for _, x := range f.Figures {
		out = append(out, x.Title)
	}
	return strings.Join(out, "; ")
}

// Folded says whether all of the section but its text is folded.
func (s section) Folded() bool { return len(s.Blocks)+len(s.Figures)+len(s.Facts) == 0 }

// Opened returns the facts that are always visible.
func (s section) Opened() []fact {
	return slices.DeleteFunc(slices.Clone(s.Facts), func(f fact) bool { return f.Folded })
}

// Tall says whether there are so many doubts that they scroll in a box of their own.
func (p *Page) Tall() bool { return len(p.Doubts) > tabular.Scrolls }

// Closed returns the folded facts.
func (s section) Closed() []fact {
	return slices.DeleteFunc(slices.Clone(s.Facts), func(f fact) bool { return !f.Folded })
}

// A pageFigure is a figure with its caption and the command that makes it.
type pageFigure struct {
	Name, Title, Caption, Command string
	Parts                         []part
	Wide                          bool // whether the figure takes the whole width of the page
}

// A part is a panel or the legend of a figure, or a figure without panels.
type part struct {
	SVG   template.HTML
	Width float64 // in pixels
}

// wide is the largest width, in pixels, of a figure that can have another one next to it.
const wide = 520

// opened has the names of the figures that a section shows at once. Those that say the same in another way, or more exactly, are folded.
var opened = []string{"observers", "classifications", "recovery", "histograms", "reliability", "paths", "ctest-1", "curves", "grids", "models"}

// pictured returns a figure as the page shows it. It is false if the figure is empty.
func pictured(m *figure.Material, e figure.Entry) (pageFigure, bool) {
	f := e.Make()
	if f.Empty() {
		return pageFigure{}, false
	}
	p := pageFigure{Name: e.Name, Title: e.Title, Caption: e.Caption, Command: m.Command(e)}
	for _, q := range f.Parts() {
		p.Parts = append(p.Parts, part{template.HTML(q.Inline(e.Title)), q.Width})
	}
	p.Wide = len(p.Parts) > 1 || f.Width > wide
	return p, true
}

// figures adds the figures of a section of the material to a section of the page, without empty ones and those that stand at the
// beginning of the page.
func (p *Page) figures(s *section, m *figure.Material, of string) {
	for _, e := range m.Entries() {
		if of == "" || e.Section != of || slices.ContainsFunc(p.Figures, func(f pageFigure) bool { return f.Name == e.Name }) {
			continue
		}
		if f, ok := pictured(m, e); ok && slices.Contains(opened, e.Name) {
			s.Figures = append(s.Figures, f)
		} else if ok {
			s.More.Figures = append(s.More.Figures, f)
		}
	}
}

// lead adds the two most important figures to the beginning of the page.
func (p *Page) lead(m *figure.Material) {
	for _, e := range m.Leading() {
		if f, ok := pictured(m, e); ok {
			p.Figures = append(p.Figures, f)
		}
	}
}

// add appends a section if it has tables, figures or facts.
func (p *Page) add(s section) {
	if len(s.Blocks)+len(s.Figures)+len(s.Facts)+len(s.More.Blocks)+len(s.More.Figures) > 0 {
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
