package tables

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isHTML reports whether a file is a page with a table, whatever its name: some programs write such pages as .xls.
func isHTML(f *File) bool {
	head := bytes.TrimSpace(bytes.TrimPrefix(f.Head, []byte(byteOrderMark)))
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(bytes.ToLower(head), []byte("<table"))
}

// openHTML reads the largest table of a page.
func openHTML(f *File) (*Grid, error) {
	text, err := f.whole("HTML")
	if err != nil {
		return nil, err
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var best *Grid
	found := 0
	for n := range root.Descendants() {
		if n.DataAtom != atom.Table || n.Type != html.ElementNode {
			continue
		}
		g, err := tableOf(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if len(g.Rows) == 0 || len(g.Rows[0]) < 2 {
			continue
		}
		if found++; best == nil || len(g.Rows)*len(g.Rows[0]) > len(best.Rows)*len(best.Rows[0]) {
			best = g
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s: no HTML table with at least two columns", f.Name)
	}
	if found > 1 {
		best.Notes = append(best.Notes, fmt.Sprintf("the largest of %d tables; write another as CSV", found))
	}
	return best, nil
}

// mostSpan is the largest number of columns, or rows, that a cell is taken to span, as in browsers.
const mostSpan = 1000

// tableOf returns a table. A cell that spans columns or rows stands in each. Several rows of names are one: their words, one after the other.
func tableOf(table *html.Node) (*Grid, error) {
	g := &Grid{Kind: "HTML"}
	var names [][]string
	type span struct {
		text string
		rows int
	}
	var down []span // [column] what cells above leave in the next rows
	width := 0
	for tr := range table.Descendants() {
		if tr.DataAtom != atom.Tr || within(tr, atom.Table) != table {
			continue
		}
		var row []string
		heads := 0
		fill := func() {
			for len(row) < len(down) && down[len(row)].rows > 0 {
				down[len(row)].rows--
				row = append(row, down[len(row)].text)
			}
		}
		cells := 0
		for c := range tr.ChildNodes() {
			if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
				continue
			}
			if cells++; c.DataAtom == atom.Th {
				heads++
			}
			text, columns, rows := words(c), spans(c, "colspan"), spans(c, "rowspan")
			for range columns {
				fill()
				for len(down) <= len(row) {
					down = append(down, span{})
				}
				down[len(row)] = span{text, rows - 1}
				row = append(row, text)
			}
			if len(row) > maxColumns {
				return nil, errWide
			}
		}
		fill()
		if len(row) == 0 {
			continue
		}
		width = max(width, len(row))
		if (len(g.Rows)+len(names)+1)*width > maxCells {
			return nil, fmt.Errorf("more than %d cells in one table", maxCells)
		}
		if heads == cells && len(g.Rows) == 0 {
			names = append(names, row)
			continue
		}
		g.Rows = append(g.Rows, row)
	}
	for i, row := range g.Rows {
		for len(row) < width {
			row = append(row, "")
		}
		g.Rows[i] = row
	}
	if names != nil {
		g.Header = make([]string, width)
		for _, row := range names {
			for i, name := range row {
				g.Header[i] = strings.TrimSpace(g.Header[i] + " " + name)
			}
		}
	}
	return g, nil
}

// within returns the nearest element of a kind around a node.
func within(n *html.Node, kind atom.Atom) *html.Node {
	for p := range n.Ancestors() {
		if p.DataAtom == kind {
			return p
		}
	}
	return nil
}

// words returns the text of a cell.
func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// spans returns how many columns or rows a cell spans.
func spans(n *html.Node, key string) int {
	for _, a := range n.Attr {
		if a.Key == key {
			if k, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil && k > 0 {
				return min(k, mostSpan)
			}
		}
	}
	return 1
}
