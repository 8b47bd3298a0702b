package report

import (
	"slices"

	"achilles/render/figure"
	"achilles/render/format"
)

// unitTable returns a table of the parameters that do not belong to subjects. It has one row for each unit: an item, a group
// of items, or everybody.
func unitTable(m *figure.Material) table {
	t := table{Head: []column{{Name: "unit", Doc: "an item, a group of items, or everybody"}}}
	if m.Result == nil {
		return t
	}
	var names, units []string
	for _, u := range m.Result.Units {
		if !slices.Contains(names, u.Parameter) {
			names = append(names, u.Parameter)
		}
	}
	t.Head = append(t.Head, numbers(names...)...)
	at := map[string]int{}
	for _, u := range m.Result.Units {
		unit := u.Unit
		if unit == "" {
			unit = "everybody"
		}
		i, ok := at[unit]
		if !ok {
			i = len(units)
			at[unit] = i
			units = append(units, unit)
			t.Rows = append(t.Rows, tableRow{Cells: make([]tableCell, len(t.Head))})
			t.Rows[i].Cells[0].Text = unit
		}
		mean, sd := format.MeanSD(u.Mean, u.SD)
		t.Rows[i].Cells[1+slices.Index(names, u.Parameter)] = tableCell{Text: mean + " ±" + sd, Value: &u.Mean}
	}
	return t
}
