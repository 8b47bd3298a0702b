package misfit

import (
	"math"
	"slices"
	"strconv"

	"achilles/sim/num"
	"achilles/sim/record"
)

// A grouping assigns every response to a group by the features of its item. There are hundreds of groupings of many responses, so
// that one by several features has no group for each response: it combines groupings by one feature.
type grouping struct {
	name  string
	parts []*single // one to three
	group []uint8   // [cell] the index of its group; cells are numbered by the levels of the parts, those of the last part fastest
	names []string  // [group] at most 256
}

// A single is a grouping by one feature.
type single struct {
	name  string
	of    []uint8  // [response] the index of its level
	names []string // [level] at most mostCells
}

// alone returns the grouping by s alone.
func (s *single) alone() grouping {
	g := grouping{name: s.name, parts: []*single{s}, names: s.names}
	for k := range s.names {
		g.group = append(g.group, uint8(k))
	}
	return g
}

// block is the number of responses whose groups or weights are computed at a time.
const block = 1024

// responses returns the number of responses.
func (g *grouping) responses() int { return len(g.parts[0].of) }

// place returns the values in a table of cells that belong to a block of responses, beginning with response from. It writes them to
// buffer.
func (g *grouping) place(buffer *[block]uint8, table []uint8, from int) []uint8 {
	at := buffer[:min(block, g.responses()-from)]
	a := g.parts[0].of[from:][:len(at)]
	switch len(g.parts) {
	case 1:
		for i, x := range a {
			at[i] = table[x]
		}
	case 2:
		b, n := g.parts[1].of[from:][:len(at)], len(g.parts[1].names)
		for i, x := range a {
			at[i] = table[int(x)*n+int(b[i])]
		}
	case 3:
		b, n := g.parts[1].of[from:][:len(at)], len(g.parts[1].names)
		c, m := g.parts[2].of[from:][:len(at)], len(g.parts[2].names)
		for i, x := range a {
			at[i] = table[(int(x)*n+int(b[i]))*m+int(c[i])]
		}
	}
	return at
}

const (
	mostCells = 80 // largest number of groups by one or two features
	fewLevels = 3  // responses are grouped by three features only if each has at most this number of levels
	mostNames = 12 // a numeric feature with at most this number of values has a level for each; one with more is cut into bins
)

// groupings returns the ways of grouping the responses: by one feature, by two, and by three with few levels.
func (d *Data) groupings() []grouping {
	singles := d.singles()
	var out []grouping
	for _, s := range singles {
		out = append(out, s.alone())
	}
	for i, a := range singles {
		for j, b := range singles[:i] {
			if len(a.names)*len(b.names) > mostCells {
				continue
			}
			ab := cross(b, a.alone())
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

// cross returns the grouping with a group for every pair of a level of a and a group of b that occurs, in the order in which they
// occur. There must be at most mostCells pairs of levels.
func cross(a *single, b grouping) grouping {
	cells := len(b.group)
	g := grouping{name: a.name + " × " + b.name, parts: append([]*single{a}, b.parts...), group: make([]uint8, len(a.names)*cells)}
	cell := make([]uint8, len(g.group)) // the cell of a cell, which is itself
	for k := range cell {
		cell[k] = uint8(k)
	}
	seen := make([]bool, len(g.group))
	var buffer [block]uint8
	for from := 0; from < g.responses() && len(g.names) < len(seen); from += block {
		for _, k := range g.place(&buffer, cell, from) {
			if !seen[k] {
				seen[k], g.group[k] = true, uint8(len(g.names))
				g.names = append(g.names, a.names[int(k)/cells]+" and "+b.names[b.group[int(k)%cells]])
			}
		}
	}
	return g
}

// singles returns one grouping for every column of the items that varies, and for repetition and trial.
func (d *Data) singles() []*single {
	var out []*single
	add := func(name string, names []string, level func(r *record.Response) int32) {
		if g := d.single(name, names, level); g != nil {
			out = append(out, g)
		}
	}
	columns := []string{"paradigm", "task"}
	for _, col := range d.Items.Columns {
		columns = append(columns, col.Name)
	}
	for _, name := range columns {
		col, _ := d.Items.Column(name)
		of, names := levels(col)
		add(name, names, func(r *record.Response) int32 { return of[r.Item] })
	}
	var times []string // of a repetition or trial, from 0
	for i := range d.Responses {
		for r := &d.Responses[i]; len(times) <= int(max(r.Repetition, r.Trial)); {
			times = append(times, strconv.Itoa(len(times)))
		}
	}
	add("repetition", times, func(r *record.Response) int32 { return int32(r.Repetition) })
	add("trial", times, func(r *record.Response) int32 { return int32(r.Trial) })
	return out
}

// single returns the grouping by a feature whose levels have these names, in the order in which levels occur. It returns nil if there is
// one level, or more than mostCells.
func (d *Data) single(name string, names []string, level func(r *record.Response) int32) *single {
	g := &single{name: name, of: make([]uint8, len(d.Responses))}
	at := make([]int32, len(names)) // the number of a level in g, from 1; 0: none yet
	for i := range d.Responses {
		l := level(&d.Responses[i])
		if at[l] == 0 {
			if len(g.names) == mostCells {
				return nil
			}
			g.names = append(g.names, name+" is "+names[l])
			at[l] = int32(len(g.names))
		}
		g.of[i] = uint8(at[l] - 1)
	}
	if len(g.names) < 2 {
		return nil
	}
	return g
}

// levels returns for every item the index of its level in a column, and the names of the levels.
func levels(col record.Column) (of []int32, names []string) {
	at := num.Numbering[string]{}
	number := func(name string) int32 {
		k := at.Of(name)
		if k == len(names) {
			names = append(names, name)
		}
		return int32(k)
	}
	missing := func(i int) bool { return col.Missing != nil && col.Missing[i] }
	of = make([]int32, max(len(col.Text), len(col.Number)))
	if col.Kind == record.Text {
		for i, s := range col.Text {
			if missing(i) {
				s = "missing"
			}
			of[i] = number(s)
		}
		return of, names
	}
	var values []float64
	for i, x := range col.Number {
		if !missing(i) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	many := len(slices.Compact(slices.Clone(values))) > mostNames
	var known map[uint64]int32 // bits of a value → index of its level
	if !many {
		known = map[uint64]int32{}
	}
	for i, x := range col.Number {
		switch k, ok := known[math.Float64bits(x)]; {
		case missing(i):
			of[i] = number("missing")
		case many:
			of[i] = number(bin(values, x))
		case ok:
			of[i] = k
		default:
			of[i] = number(strconv.FormatFloat(x, 'g', -1, 64))
			known[math.Float64bits(x)] = of[i]
		}
	}
	return of, names
}

// bins is the number of bins of a feature with many values.
const bins = 8

// bin returns the name of the eighth of the sorted values in which x lies.
func bin(sorted []float64, x float64) string {
	at, _ := slices.BinarySearch(sorted, x)
	return "in the " + eighths[min(at*bins/len(sorted), bins-1)] + " eighth"
}

var eighths = [bins]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"}
