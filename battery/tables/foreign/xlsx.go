package foreign

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// isWorkbook reports whether a file is a workbook of Excel 2007 or later.
func isWorkbook(f *tables.File) bool {
	if !bytes.HasPrefix(f.Head, []byte("PK\x03\x04")) {
		return false
	}
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".xlsx", ".xlsm":
		return true
	}
	return false
}

// A workbook is an .xlsx file (ECMA-376, SpreadsheetML). Own code, since readers that are kept bring a formula engine and an editor of
// several MB with them.
type workbook struct {
	files  map[string]*zip.File
	left   int64 // bytes that may still be unpacked
	shared []string
}

func readWorkbook(b []byte) ([]named, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("not a readable workbook: %w", err)
	}
	w := &workbook{files: map[string]*zip.File{}, left: maxContent}
	for _, f := range z.File {
		w.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	sheets, err := w.sheets()
	if err != nil {
		return nil, err
	}
	if err := w.strings(); err != nil {
		return nil, err
	}
	var found []named
	for _, s := range sheets {
		g, err := w.sheet(s.file)
		if err != nil {
			return nil, fmt.Errorf("sheet %q: %w", s.name, err)
		}
		if len(g.Rows) > 0 {
			found = append(found, named{s.name, g})
		}
	}
	for i := range found {
		found[i].grid.Kind = fmt.Sprintf("sheet %q of a workbook", found[i].name)
	}
	return found, nil
}

// A rationed reader gives at most what may still be unpacked.
type rationed struct {
	in   io.Reader
	left *int64
}

func (r rationed) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if *r.left -= int64(n); *r.left < 0 {
		return 0, fmt.Errorf("more than %d bytes when unpacked", maxContent)
	}
	return n, err
}

// open returns a part of the workbook as XML, and nil if there is no such part.
func (w *workbook) open(name string) (*xml.Decoder, error) {
	f := w.files[name]
	if f == nil {
		return nil, nil
	}
	in, err := f.Open() // a zip entry: there is nothing to close
	if err != nil {
		return nil, err
	}
	return xml.NewDecoder(rationed{in, &w.left}), nil
}

// decode reads a small part into a struct.
func (w *workbook) decode(name string, into any) error {
	d, err := w.open(name)
	if err != nil {
		return err
	}
	if d == nil {
		return fmt.Errorf("not a readable workbook: it has no %s", name)
	}
	return d.Decode(into)
}

type sheetRef struct{ name, file string }

// sheets returns the visible sheets in their order.
func (w *workbook) sheets() ([]sheetRef, error) {
	var book struct {
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	var links struct {
		Links []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := w.decode("xl/workbook.xml", &book); err != nil {
		return nil, err
	}
	if err := w.decode("xl/_rels/workbook.xml.rels", &links); err != nil {
		return nil, err
	}
	targets := map[string]string{}
	for _, l := range links.Links {
		if targets[l.ID] = path.Join("xl", l.Target); strings.HasPrefix(l.Target, "/") {
			targets[l.ID] = l.Target[1:]
		}
	}
	var list []sheetRef
	for _, s := range book.Sheets {
		if s.State != "" && s.State != "visible" {
			continue
		}
		for _, a := range s.Attrs {
			if a.Name.Local == "id" {
				list = append(list, sheetRef{s.Name, targets[a.Value]})
			}
		}
	}
	return list, nil
}

// strings reads the texts that cells share. Text in several formats is joined; how it is pronounced is left out.
func (w *workbook) strings() error {
	d, err := w.open("xl/sharedStrings.xml")
	if d == nil || err != nil {
		return err
	}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "si" {
			var s richText
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}
			w.shared = append(w.shared, s.text())
		}
	}
}

type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (r richText) text() string {
	out := r.Text
	for _, p := range r.Runs {
		out += p.Text
	}
	return out
}

type cell struct {
	Place  string   `xml:"r,attr"`
	Type   string   `xml:"t,attr"`
	Value  string   `xml:"v"`
	Inline richText `xml:"is"`
}

// sheet reads a sheet. Empty rows and columns around the table are left out.
func (w *workbook) sheet(file string) (*tables.Grid, error) {
	g := &tables.Grid{}
	d, err := w.open(file)
	if err != nil || d == nil { // a chart has no cells
		return g, err
	}
	line, columns, total := 0, 0, 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		var row struct {
			Line  int    `xml:"r,attr"`
			Cells []cell `xml:"c"`
		}
		if err := d.DecodeElement(&row, &e); err != nil {
			return nil, err
		}
		if line++; row.Line > 0 {
			line = row.Line
		}
		cells, err := w.row(row.Cells)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", line, err)
		}
		if len(cells) == 0 {
			continue
		}
		columns, total = max(columns, len(cells)), total+len(cells)
		if err := area(total, 1); err != nil {
			return nil, err
		}
		g.Rows, g.Lines = append(g.Rows, cells), append(g.Lines, line)
	}
	return g, trim(g, columns)
}

// row returns the cells of a row up to its last that is not empty.
func (w *workbook) row(in []cell) ([]string, error) {
	var out []string
	for i, c := range in {
		at := i
		if c.Place != "" {
			at = column(c.Place)
		}
		if at < 0 || at >= 1<<14 { // the most columns that a sheet has
			return nil, fmt.Errorf("a cell at %q, which is not a place in a sheet", c.Place)
		}
		v, err := w.value(c)
		if err != nil {
			return nil, err
		}
		if v == "" {
			continue
		}
		for len(out) <= at {
			out = append(out, "")
		}
		out[at] = v
	}
	return out, nil
}

func (w *workbook) value(c cell) (string, error) {
	switch c.Type {
	case "s":
		k, err := strconv.Atoi(c.Value)
		if err != nil || k < 0 || k >= len(w.shared) {
			return "", fmt.Errorf("%s: text %q is not in the workbook", c.Place, c.Value)
		}
		return strings.TrimSpace(w.shared[k]), nil
	case "inlineStr":
		return strings.TrimSpace(c.Inline.text()), nil
	case "e": // an error, such as #N/A
		return "", nil
	case "", "n":
		if x, err := strconv.ParseFloat(c.Value, 64); err == nil {
			return text(x), nil
		}
	}
	return c.Value, nil
}

// column returns the number of the column of a cell such as AB12, from 0; −1 if it is none.
func column(place string) int {
	n := 0
	for _, r := range place {
		if r < 'A' || r > 'Z' {
			break
		}
		if n = n*26 + int(r-'A') + 1; n > 1<<14 {
			return -1
		}
	}
	return n - 1
}

// trim gives all rows the same number of cells, without empty columns at either side.
func trim(g *tables.Grid, columns int) error {
	if err := area(len(g.Rows), columns); err != nil {
		return err
	}
	left := columns
	for _, r := range g.Rows {
		if i := slices.IndexFunc(r, func(c string) bool { return c != "" }); i >= 0 {
			left = min(left, i)
		}
	}
	for i, r := range g.Rows {
		g.Rows[i] = append(r[left:], make([]string, columns-len(r))...)
	}
	return nil
}
