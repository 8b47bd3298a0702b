package layout

import (
	"slices"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// A grouping is where the groups of parameters come from: the columns of items and subjects.
type grouping struct {
	items      *record.Items
	subjects   []string
	covariates []record.Column
}

// group returns the group of every item or subject under a parameter, and the names of the groups.
func (g grouping) group(p *Parameter) (of []int, names []string, err error) {
	col, err := g.column(p, p.Per, "per", false)
	if err != nil {
		return nil, nil, err
	}
	names = levelsOf(col)
	for _, x := range col.Text {
		k, _ := slices.BinarySearch(names, x)
		of = append(of, k)
	}
	return of, names, nil
}

// column returns the column of the items or subjects whose values are the groups of a parameter. key is where the layout names it,
// and numbers says whether it may be a column of numbers.
func (g grouping) column(p *Parameter, name, key string, numbers bool) (col record.Column, err error) {
	of, ids, what := p.of(), g.subjects, "text column"
	if numbers {
		what = "column"
	}
	found := false
	if of == ofItems {
		ids = g.items.ID
		col, found = g.items.Column(name)
	} else if i := slices.IndexFunc(g.covariates, func(c record.Column) bool { return c.Name == name }); i >= 0 {
		col, found = g.covariates[i], true
	}
	switch {
	case found && (col.Kind == record.Text || numbers):
	case of == ofItems:
		return col, p.at.Errorf("%s = %q: the items have no %s of this name%s", key, name, what, expr.Hint(name, namesOf(g.items.Columns, numbers, "suite", "paradigm", "task")))
	default:
		return col, p.at.Errorf("%s = %q: the subjects have no %s of this name%s", key, name, what, hintOfSubjects(name, namesOf(g.covariates, numbers)))
	}
	if i := slices.Index(col.Missing, true); i >= 0 {
		return col, p.at.Errorf("%s = %q: %s %s has no value of this column", key, name, of.unit, ids[i])
	}
	return col, nil
}
