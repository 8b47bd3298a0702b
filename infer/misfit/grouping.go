package misfit

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/sim/record"
)

// A grouping assigns every response to a group by the features of its item.
type grouping struct {
	name  string
	of    []uint8  // [response] the index of its group; there are hundreds of groupings of many responses
	names []string // [group] at most 256
}

const (
	mostCells = 80 // largest number of groups by one or two features
	fewLevels = 3  // responses are grouped by three features only if each has at most this number of levels
	mostNames = 12 // a numeric feature with at most this number of values has a level for each; one with more is cut into bins
)

// groupings returns the ways of grouping the responses: by one feature, by two, and by three with few levels.
func (d *Data) groupings() []grouping {
	singles := d.singles()
	out := slices.Clone(singles)
	for i, a := range singles {
		for j, b := range singles[:i] {
			if len(a.names)*len(b.names) > mostCells {
				continue
			}
			ab := cross(b, a)
			if len(ab.names) == max(len(a.names), len(b.names)) {
				continue // one of the features determines the other
			}
			out = append(out, ab)
			for _, d := range singles[:j] {
				if max(len(a.names), len(b.names), len(d.names)) > fewLevels {
					continue
				}
				if abd := cross(d, ab); len(abd.names) > len(ab.names) {
					out = append(out, abd)
				}
			}
		}
	}
	return out
}

// cross returns the grouping with a group for every pair of groups of a and b that occurs. There must be at most 256 pairs.
func cross(a, b grouping) grouping {
	g := grouping{name: a.name + " × " + b.name, of: make([]uint8, len(a.of))}
	at := make([]int, len(a.names)*len(b.names)) // the number of the pair's group, from 1; 0: none yet
	for i := range a.of {
		k := int(a.of[i])*len(b.names) + int(b.of[i])
		if at[k] == 0 {
			g.names = append(g.names, a.names[a.of[i]]+" and "+b.names[b.of[i]])
			at[k] = len(g.names)
		}
		g.of[i] = uint8(at[k] - 1)
	}
	return g
}

// singles returns one grouping for every column of the items that varies, and for repetition and trial.
func (d *Data) singles() []grouping {
	var out []grouping
	add := func(name string, level func(r *record.Response) string) {
		g := grouping{name: name, of: make([]uint8, len(d.Responses))}
		at := map[string]int{}
		for i := range d.Responses {
			l := level(&d.Responses[i])
			n, ok := at[l]
			if !ok {
				if n = len(g.names); n == mostCells {
					return
				}
				at[l] = n
				g.names = append(g.names, name+" is "+l)
			}
			g.of[i] = uint8(n)
		}
		if len(g.names) > 1 {
			out = append(out, g)
		}
	}
	names := []string{"paradigm", "task"}
	for _, col := range d.Items.Columns {
		names = append(names, col.Name)
	}
	for _, name := range names {
		col, _ := d.Items.Column(name)
		level := levels(col)
		add(name, func(r *record.Response) string { return level[r.Item] })
	}
	add("repetition", func(r *record.Response) string { return strconv.Itoa(int(r.Repetition)) })
	add("trial", func(r *record.Response) string { return strconv.Itoa(int(r.Trial)) })
	return out
}

// levels returns for every item the name of its level in a column.
func levels(col record.Column) []string {
	if col.Kind == record.Text {
		out := slices.Clone(col.Text)
		for i := range out {
			if col.Missing != nil && col.Missing[i] {
				out[i] = "missing"
			}
		}
		return out
	}
	var values []float64
	for i, x := range col.Number {
		if col.Missing == nil || !col.Missing[i] {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	distinct := slices.Compact(slices.Clone(values))
	out := make([]string, len(col.Number))
	for i, x := range col.Number {
		switch {
		case col.Missing != nil && col.Missing[i]:
			out[i] = "missing"
		case len(distinct) <= mostNames:
			out[i] = strconv.FormatFloat(x, 'g', -1, 64)
		default:
			out[i] = bin(values, x)
		}
	}
	return out
}

// bins is the number of bins of a feature with many values.
const bins = 8

// bin returns the name of the eighth of the sorted values in which x lies.
func bin(sorted []float64, x float64) string {
	at, _ := slices.BinarySearch(sorted, x)
	return fmt.Sprintf("in the %s eighth", eighths[min(at*bins/len(sorted), bins-1)])
}

var eighths = [bins]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"}
