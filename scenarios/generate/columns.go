package generate

import (
	"cmp"
	"fmt"

	"achilles/battery"
	"achilles/sim/record"
)

// A transposer makes rows of the table of items, some at a time: all columns of a large battery would take more than the battery.
type transposer struct {
	battery *battery.Battery
	at      []int    // indices of the items, in the order of the rows
	id      []string // of the items, in the same order
}

// rows returns n rows, beginning with row `from`.
func (t *transposer) rows(from, n int) (*record.Items, error) {
	out := &record.Items{ID: t.id[from:][:n], Suite: make([]string, n), Paradigm: make([]string, n), Task: make([]string, n)}
	out.Columns = newColumns(t.battery.Schema, n)
	var it battery.Item
	for row, i := range t.at[from:][:n] {
		t.battery.Items.Read(i, &it)
		out.Suite[row], out.Paradigm[row], out.Task[row] = cmp.Or(it.Suite, t.battery.Suite), it.Paradigm, it.Task
		if err := fill(out.Columns, row, &it, n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// newColumns returns columns with room for n values each.
func newColumns(features []record.Feature, n int) []record.Column {
	columns := make([]record.Column, len(features))
	for k, f := range features {
		if columns[k].Feature = f; f.Kind == record.Text {
			columns[k].Text = make([]string, n)
		} else {
			columns[k].Number = make([]float64, n)
		}
	}
	return columns
}

// fill sets the values of an item, one of n, in all columns.
func fill(columns []record.Column, row int, it *battery.Item, n int) error {
	next := 0
	for k, v := range it.Values.All() {
		if next = k + 1; next > len(columns) {
			break
		}
		if err := set(&columns[k], row, v, n); err != nil {
			return fmt.Errorf("item %q: %w", it.Name, err)
		}
	}
	if next < len(columns) {
		return fmt.Errorf("item %q has no value of feature %s", it.Name, columns[next].Name)
	}
	return nil
}

// set sets one of the n values of a column.
func set(c *record.Column, row int, v battery.Value, n int) error {
	switch {
	case c.Kind == record.Text && v.Number != 0 || c.Kind == record.Number && v.Text != "":
		return fmt.Errorf("its value of feature %s is not a %s", c.Name, c.Kind)
	case v.Missing:
		if c.Missing == nil {
			c.Missing = make([]bool, n)
		}
		c.Missing[row] = true
	case c.Text != nil:
		c.Text[row] = v.Text
	default:
		c.Number[row] = v.Number
	}
	return nil
}
