package tables

import (
	"fmt"
	"maps"
	"slices"
)

// withOnly returns the source with those rows that have these texts in these columns. A cell that is empty fits every choice, as in a mapping's
// only. It returns an error if a column is unknown, or if no row has all of the texts.
func (s *Source) withOnly(want map[string]string) (*Source, error) {
	if len(want) == 0 {
		return s, nil
	}
	names, columns := slices.Sorted(maps.Keys(want)), []int{}
	for _, name := range names {
		if s.column(name) < 0 {
			return nil, fmt.Errorf("%s has no column %q: there are %s", s.Name, name, listed(s.Header))
		}
		columns = append(columns, s.column(name))
	}
	fits := func(row Row, empty bool) bool {
		for i, name := range names {
			if cell := row.Cells[columns[i]]; cell != want[name] && !(empty && cell == "") {
				return false
			}
		}
		return true
	}
	some := false
	for row, err := range s.Each {
		if err != nil {
			return nil, err
		}
		if some = fits(row, false); some {
			break
		}
	}
	if !some {
		return nil, fmt.Errorf("%s: no row has %q in %q%s", s.Name, want[names[0]], names[0], map[bool]string{true: " and the others"}[len(names) > 1])
	}
	out := *s
	out.Each = func(yield func(Row, error) bool) {
		for row, err := range s.Each {
			if (err != nil || fits(row, true)) && !yield(row, err) {
				return
			}
		}
	}
	return &out, nil
}
