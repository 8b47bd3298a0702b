package table

import (
	"fmt"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// Measure returns the index of the measure of that name, or, if the name is empty, of the only one. The error says how to choose.
func Measure(d *record.Dataset, name string) (uint8, error) {
	var names []string
	for _, m := range d.Manifest.Measures {
		names = append(names, m.Name)
	}
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	if name == "" {
		return 0, fmt.Errorf("there are several measures: choose one with --measure: %s", strings.Join(names, ", "))
	}
	m, ok := d.Measure(name)
	if !ok {
		return 0, fmt.Errorf("there is no measure %q%s", name, expr.Listed(name, "There are", names))
	}
	return m, nil
}
