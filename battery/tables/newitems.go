package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
)

// NewItems returns the items of a table whose columns are called as these features, in the order of their names. The column item, or
// id, has the names; without one they are the numbers of the rows. A feature without a column is left out; columns that are
// no feature are returned as ignored. The decimal sign is found out, if the table was read without one. Wrong names, names that occur twice, and cells that are no number where the feature is one
// are errors with file and line.
func NewItems(t *Table, features []record.Feature) (items *record.Items, ignored []string, err error) {
	if t.read.Decimal == "" {
		columns, _, err := survey(t.source(), nil)
		if err == nil {
			t.read.Decimal, err = decimal(columns)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	names := make([]string, len(t.Rows))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	id := slices.IndexFunc(t.Header, func(h string) bool { return strings.EqualFold(h, "item") || strings.EqualFold(h, "id") })
	if id >= 0 {
		for i, r := range t.Rows {
			names[i] = r[id]
		}
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	items = &record.Items{Suite: make([]string, len(order)), Paradigm: make([]string, len(order)), Task: make([]string, len(order))}
	for k, i := range order {
		if err := record.CheckName(names[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: item %q: %w", t.At(i), names[i], err)
		}
		if k > 0 && names[i] == items.ID[k-1] {
			return nil, nil, fmt.Errorf("%s: item %s is in line %d already", t.At(i), names[i], t.lines[order[k-1]])
		}
		items.ID = append(items.ID, names[i])
	}
	labels := map[string][]string{"suite": items.Suite, "paradigm": items.Paradigm, "task": items.Task}
	for c, h := range t.Header {
		if c == id {
			continue
		}
		if l := labels[h]; l != nil {
			for k, i := range order {
				l[k] = t.Rows[i][c]
			}
			continue
		}
		f := slices.IndexFunc(features, func(f record.Feature) bool { return f.Name == h })
		if f < 0 {
			ignored = append(ignored, h)
			continue
		}
		col, err := t.column(c, features[f], order)
		if err != nil {
			return nil, nil, err
		}
		items.Columns = append(items.Columns, col)
	}
	return items, ignored, nil
}

// column returns the values of a feature in column c, row by row in this order.
func (t *Table) column(c int, f record.Feature, order []int) (out record.Column, err error) {
	out = record.Column{Feature: f, Missing: make([]bool, len(order))}
	for k, i := range order {
		cell := t.Rows[i][c]
		out.Missing[k] = missing(cell)
		if f.Kind == record.Text {
			if out.Missing[k] {
				cell = ""
			}
			out.Text = append(out.Text, cell)
			continue
		}
		x, ok := 0.0, true
		if !out.Missing[k] {
			x, ok = t.read.number(cell)
		}
		if !ok {
			return out, fmt.Errorf("%s: %s is %q, not a number", t.At(i), f.Name, cell)
		}
		out.Number = append(out.Number, x)
	}
	return out, nil
}
