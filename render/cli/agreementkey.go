package cli

import (
	"fmt"
	"slices"
	"strings"

	"achilles/battery/tables"
	"achilles/sim/expr"
)

// keyed returns a table of answers with the right ones of a key: rows of subject, item and answer with a column right more, or a matrix with a
// row per subject, whose first column that is no item of the key has the names, as a row per item. out has the columns that are left out.
func keyed(t *tables.Table, key map[string]string) (_ *tables.Table, out []string, err error) {
	made := &tables.Table{Name: t.Name}
	if at := slices.Index(t.Header, "item"); at >= 0 {
		if slices.Contains(t.Header, "right") {
			return nil, nil, fmt.Errorf("%s has the column right: leave --key out", t.Name)
		}
		made.Header = append(slices.Clone(t.Header), "right")
		for _, row := range t.Rows {
			made.Rows = append(made.Rows, append(slices.Clone(row), key[row[at]]))
		}
		return made, nil, nil
	}
	names := slices.IndexFunc(t.Header, func(h string) bool { return key[h] == "" })
	if names < 0 {
		return nil, nil, fmt.Errorf("%s: every column is an item of the key: want one with the names of the subjects", t.Name)
	}
	made.Header = []string{"item", "right"}
	for _, row := range t.Rows {
		name := strings.TrimSpace(row[names])
		if slices.Contains(made.Header, name) {
			return nil, nil, fmt.Errorf("%s: two subjects, or a subject and a column, are called %s", t.Name, expr.Quote(name))
		}
		made.Header = append(made.Header, name)
	}
	for k, item := range t.Header {
		if k == names {
			continue
		}
		if key[item] == "" {
			out = append(out, item)
			continue
		}
		line := []string{item, key[item]}
		for _, row := range t.Rows {
			line = append(line, row[k])
		}
		made.Rows = append(made.Rows, line)
	}
	if made.Rows == nil {
		return nil, nil, fmt.Errorf("%s: no column is an item of the key: want columns named as the items of the key", t.Name)
	}
	return made, out, nil
}
