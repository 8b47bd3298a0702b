package record

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"achilles/sim/part"
)

// The columns that may be absent: version 1 has no positions, most data no counts of successes, and no version before 4 choices.
const (
	positionColumn = "position"
	trialsColumn   = "trials"
)

// responseFields returns the schema of responses.parquet.
func responseFields() []field {
	return []field{
		{"subject", textCell}, {"item", textCell}, {"trial", integerCell}, {"phase", textCell}, {"pair", integerCell},
		{"repetition", integerCell}, {positionColumn, integerCell}, {"measure", textCell}, {"value", optionalNumber}, {"split", textCell},
		{"unscored", optionalText}, {trialsColumn, integerCell},
		{choiceColumn, optionalText}, {placeColumn, integerCell}, {latencyColumn, integerCell}, {visitedColumn, optionalText},
	}
}

// choiceFields is the number of fields of choices, which come last.
const choiceFields = 4

// meaning says what columns mean that are not features.
var meaning = map[string]string{
	"item":         "opaque id of the item",
	"suite":        "suite of the item",
	"paradigm":     "paradigm of the item",
	"task":         "task of the item",
	"subject":      "opaque id of the subject",
	"trial":        "which presentation of the item, from 0",
	"phase":        "test or familiarisation",
	"pair":         "two trials of an item with the same positive pair are two outcomes of one scene; 0: unpaired",
	"repetition":   "which time the subject takes the trial, from 0",
	positionColumn: "which trial of the subject's sequence it is, from 1; 0: the order is not known",
	"measure":      "measure of the value",
	"value":        "value of the response; none where it is unscored",
	"split":        "fit or held-out",
	"unscored":     "why there is no value",
	trialsColumn:   "of a count: among how many trials it counts the successes; 0: not known",
	choiceColumn:   "where the subject went: right, A (where the reward was found before), last-seen, nearest, other or none; null: not recorded",
	placeColumn:    "number of that place among those of the trial, from 1; 0: none or not known",
	latencyColumn:  "ticks from when the subject could act until it was there; 0: none or not known",
	visitedColumn:  "numbers of the places that the subject entered before, in order; null: none",
}

// Rows are the responses of a data set.
type Rows struct {
	Each   iter.Seq2[[]Response, error] // the responses in the order of a Dataset, some at a time
	Trials bool                         // whether a response has a number of trials
	Chosen bool                         // whether a choice is recorded of a response; Visits of the Dataset may be set until Each gives the first
	Jobs   int                          // number of goroutines that write columns; 0 means one
}

// rowsOf returns the responses of d.
func rowsOf(d *Dataset) *Rows {
	return &Rows{
		Each: func(yield func([]Response, error) bool) {
			for block := range d.Responses.blocks() {
				if !yield(block, nil) {
					return
				}
			}
		},
		Trials: d.Responses.ContainsFunc(func(r Response) bool { return r.Trials > 0 }),
		Chosen: d.Responses.ContainsFunc(func(r Response) bool { return r.Chosen.Went != Unrecorded }),
	}
}

// inWrite is the number of responses that are handed on to a table at once, column by column: 16 batches, which take 3 MB.
const inWrite = 16 * batch

// writeResponses checks and writes responses. It holds inWrite of them, and the compressed columns of a row group.
func (d *Dataset) writeResponses(rows *Rows, create Create) (part.Table, error) {
	c, err := newChecker(d)
	if err != nil {
		return part.Table{}, err
	}
	fields := responseFields()
	if !rows.Chosen {
		fields = fields[:len(fields)-choiceFields]
	}
	if !rows.Trials {
		fields = slices.DeleteFunc(fields, func(f field) bool { return f.name == trialsColumn })
	}
	return create.table(responsesTable, fields, nil, func(t *tableWriter) (n int, err error) {
		w := newResponseWriter(d, t, fields, rows.Jobs)
		for list, err := range rows.Each {
			if err == nil {
				err = c.responses(list)
			}
			if err == nil {
				err = w.write(list)
			}
			if err != nil {
				return 0, err
			}
			n += len(list)
		}
		return n, cmp.Or(c.end(), w.end())
	})
}

// A responseWriter writes responses to a table.
type responseWriter struct {
	table                                        *tableWriter
	parts                                        []tableWriter // of the table, one for each goroutine that writes columns
	fields                                       []field
	subject, item, phase, measure, split, reason cells
	choice, visited                              cells // visited gets its texts with the first responses
	data                                         *Dataset
	waiting                                      []Response // fewer than inWrite
	value                                        []float64  // of those that are handed on
	missing                                      []bool
	rows                                         int // number of rows in the current row group
}

