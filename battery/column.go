package battery

import (
	"achilles/sim/expr"
	"achilles/sim/record"
)

// Column returns the values of a feature over all items; suite, paradigm and task are text columns too. ok is false if
// the battery has no such column.
func (b *Battery) Column(name string) (expr.Column, bool) {
	switch name {
	case "suite":
		return b.label(func(it *Item) string { return it.Suite }), true
	case "paradigm":
		return b.label(func(it *Item) string { return it.Paradigm }), true
	case "task":
		return b.label(func(it *Item) string { return it.Task }), true
	}
	f, ok := b.Feature(name)
	if !ok {
		return expr.Column{}, false
	}
	return b.feature(f), true
}

// Feature returns the index of a feature in the schema. The second result is false if the schema lacks the feature.
func (b *Battery) Feature(name string) (int, bool) {
	for i, f := range b.Schema {
		if f.Name == name {
			return i, true
		}
	}
	return 0, false
}

// ColumnNames returns all names for which Column has a column.
func (b *Battery) ColumnNames() []string {
	names := []string{"suite", "paradigm", "task"}
	for _, f := range b.Schema {
		names = append(names, f.Name)
	}
	return names
}

func (b *Battery) label(of func(*Item) string) expr.Column {
	text := make([]string, b.Items.Len())
	for i, it := range b.Items.All() {
		text[i] = of(&it)
	}
	return expr.Column{Text: text}
}

func (b *Battery) feature(f int) expr.Column {
	var c expr.Column
	if b.Schema[f].Kind == record.Text {
		c.Text = make([]string, b.Items.Len())
	} else {
		c.Number = make([]float64, b.Items.Len())
	}
	for i := range b.Items.Len() {
		v := b.Items.Values(i).At(f)
		switch {
		case v.Missing:
			if c.Missing == nil {
				c.Missing = make([]bool, b.Items.Len())
			}
			c.Missing[i] = true
		case c.Text != nil:
			c.Text[i] = v.Text
		default:
			c.Number[i] = v.Number
		}
	}
	return c
}
