package tabular

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Where returns the table with the rows for which a condition holds, such as rmse > 0.05 && capability == "op". The names of
// the condition are columns. A value that is missing is NaN, or an empty text. The rows may be any of the file, also those that
// no view has.
func Where(t *table.Table, condition string) (*table.Table, error) {
	n, err := expr.Parse(condition)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	for _, name := range n.Names() {
		if named(t, name) < 0 {
			return nil, noColumn(t, name)
		}
	}
	if len(t.Rows) == 0 {
		return t, nil // nothing says whether a column has numbers or texts
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { return column(t, name) }, names...)
	if err != nil {
		return nil, err
	}
	if p.Type() != expr.BoolType {
		return nil, fmt.Errorf("%s is a %s: want a condition, such as %s", condition, p.Type(), condition+map[bool]string{true: " > 0.5", false: ` == "a"`}[p.Type() == expr.NumberType])
	}
	out := keep(t, func(row int) bool { return p.Bool(row) })
	if v := out.View; v != nil {
		all := *v
		all.Where = ""
		out.View, out.More = &all, nil
	}
	return out, nil
}

// named returns the index of the column that has a name, or had it; -1: none.
func named(t *table.Table, name string) int {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == name })
	if i < 0 {
		i = slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Was == name })
	}
	return i
}

// noColumn returns the error about a column that is none of the table's.
func noColumn(t *table.Table, name string) error {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return fmt.Errorf("table %s has no column %s%s", t.Name, name, expr.Listed(name, "It has", names))
}

// column returns the values of a column for an expression.
func column(t *table.Table, name string) (out expr.Column, ok bool) {
	i := named(t, name)
	if i < 0 {
		return out, false
	}
	for _, row := range t.Rows {
		x, _ := row[i].Number()
		out.Missing = append(out.Missing, !row[i].Exists())
		if t.Columns[i].Kind == table.Text {
			out.Text = append(out.Text, row[i].Text())
		} else {
			out.Number = append(out.Number, x)
		}
	}
	return out, true
}

// keep returns the table with the rows for which f holds, and their notes.
func keep(t *table.Table, f func(row int) bool) *table.Table {
	var order []int
	for row := range t.Rows {
		if f(row) {
			order = append(order, row)
		}
	}
	return arrange(t, order)
}

// arrange returns the table with these rows in this order, and their notes.
func arrange(t *table.Table, order []int) *table.Table {
	out := *t
	out.Rows, out.Notes = nil, nil
	for i, row := range order {
		out.Rows = append(out.Rows, t.Rows[row])
		for _, n := range t.Notes {
			if n.Row == row {
				out.Notes = append(out.Notes, table.Note{Row: i, Column: n.Column, Text: n.Text})
			}
		}
	}
	return &out
}

// WorstFirst returns the table with its worst rows first, if its columns say which are worse.
func WorstFirst(t *table.Table) *table.Table {
	for _, by := range slices.Backward(t.Worst) {
		sorted, err := Sort(t, by)
		if err != nil {
			panic("tabular: the worst rows are those of a column that the table has not")
		}
		t = sorted
	}
	return t
}

// Sort returns the table with its rows sorted by a column: numbers from the largest down, p-values from the smallest up, texts in natural
// order. A minus before the name turns the order round. Rows without a value, and those that sum up others, come last.
func Sort(t *table.Table, by string) (*table.Table, error) {
	name, turned := strings.CutPrefix(by, "-")
	i := named(t, name)
	if i < 0 {
		return nil, noColumn(t, name)
	}
	rank := func(row int) int {
		switch {
		case t.Sum(row):
			return 2
		case !t.Rows[row][i].Exists():
			return 1
		}
		return 0
	}
	order := make([]int, len(t.Rows))
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(rank(a), rank(b)); c != 0 || rank(a) > 0 {
			return c
		}
		x, number := t.Rows[a][i].Number()
		y, _ := t.Rows[b][i].Number()
		c := cmp.Compare(y, x)
		if !number {
			c = record.CompareNames(t.Rows[a][i].Text(), t.Rows[b][i].Text())
		}
		if turned != (number && t.Columns[i].Test) {
			return -c
		}
		return c
	})
	return arrange(t, order), nil
}

// Ends returns the table with its first and its last n rows alone, and a line that says how many are between them.
func Ends(t *table.Table, n int) *table.Table {
	between := len(t.Rows) - 2*n
	if between <= 0 {
		return t
	}
	out := keep(t, func(row int) bool { return row < n || row >= n+between })
	out.Foot = append([]string{"The first and the last " + num.Count(n) + "; " + num.Count(between) + " are between them."}, out.Foot...)
	return out
}
