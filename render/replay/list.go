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
	Item, Subject         string // names, or ids while names are sealed
	Trial, Repetition     int
	Outcome               string  // passed, failed, watched, or why it is unscored
	Cause                 string  // why it failed; empty where that is unknown or sealed
	Surprise              float64 // of the observer, in nats; NaN where no observer watched
	Steps                 int
	HeldOut               *HeldOut // nil where the response was not held out, or nothing was inferred
}

// A Field is a property of rows that they can be filtered by.
type Field uint8

// The fields, in the order in which the viewer shows them.
const (
	Suite Field = iota
	Paradigm
	Task
	Agent
	Outcome
	Cause
	Surprise
	Fields // the number of fields
)

// String is the name of the field.
func (f Field) String() string {
	return [...]string{"suite", "paradigm", "task", "agent", "outcome", "cause", "surprise"}[f]
}

// A List is the list of all episodes, to be searched and filtered. It does not change; any number of goroutines may read
// it. It is made for some hundred thousand episodes: every distinct text is kept once, and a search looks at distinct
// texts rather than at rows.
type List struct {
	rows    []Row
	columns [Fields]column   // column Surprise has the items, which can be searched but not filtered by
	cut     [classes]float64 // the least surprise of every class
}

// A column is the texts of one field.
type column struct {
	values []string // the distinct texts, sorted
	lower  []string // the same in lower case
	code   []int32  // by row: index into values
}

// NewList returns the list of rows. It keeps the slice: nobody may change it afterwards.
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

// Len is the number of rows.
func (l *List) Len() int { return len(l.rows) }

// Row returns row i, which the caller must not change.
func (l *List) Row(i int) *Row { return &l.rows[i] }

// classes is the number of classes of surprise.
const classes = 4

// classNames names the classes; each contains the next one.
func classNames() []string { return []string{"any", "top half", "top tenth", "top hundredth"} }

// cuts are the least surprises of the classes: quantiles of the surprises of all rows.
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

// Values are the values that rows can be filtered by, sorted; nil where all rows are alike in the field.
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
