package layout

import (
	"slices"
	"strconv"
	"strings"

	"achilles/infer/prior"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// A random walk along an ordered column is the prior of a parameter of groups: with walk(start, step) the value of the first group is
// normal around start, and that of every other one around the value of the group before, all with standard deviation step. walk(step)
// starts at 0. The key within names a column whose values have a walk each.

// walkName is the name of the prior.
const walkName = "walk"

// parseWalk reads the arguments of a walk. The error is an *expr.Error.
func (p *Parameter) parseWalk(n *expr.Node) error {
	p.family, p.walks, p.args = prior.Normal, true, n.Args
	switch len(n.Args) {
	case 1:
		p.args = []*expr.Node{{Op: expr.Num, Col: n.Col}, n.Args[0]}
	case 2:
	default:
		return n.Errorf("walk takes 1 or 2 arguments, not %d: walk(step) or walk(start, step)", len(n.Args))
	}
	return nil
}

// walk returns the group of every item or subject under a parameter that walks, the names of the groups, walk by walk in their order,
// and whether a walk begins with a group. With Within, a name has the value of that column first.
func (g grouping) walk(p *Parameter) (of []int, names []string, starts []bool, err error) {
	along, err := g.column(p, p.Per, "per", true)
	if err != nil {
		return nil, nil, nil, err
	}
	step, steps := ordered(along)
	walk, walks := make([]int, len(step)), []string{""}
	if p.Within != "" {
		within, err := g.column(p, p.Within, "within", false)
		if err != nil {
			return nil, nil, nil, err
		}
		walk, walks = ordered(within)
	}
	at := map[[2]int]int{} // walk and step → group
	for i := range step {
		at[[2]int{walk[i], step[i]}] = 0
	}
	known := map[string]bool{}
	for w, name := range walks {
		first := true
		for s, value := range steps {
			if _, ok := at[[2]int{w, s}]; !ok {
				continue
			}
			group := strings.TrimSpace(name + " " + value)
			if known[group] {
				return nil, nil, nil, p.at.Errorf("two steps of the walk are called %q: change the values of column %s or %s", group, p.Within, p.Per)
			}
			known[group] = true
			at[[2]int{w, s}] = len(names)
			names, starts = append(names, group), append(starts, first)
			first = false
		}
	}
	for i := range step {
		of = append(of, at[[2]int{walk[i], step[i]}])
	}
	return of, names, starts, nil
}

// ordered returns the distinct values of a column in the order in which a walk goes along them, as texts, and for each row the index
// of its value. Numbers are in their order, texts in that of record.CompareNames: step 2 comes before step 10.
func ordered(col record.Column) (of []int, names []string) {
	if col.Kind != record.Text {
		values := slices.Compact(slices.Sorted(slices.Values(col.Number)))
		for _, x := range col.Number {
			k, _ := slices.BinarySearch(values, x)
			of = append(of, k)
		}
		for _, x := range values {
			names = append(names, strconv.FormatFloat(x, 'g', -1, 64))
		}
		return of, names
	}
	names = slices.Clone(col.Text)
	slices.SortFunc(names, record.CompareNames)
	names = slices.Compact(names)
	for _, x := range col.Text {
		k, _ := slices.BinarySearchFunc(names, x, record.CompareNames)
		of = append(of, k)
	}
	return of, names
}

// walked returns the first row of every group of every walk along a column of the items or of the subjects, and the first row of all,
// in ascending order.
func (j *Joint) walked(columns *columnsOf) []int {
	rows := []int{0}
	for i := range j.layout.Parameters {
		if p := &j.layout.Parameters[i]; p.walks && p.of() == columns {
			for k := range j.groups[i] {
				rows = append(rows, slices.Index(j.groupOf[i], k))
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}
