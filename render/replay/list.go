package replay

import (
	"math"
	"slices"
	"strings"

	"achilles/sim/record"
)

// A Row is one episode of the list.
type Row struct {
	Suite, Paradigm, Task string
	Item, Subject         string // names, or ids if the names are sealed
	Trial, Repetition     int
	Outcome               string  // passed, failed, watched, or the reason why it is unscored
	Cause                 string  // cause of failure; empty if there is none or it is unknown or sealed
	Surprise              float64 // largest surprise of the chosen observer at a video, in the observer's unit; NaN: none
	Steps                 int
	HeldOut               *HeldOut // nil if the response was not held out or nothing was inferred
}

// A Field is a property of rows by which they can be filtered.
type Field uint8

// Fields, in the order in which the viewer shows them.
const (
	Suite Field = iota
	Paradigm
	Task
	Agent
	Outcome
	Cause
	Surprise
	Fields // number of fields
)

// String returns the name of the field.
func (f Field) String() string {
	return [...]string{"suite", "paradigm", "task", "agent", "outcome", "cause", "surprise"}[f]
}

// A List has all episodes, for search and filters. Any number of goroutines may read it at once, because it never
// changes. It is fast for some hundred thousand episodes, because it stores every distinct text once, and a search
// looks only at the distinct texts.
type List struct {
	rows    []Row
	columns [Fields]column   // by field; the column of Surprise has the names of items instead, for search only
	cut     [classes]float64 // by class: least surprise of its episodes
}

// A column has the texts of one field.
type column struct {
	values []string // distinct texts, sorted
	lower  []string // values in lower case
	code   []int32  // row → index into values
}

// NewList returns a list of rows. The caller must not change the slice afterwards.
func NewList(rows []Row) *List {
	l := &List{rows: rows, cut: cuts(rows)}
	for f := range Fields {
		l.columns[f] = newColumn(rows, textOf(f))
	}
	return l
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
	slices.SortFunc(order, func(a, b int32) int { return record.CompareNames(c.values[a], c.values[b]) })
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

// Len returns the number of rows.
func (l *List) Len() int { return len(l.rows) }

// Row returns row i, which the caller must not change.
func (l *List) Row(i int) *Row { return &l.rows[i] }

// classes is the number of classes of surprise.
const classes = 4

// classNames returns the names of the classes of surprise. Each class contains the next one.
func classNames() []string { return []string{"any", "top half", "top tenth", "top hundredth"} }

// cuts returns the least surprise of every class, which is a quantile of the surprises of all rows. It returns infinity
// if no row has a surprise.
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

// Values returns the values of a field by which rows can be filtered, sorted. It returns nil if no row has a value.
func (l *List) Values(f Field) []string {
	if f == Surprise {
		if math.IsInf(l.cut[0], 1) {
			return nil
		}
		return classNames()
	}
	if v := l.columns[f].values; len(v) > 1 || len(v) == 1 && v[0] != "" {
		return v
	}
	return nil
}