func newResponseWriter(d *Dataset, t *tableWriter, fields []field, jobs int) *responseWriter {
	measures := make([]string, len(d.Manifest.Measures))
	for i, m := range d.Manifest.Measures {
		measures[i] = m.Name
	}
	parts := make([]tableWriter, max(jobs, 1))
	for i := range parts {
		parts[i].columns = t.columns
	}
	of := func(name string, optional bool, text []string) cells {
		c := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if c < 0 {
			return cells{}
		}
		return newCells(c, optional, text)
	}
	return &responseWriter{
		table: t, parts: parts, fields: fields, subject: of("subject", false, d.Subjects), item: of("item", false, d.Items.ID), phase: of("phase", false, phases[:]),
		measure: of("measure", false, measures), split: of("split", false, splits[:]), reason: of("unscored", true, d.Reasons),
		choice: of(choiceColumn, true, wents[:]), visited: of(visitedColumn, true, nil), data: d,
	}
}

// write adds responses to the table.
func (w *responseWriter) write(list []Response) error {
	for len(list) > 0 {
		n := min(len(list), inWrite-len(w.waiting))
		w.waiting, list = append(w.waiting, list[:n]...), list[n:]
		if len(w.waiting) < inWrite {
			continue
		}
		if err := w.hand(); err != nil {
			return err
		}
		if w.rows == rowGroup {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// end writes what write has left over.
func (w *responseWriter) end() error {
	if err := w.hand(); err != nil || w.rows == 0 {
		return err
	}
	return w.flush()
}

// flush ends a row group.
func (w *responseWriter) flush() error {
	w.rows = 0
	return w.table.flush()
}

// hand hands the waiting responses on to the table.
func (w *responseWriter) hand() error {
	r, n := w.waiting, len(w.waiting)
	if w.visited.text == nil && len(w.data.Visits) > 0 {
		w.visited = newCells(w.visited.column, true, w.data.Visits)
	}
	w.waiting, w.rows = w.waiting[:0], w.rows+n
	w.value, w.missing = w.value[:0], w.missing[:0]
	for i := range r {
		w.value, w.missing = append(w.value, r[i].Value), append(w.missing, r[i].Unscored > 0)
	}
	type write = func(t *tableWriter, c int) error
	text := func(x *cells, value func(r *Response) int) write {
		return func(t *tableWriter, _ int) error { return t.cells(x, n, func(i int) int { return value(&r[i]) }) }
	}
	integer := func(value func(r *Response) int32) write {
		return func(t *tableWriter, c int) error { return t.integers(c, n, func(i int) int32 { return value(&r[i]) }) }
	}
	orNull := func(k int) int {
		if k == 0 {
			return -1
		}
		return k
	}
	columns := map[string]write{
		"subject":      text(&w.subject, func(r *Response) int { return int(r.Subject) }),
		"item":         text(&w.item, func(r *Response) int { return int(r.Item) }),
		"trial":        integer(func(r *Response) int32 { return int32(r.Trial) }),
		"phase":        text(&w.phase, func(r *Response) int { return int(r.Phase) }),
		"pair":         integer(func(r *Response) int32 { return r.Pair }),
		"repetition":   integer(func(r *Response) int32 { return int32(r.Repetition) }),
		positionColumn: integer(func(r *Response) int32 { return r.Position }),
		"measure":      text(&w.measure, func(r *Response) int { return int(r.Measure) }),
		"value":        func(t *tableWriter, c int) error { return t.numbers(c, w.value, w.missing) },
		"split":        text(&w.split, func(r *Response) int { return int(r.Split) }),
		"unscored":     text(&w.reason, func(r *Response) int { return orNull(int(r.Unscored)) }),
		trialsColumn:   integer(func(r *Response) int32 { return r.Trials }),
		choiceColumn:   text(&w.choice, func(r *Response) int { return orNull(int(r.Chosen.Went)) }),
		placeColumn:    integer(func(r *Response) int32 { return int32(r.Chosen.Place) }),
		latencyColumn:  integer(func(r *Response) int32 { return r.Chosen.Latency }),
		visitedColumn:  text(&w.visited, func(r *Response) int { return orNull(int(r.Chosen.Visited)) }),
	}
	return w.each(columns)
}

// each writes all columns that the table has.
func (w *responseWriter) each(columns map[string]func(t *tableWriter, c int) error) error {
	errs := make([]error, len(w.fields))
	work := func(i int) {
		for c := i; c < len(w.fields); c += len(w.parts) {
			errs[c] = columns[w.fields[c].name](&w.parts[i], c)
		}
	}
	var group sync.WaitGroup
	for i := range w.parts[1:] {
		group.Go(func() { work(i + 1) })
	}
	work(0)
	group.Wait()
	return cmp.Or(errs...)
}

// responseFields returns the schema of responses.parquet in the version of m.
func (m *Manifest) responseFields() []field {
	fields := responseFields()
	if m.Version < 4 {
		return fields[:len(fields)-choiceFields]
	}
	return fields
}
