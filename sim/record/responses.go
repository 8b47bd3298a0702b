package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
)

// The columns that may be absent: version 1 has no positions, and most data no counts of successes.
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
	}
}

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
}

// Rows are the responses of a data set.
type Rows struct {
	Each   iter.Seq2[[]Response, error] // the responses in the order of a Dataset, some at a time
	Trials bool                         // whether a response has a number of trials
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
	if !rows.Trials {
		fields = fields[:len(fields)-1] // no trialsColumn
	}
	return create.table(responsesTable, fields, nil, func(t *tableWriter) (n int, err error) {
		w := newResponseWriter(d, t, rows.Jobs)
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
	subject, item, phase, measure, split, reason cells
	waiting                                      []Response // fewer than inWrite
	value                                        []float64  // of those that are handed on
	missing                                      []bool
	rows                                         int // number of rows in the current row group
}

func newResponseWriter(d *Dataset, t *tableWriter, jobs int) *responseWriter {
	measures := make([]string, len(d.Manifest.Measures))
	for i, m := range d.Manifest.Measures {
		measures[i] = m.Name
	}
	parts := make([]tableWriter, max(jobs, 1))
	for i := range parts {
		parts[i].columns = t.columns
	}
	return &responseWriter{
		table: t, parts: parts, subject: newCells(0, false, d.Subjects), item: newCells(1, false, d.Items.ID), phase: newCells(3, false, phases[:]),
		measure: newCells(7, false, measures), split: newCells(9, false, splits[:]), reason: newCells(10, true, d.Reasons),
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
	w.waiting, w.rows = w.waiting[:0], w.rows+n
	w.value, w.missing = w.value[:0], w.missing[:0]
	for i := range r {
		w.value, w.missing = append(w.value, r[i].Value), append(w.missing, r[i].Unscored > 0)
	}
	text := func(x *cells, value func(r *Response) int) func(t *tableWriter) error {
		return func(t *tableWriter) error { return t.cells(x, n, func(i int) int { return value(&r[i]) }) }
	}
	integer := func(c int, value func(r *Response) int32) func(t *tableWriter) error {
		return func(t *tableWriter) error { return t.integers(c, n, func(i int) int32 { return value(&r[i]) }) }
	}
	columns := []func(t *tableWriter) error{
		text(&w.subject, func(r *Response) int { return int(r.Subject) }),
		text(&w.item, func(r *Response) int { return int(r.Item) }),
		integer(2, func(r *Response) int32 { return int32(r.Trial) }),
		text(&w.phase, func(r *Response) int { return int(r.Phase) }),
		integer(4, func(r *Response) int32 { return r.Pair }),
		integer(5, func(r *Response) int32 { return int32(r.Repetition) }),
		integer(6, func(r *Response) int32 { return r.Position }),
		text(&w.measure, func(r *Response) int { return int(r.Measure) }),
		func(t *tableWriter) error { return t.numbers(8, w.value, w.missing) },
		text(&w.split, func(r *Response) int { return int(r.Split) }),
		text(&w.reason, func(r *Response) int {
			if r.Unscored == 0 {
				return -1
			}
			return int(r.Unscored)
		}),
		integer(11, func(r *Response) int32 { return r.Trials }), // which the table may not have
	}
	return w.each(columns[:len(w.table.columns)])
}

// each writes all columns.
func (w *responseWriter) each(columns []func(t *tableWriter) error) error {
	errs := make([]error, len(columns))
	work := func(i int) {
		for c := i; c < len(columns); c += len(w.parts) {
			errs[c] = columns[c](&w.parts[i])
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

// decodeResponses reads the subjects, reasons and responses of d, whose manifest and items must have been read before.
func decodeResponses(in io.ReaderAt, size int64, d *Dataset) (err error) {
	defer RecoverCorrupt(&err)
	t, err := openTable(in, size, responseFields(), positionColumn, trialsColumn)
	if err != nil {
		return err
	}
	dec := newResponseDecoder(d)
	for _, g := range t.groups() {
		if err := dec.group(t, g); err != nil {
			return err
		}
	}
	dec.packer.end()
	d.Responses = dec.packer.packed
	dec.sortReasons()
	return d.checkResponses()
}

// A responseDecoder turns columns of names into responses, which have indices instead of names.
type responseDecoder struct {
	d                         *Dataset
	packer                    packer
	rows                      int // number of responses of earlier row groups
	measure, reason           map[string]int32
	phase, split              map[string]int32
	subject, measures, phases texts // buffers of one row group
	splits, reasons           texts
	item                      []int32
	foreign                   string // the first text of item that is no item
	trial, pair, repetition   []int32
	position, trials          []int32
	value                     []float64
	missing                   []bool
}

func newResponseDecoder(d *Dataset) *responseDecoder {
	dec := &responseDecoder{d: d, phase: number(phases[:]), split: number(splits[:]),
		measure: map[string]int32{}, reason: map[string]int32{}}
	for i, m := range d.Manifest.Measures {
		dec.measure[m.Name] = int32(i)
	}
	d.Subjects, d.Reasons = nil, []string{""}
	return dec
}

func number(names []string) map[string]int32 {
	m := make(map[string]int32, len(names))
	for i, s := range names {
		m[s] = int32(i)
	}
	return m
}

// group appends the responses of one row group.
func (dec *responseDecoder) group(t *tableReader, g parquet.RowGroup) (err error) {
	if err := dec.read(t, g); err != nil {
		return err
	}
	n := len(dec.subject.index)
	for _, l := range []int{len(dec.item), len(dec.position), len(dec.trials), len(dec.trial), len(dec.phases.index), len(dec.pair), len(dec.repetition),
		len(dec.measures.index), len(dec.value), len(dec.splits.index), len(dec.reasons.index)} {
		if l != n {
			return errors.New("corrupt: columns differ in length")
		}
	}
	names := []struct {
		what  string
		x     *texts
		known map[string]int32
		table []int32
	}{{"phase", &dec.phases, dec.phase, nil}, {"measure", &dec.measures, dec.measure, nil}, {"split", &dec.splits, dec.split, nil}}
	for k := range names {
		names[k].table = translate(names[k].x.value, names[k].known)
	}
	for i := range n {
		row := dec.rows + i + 1
		switch dec.item[i] {
		case -1:
			return fmt.Errorf("row %d: item is null", row)
		case noWhere:
			return fmt.Errorf("row %d: unknown item %q", row, dec.foreign)
		}
		var at [3]int32
		for k, c := range names {
			j := c.x.index[i]
			if j < 0 {
				return fmt.Errorf("row %d: %s is null", row, c.what)
			}
			if at[k] = c.table[j]; at[k] < 0 {
				return fmt.Errorf("row %d: unknown %s %q", row, c.what, c.x.value[j])
			}
		}
		r := Response{Item: dec.item[i], Phase: Phase(at[0]), Measure: uint8(at[1]), Split: Split(at[2]), Pair: dec.pair[i], Position: dec.position[i], Trials: dec.trials[i]}
		if r.Subject, err = dec.subjectOf(i, row); err != nil {
			return err
		}
		if err := dec.numbers(i, row, &r); err != nil {
			return err
		}
		dec.packer.add(r)
	}
	dec.rows += n
	return nil
}

// read decodes the columns of one row group into the buffers.
func (dec *responseDecoder) read(t *tableReader, g parquet.RowGroup) (err error) {
	for _, c := range []struct {
		name string
		x    *texts
	}{{"subject", &dec.subject}, {"phase", &dec.phases}, {"measure", &dec.measures},
		{"split", &dec.splits}, {"unscored", &dec.reasons}} {
		if err := t.text(g, c.name, c.x); err != nil {
			return err
		}
	}
	if dec.item, dec.foreign, err = t.places(g, "item", dec.d.Items.ID, dec.item); err != nil {
		return err
	}
	if dec.trial, err = t.integers(g, "trial", dec.trial[:0]); err != nil {
		return err
	}
	if dec.pair, err = t.integers(g, "pair", dec.pair[:0]); err != nil {
		return err
	}
	if dec.repetition, err = t.integers(g, "repetition", dec.repetition[:0]); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		x    *[]int32
	}{{positionColumn, &dec.position}, {trialsColumn, &dec.trials}} {
		if !t.has(c.name) {
			*c.x = slices.Grow((*c.x)[:0], len(dec.trial))[:len(dec.trial)]
			clear(*c.x)
		} else if *c.x, err = t.integers(g, c.name, (*c.x)[:0]); err != nil {
			return err
		}
	}
	dec.value, dec.missing, err = t.numbers(g, "value", dec.value[:0], dec.missing[:0])
	return err
}

// translate returns the known number of each value of a text column, or −1 if it has none.
func translate(value []string, known map[string]int32) []int32 {
	table := make([]int32, len(value))
	for i, s := range value {
		k, ok := known[s]
		if !ok {
			k = -1
		}
		table[i] = k
	}
	return table
}

// subjectOf returns the index of the subject of row i. It adds a new subject; subjects must appear in sorted order.
func (dec *responseDecoder) subjectOf(i, row int) (int32, error) {
	s, ok := dec.subject.at(i)
	if !ok {
		return 0, fmt.Errorf("row %d: subject is null", row)
	}
	d := dec.d
	last := len(d.Subjects) - 1
	if last >= 0 && d.Subjects[last] == s {
		return int32(last), nil
	}
	if last >= 0 && d.Subjects[last] > s {
		return 0, fmt.Errorf("row %d: subject %s after %s: rows are not sorted", row, s, d.Subjects[last])
	}
	d.Subjects = append(d.Subjects, s)
	return int32(last + 1), nil
}

// numbers sets the value, trial, repetition and reason of r from row i of the buffers.
func (dec *responseDecoder) numbers(i, row int, r *Response) error {
	trial, repetition := dec.trial[i], dec.repetition[i]
	if trial < 0 || trial > maxTrial || repetition < 0 || repetition > maxTrial {
		return fmt.Errorf("row %d: trial %d, repetition %d: not in 0 … %d", row, trial, repetition, maxTrial)
	}
	r.Trial, r.Repetition = int16(trial), int16(repetition)
	reason, unscored := dec.reasons.at(i)
	if unscored != dec.missing[i] {
		return fmt.Errorf("row %d: a response has either a value or the reason why it is unscored", row)
	}
	if !unscored {
		r.Value = dec.value[i]
		return nil
	}
	k, ok := dec.reason[reason]
	if !ok {
		k = int32(len(dec.d.Reasons))
		if k > math.MaxUint8 {
			return fmt.Errorf("row %d: more than %d different reasons", row, math.MaxUint8)
		}
		dec.reason[reason] = k
		dec.d.Reasons = append(dec.d.Reasons, reason)
	}
	r.Unscored = uint8(k)
	return nil
}

// sortReasons sorts the reasons, which were read in order of appearance, and renumbers them in the responses.
func (dec *responseDecoder) sortReasons() {
	d := dec.d
	if len(d.Reasons) == 1 {
		return
	}
	old := slices.Clone(d.Reasons)
	slices.Sort(d.Reasons[1:])
	to := make([]uint8, len(old))
	for i, s := range old {
		to[i] = uint8(slices.Index(d.Reasons, s))
	}
	d.Responses.renumber(to)
}
