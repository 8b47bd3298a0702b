package tables

import (
	"fmt"
	"slices"
)

// Tables of what each item asks for (Q-matrices) often have no names: a row for each item, in the order of the responses' columns.

// inColumnOrder reports whether a table of items is one without names: it has as many rows as there are columns of responses, no column is
// called as names of items are, none has the names of these columns, and none has a word of its own in each row, which is a name, too.
func inColumnOrder(p *proposer, t *Table) bool {
	if p.form != wide || p.wish.Item != nil || p.inTable(t, append(itemNames(), "id", "name")) != "" {
		return false
	}
	var responses []string
	for _, h := range p.src.Header {
		if p.used[h] == "response" {
			responses = append(responses, h)
		}
	}
	named := slices.ContainsFunc(t.Rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool { return slices.Contains(responses, cell) })
	})
	return len(t.Rows) == len(responses) && !named && !t.hasNames()
}

// hasNames reports whether a column has a text in each row that is no number, and none twice.
func (t *Table) hasNames() bool {
	for c := range t.Header {
		seen := map[string]bool{}
		for _, row := range t.Rows {
			if _, ok := number(row[c]); !ok && !missing(row[c]) {
				seen[row[c]] = true
			}
		}
		if len(seen) == len(t.Rows) {
			return true
		}
	}
	return false
}

// nameByOrder returns the table with the names of the responses' columns in a first column, called as inOrder is.
func nameByOrder(b *builder, t *Table) (*Table, error) {
	at := b.m.root.At("items.id")
	if b.m.Responses.Form != wide {
		return nil, at.Errorf("%q takes the names of the responses' columns: form is to be wide", inOrder)
	}
	var names []string
	for _, h := range b.src.Header {
		if h != fileColumn && !slices.Contains(b.m.Responses.Except, h) && !slices.Contains(b.m.Responses.Subject, h) {
			names = append(names, h)
		}
	}
	if len(names) != len(t.Rows) {
		return nil, fmt.Errorf("%s has %d rows, and %s %d columns of responses: give the rows names", t.Name, len(t.Rows), b.src.Name, len(names))
	}
	out := *t
	out.Header, out.Rows = append([]string{inOrder}, t.Header...), nil
	for i, row := range t.Rows {
		out.Rows = append(out.Rows, append([]string{names[i]}, row...))
	}
	return &out, nil
}
