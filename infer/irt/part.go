package irt

import (
	"fmt"

	judging "achilles/infer/table"
	"achilles/sim/record"
)

// largest returns the data of the part with most responses to a measure, which part that is in a sentence, and a warning that names all parts, if no
// response connects them: nothing compares their items or subjects. Where all are connected it returns the data as they are, and no warning.
func largest(d *record.Dataset, measure string) (of *record.Dataset, which string, parts []Warning, err error) {
	m, err := judging.Measure(d, measure)
	if err != nil {
		return nil, "", nil, err
	}
	use := func(r record.Response) bool { return r.Measure == m && r.Phase == record.Test && r.Unscored == 0 }
	part, n := d.Parts(use)
	if n < 2 {
		return d, "", nil, nil
	}
	found, err := judging.Parts(d, d.Manifest.Measures[m].Name)
	if err != nil {
		return nil, "", nil, err
	}
	responses := make([]int, n+1)
	for _, r := range d.Responses.All() {
		if use(r) {
			responses[part[r.Subject]]++
		}
	}
	most := 1
	for k := range responses {
		if responses[k] > responses[most] {
			most = k
		}
	}
	within := func(from, to int) (out []int) {
		for v := from; v < to; v++ {
			if part[v] == most {
				out = append(out, v-from)
			}
		}
		return out
	}
	other := 1
	if most == 1 {
		other = 2
	}
	why := "which has most responses"
	for k := range responses {
		if k != most && responses[k] == responses[most] {
			why = "the first of those with most responses"
		}
	}
	which = fmt.Sprintf("Part %d of %d parts that nothing connects.", most, n)
	n = len(d.Subjects)
	return d.Only(within(0, n), within(n, len(part)), use), which, []Warning{{judging.Disconnected, fmt.Sprintf("%s: nothing compares the items or subjects of one with those of another, so that part %d alone, %s, is analysed; for another --part %d.", upper(found[0].Statement()), most, why, other)}}, nil
}
