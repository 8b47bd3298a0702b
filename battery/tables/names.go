package tables

import (
	"fmt"
	"strings"

	"achilles/sim/record"
)

// names has the names of items, or of subjects, in order of appearance.
type names struct {
	what     string
	index    map[string]int32
	list     []string
	parts    []string // of a name of several parts: these, separated by NUL; nil if names have one part
	answered []bool
}

func newNames(what string) *names { return &names{what: what, index: map[string]int32{}} }

// of returns the index of the name that is made of these cells.
func (n *names) of(cells []string, columns []int) (int32, error) {
	if len(columns) == 1 {
		return n.named(cells[columns[0]])
	}
	i, err := n.named(joined(cells, columns))
	if err != nil {
		return 0, err
	}
	// Two keys may have the same name: a/b and c, a and b/c.
	if parts := exactly(cells, columns); int(i) == len(n.parts) {
		n.parts = append(n.parts, parts)
	} else if n.parts[i] != parts {
		return 0, fmt.Errorf("two keys make the name %q of the %s: their parts have slashes", n.list[i], n.what)
	}
	return i, nil
}

// exactly returns the parts of a name so that no other parts are the same, and "" if the name says it.
func exactly(cells []string, columns []int) string {
	for _, c := range columns {
		if strings.Contains(cells[c], "/") {
			parts := make([]string, len(columns))
			for i, c := range columns {
				parts[i] = cells[c]
			}
			return strings.Join(parts, "\x00")
		}
	}
	return ""
}

func (n *names) named(name string) (int32, error) {
	if i, ok := n.index[name]; ok {
		return i, nil
	}
	if name == "" {
		return 0, fmt.Errorf("%s %q: empty: fill the cell, or remove the row", n.what, name)
	}
	if err := record.CheckName(name); err != nil {
		return 0, fmt.Errorf("%s %q: %w", n.what, name, err)
	}
	if len(n.list) == maxNames {
		return 0, fmt.Errorf("more than %d %ss", maxNames, n.what)
	}
	name = strings.Clone(name) // not the whole row
	i := int32(len(n.list))
	n.index[name], n.list, n.answered = i, append(n.list, name), append(n.answered, false)
	return i, nil
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
