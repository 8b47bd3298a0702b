package redteam

import (
	"fmt"

	"achilles/sim/table"
)

type cell struct {
	*Row
	paradigm string
	right    Tally
}

// Table returns the rows as a table: the proportion that each passes by paradigm, of all, by chance, and the lower end of its interval.
func Table(paradigms []string, rows []Row) *table.Table {
	var cells []cell
	of := 0
	for i := range rows {
		of = max(of, rows[i].All.Of)
		for k, right := range rows[i].Right {
			cells = append(cells, cell{&rows[i], paradigms[k], right})
		}
	}
	return table.Of(table.Table{Name: "blind", Title: fmt.Sprintf("Proportion of %d items with a choice of places that are passed without looking", of), Key: []string{"way", "paradigm"},
		Foot: []string{fmt.Sprintf("A way to pass is a leak if its 95 %% interval, from %d items or more, begins more than %g above chance.", Enough, Margin)},
		View: &table.View{Down: "way", Across: "paradigm", Cell: "passed", Once: []string{"all", "least", "chance"}},
	}, cells, []table.Field[cell]{
		table.Col(table.Column{Name: "way", Kind: table.Text}, func(c cell) table.Value { return table.String(c.Name) }),
		table.Col(table.Column{Name: "paradigm", Kind: table.Text}, func(c cell) table.Value { return table.String(c.paradigm) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "items"}, func(c cell) table.Value { return table.Int(c.right.Of) }),
		table.Col(table.Column{Name: "passed", Digits: 2}, func(c cell) table.Value { return share(c.right, c.right.Rate()) }),
		table.Col(table.Column{Name: "all", Digits: 2, Doc: "over all paradigms"}, func(c cell) table.Value { return share(c.All, c.All.Rate()) }),
		table.Col(table.Column{Name: "least", Digits: 2, Doc: "lower end of the 95 % interval of all"}, func(c cell) table.Value { return share(c.All, c.All.Least()) }),
		table.Col(table.Column{Name: "chance", Digits: 2, Doc: "of picking one of the hidden places at random"}, func(c cell) table.Value { return share(c.All, c.All.Luck()) }),
	})
}

// share returns x, or no value where there are no items.
func share(t Tally, x float64) table.Value {
	if t.Of == 0 {
		return table.None
	}
	return table.Float(x)
}
