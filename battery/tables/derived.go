package tables

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"achilles/sim/expr"
)

// A derived has what the rows of responses say of items, or of subjects: columns that are the same in every row of one.
type derived struct {
	what    string
	columns []int
	header  []string
	rows    [][]string // by index of the item or subject
	lines   []int
}

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// derive finds the columns that features need. labels are expressions, too. It returns an error if the responses have none of them.
func (b *builder) derive(what string, features []feature, labels ...string) (*derived, error) {
	d := &derived{what: what}
	var names []string
	for _, f := range features {
		names = append(names, cmp.Or(f.Column, f.Name))
		labels = append(labels, f.Value)
		if f.Value == "" && f.Column != "" {
			labels = append(labels, f.Column)
		}
	}
	for _, source := range labels {
		if n, err := expr.Parse(source); err == nil {
			names = append(names, n.Names()...)
		}
	}
	if what == "item" {
		names = append(names, b.m.Items.Prefixes.Column)
	}
	for i, name := range b.src.Header {
		if slices.Contains(names, name) {
			d.columns, d.header = append(d.columns, i), append(d.header, name)
		}
	}
	if len(d.columns) == 0 && len(features) > 0 {
		key := map[string]string{"item": "feature", "subject": "covariate"}[what]
		return nil, b.m.root.At(key).Errorf("%ss are columns of a table of %ss, and none is given: add --%ss FILE; %s has no such column", key, what, what, b.src.Name)
	}
	return d, nil
}

// note keeps what a row says of an item or subject. It returns an error if an earlier row says something else. A cell without a value
// says nothing.
func (d *derived) note(row *Row, k int, n *names) error {
	if d == nil {
		return nil
	}
	for len(d.rows) <= k {
		d.rows, d.lines = append(d.rows, nil), append(d.lines, row.Line)
	}
	if d.rows[k] == nil {
		d.rows[k] = make([]string, len(d.columns))
	}
	for j, c := range d.columns {
		cell, have := row.Cells[c], &d.rows[k][j]
		switch {
		case cell == *have:
		case missing(cell):
		case missing(*have):
			*have = strings.Clone(cell)
		default:
			return fmt.Errorf("%s of %s %s is %q, and was %q: a feature or covariate must be the same in every row of one %s", d.header[j], d.what, n.list[k], cell, *have, d.what)
		}
	}
	return nil
}

// table returns the table of the items, or subjects, with responses. Its first column has the names.
func (d *derived) table(src *Source, n *names, decimal string) *Table {
	t := &Table{Name: src.Name, Header: append([]string{"(" + d.what + ")"}, d.header...), read: Reading{Decimal: decimal}}
	for i, name := range n.list {
		if !n.answered[i] {
			continue
		}
		line, row := 0, make([]string, len(d.columns))
		if i < len(d.rows) && d.rows[i] != nil {
			line, row = d.lines[i], d.rows[i]
		}
		t.Rows, t.lines = append(t.Rows, append([]string{name}, row...)), append(t.lines, line)
	}
	return t
}
