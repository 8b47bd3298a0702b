package generate

import (
	"fmt"

	"achilles/battery"
	"achilles/sim/record"
)

// A transposer makes columns of features from the values of items, some at a time: all columns of a large battery would take as
// much as the rest of it.
type transposer struct {
	battery *battery.Battery
	at      []int           // indices of the items, in the order of the rows
	first   int             // index of the first column in columns
	columns []record.Column // the columns that were made last
}

// valuesAtOnce is the number of values of which a transposer makes columns at once: 32 MB of numbers.
const valuesAtOnce = 1 << 22

func newTransposer(b *battery.Battery, at []int) *transposer { return &transposer{battery: b, at: at} }

// all returns all columns.
func (t *transposer) all() ([]record.Column, error) {
	t.first, t.columns = 0, newColumns(t.battery.Schema, len(t.at))
	return t.columns, t.fill()
}

// column returns column k. It is valid until a column is asked for that was not made together with it.
func (t *transposer) column(k int) (record.Column, error) {
	if k < t.first || k >= t.first+len(t.columns) {
		n := min(max(valuesAtOnce/max(len(t.at), 1), 1), len(t.battery.Schema)-k)
		t.columns = nil // the collector may have it
		t.first, t.columns = k, newColumns(t.battery.Schema[k:k+n], len(t.at))
		if err := t.fill(); err != nil {
			return record.Column{}, err
		}
	}
	return t.columns[k-t.first], nil
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

// fill sets the values of the columns.
func (t *transposer) fill() error {
	for row, i := range t.at {
		n, end := 0, t.first+len(t.columns)
		for k, v := range t.battery.Items.Values(i).All() {
			if n = k + 1; k < t.first {
				continue
			}
			if k < end {
				if err := set(&t.columns[k-t.first], row, v, len(t.at)); err != nil {
					return fmt.Errorf("item %q: %w", t.battery.Items.Name(i), err)
				}
			}
			if n >= end {
				break
			}
		}
		if n < end {
			return fmt.Errorf("item %q has no value of feature %s", t.battery.Items.Name(i), t.battery.Schema[n].Name)
		}
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
