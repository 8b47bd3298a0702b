package report

import (
	"slices"

	"achilles/render/figure"
	"achilles/render/format"
	"achilles/scenarios/score"
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
	drawn := map[[2]string]*score.Simulated{}
	if m.Scores != nil {
		for i, x := range m.Scores.Simulated {
			drawn[[2]string{x.Parameter, x.Unit.Unit}] = &m.Scores.Simulated[i]
		}
	}
	at := map[string]int{}
	for _, u := range m.Result.Units {
		unit, truth := u.Unit, drawn[[2]string{u.Parameter, u.Unit}]
		if truth != nil {
			unit = truth.Name
		}
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
		c := tableCell{Text: mean + " ±" + sd, Value: &u.Mean}
		if truth != nil {
			c.Below = []string{"truth " + format.Short(truth.Value)}
		}
		t.Rows[i].Cells[1+slices.Index(names, u.Parameter)] = c
	}
	return t
}
