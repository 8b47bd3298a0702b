// Package replay is the list of all episodes: what can be told of each without opening it, and which of them a search
// and some filters leave. It is made for some hundred thousand of them: texts are kept once, and a search looks at
// every distinct text rather than at every row.
package replay

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A Row is one episode of the list.
type Row struct {
	Suite, Paradigm, Task string
	Item, Subject         string // as they are to be called
	Trial, Repetition     int
	Outcome               string  // passed, failed, watched, or why it is unscored
	Cause                 string  // why it failed; empty where that is unknown or sealed
	Surprise              float64 // of an observer; NaN where there is none
	Steps                 int
}

// A Field is what rows are filtered by.
type Field uint8

// The fields, in the order in which they are shown.
const (
	Suite Field = iota
	Paradigm
	Task
	Agent
	Outcome
	Cause
	Surprise
	Fields // their number
)

// String is the field's name.
func (f Field) String() string {
	return [...]string{"suite", "paradigm", "task", "agent", "outcome", "cause", "surprise"}[f]
}

// A Shelf has the rows of all episodes. It does not change; any number of goroutines may read it.
type Shelf struct {
	rows    []Row
	columns [Fields]column   // that of Surprise has the items, which are searched only
	cut     [classes]float64 // least surprise of a class
}

// A column has every distinct text once.
type column struct {
	values []string // sorted
	lower  []string
	code   []int32 // by row: index into values
}

// New makes the list of rows, which it keeps: nobody changes them afterwards.
func New(rows []Row) *Shelf {
	s := &Shelf{rows: rows}
	for f := range Fields {
		s.columns[f] = newColumn(rows, textOf(f))
	}
	s.cut = cuts(rows)
	return s
}

func textOf(f Field) func(*Row) string {
	return [...]func(*Row) string{
		func(r *Row) string { return r.Suite }, func(r *Row) string { return r.Paradigm }, func(r *Row) string { return r.Task },
		func(r *Row) string { return r.Subject }, func(r *Row) string { return r.Outcome }, func(r *Row) string { return r.Cause },
		func(r *Row) string { return r.Item },
	}[f]
}

func newColumn(rows []Row, text func(*Row) string) column {
	seen := map[string]int32{}
	c := column{code: make([]int32, len(rows))}
	for i := range rows {
		t := text(&rows[i])
		id, ok := seen[t]
		if !ok {
			id = int32(len(c.values))
			seen[t] = id
			c.values = append(c.values, t)
		}
		c.code[i] = id
	}
	order := make([]int32, len(c.values))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return natural(c.values[a], c.values[b]) })
	rank, sorted := make([]int32, len(order)), make([]string, len(order))
	for r, id := range order {
		rank[id], sorted[r] = int32(r), c.values[id]
	}
	for i := range c.code {
		c.code[i] = rank[c.code[i]]
	}
	c.values = sorted
	for _, v := range c.values {
		c.lower = append(c.lower, strings.ToLower(v))
	}
	return c
}

// natural orders texts with the numbers in them by their value: agent 2 before agent 10.
func natural(a, b string) int {
	for a != "" && b != "" {
		if n, m := digits(a), digits(b); n > 0 && m > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
			if d := cmp.Or(len(x)-len(y), strings.Compare(x, y)); d != 0 {
				return d
			}
			a, b = a[n:], b[m:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Len is the number of rows.
func (s *Shelf) Len() int { return len(s.rows) }

// Row returns row i, to be read only.
func (s *Shelf) Row(i int) *Row { return &s.rows[i] }

// The classes of surprise.
const (
	anySurprise = iota // there is one
	topHalf
	topTenth
	topHundredth
	classes
)

var classNames = []string{"any", "top half", "top tenth", "top hundredth"}

// cuts are the quantiles of the surprises at which the classes begin.
func cuts(rows []Row) (cut [classes]float64) {
	var all []float64
	for i := range rows {
		if !math.IsNaN(rows[i].Surprise) {
			all = append(all, rows[i].Surprise)
		}
	}
	slices.Sort(all)
	for class, share := range [classes]float64{0, 0.5, 0.9, 0.99} {
		cut[class] = math.Inf(1)
		if len(all) > 0 {
			cut[class] = all[int(share*float64(len(all)))]
		}
	}
	return cut
}

// Values are the texts that a field can be filtered to, sorted; none where there is nothing to choose from.
func (s *Shelf) Values(f Field) []string {
	if f == Surprise {
		if math.IsInf(s.cut[0], 1) {
			return nil
		}
		return classNames
	}
	if v := s.columns[f].values; len(v) > 1 || len(v) == 1 && v[0] != "" {
		return v
	}
	return nil
}
