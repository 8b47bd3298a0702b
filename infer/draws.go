package infer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sort"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/record"
)

// Draws are the posterior draws of subjects, who are sorted by id.
type Draws interface {
	Parameters() []string
	All() iter.Seq2[*SubjectDraws, error]     // the draws of one subject after the other; an error is the last that it yields
	Of(subject string) (*SubjectDraws, error) // the draws of one subject; nil if there are none
}

// A SubjectDraws has the posterior draws of one subject. Element i of each slice belongs to draw i.
type SubjectDraws struct {
	Subject     string
	Chain, Draw []int32
	Values      [][]float64 // by parameter
}

// drawsSchema returns the schema of a table with columns subject, chain, draw and one for each parameter. index is the
// position of each column, because Parquet sorts the columns of a group by name.
func drawsSchema(parameters []string) (s *parquet.Schema, index map[string]int) {
	g := parquet.Group{
		"subject": parquet.Encoded(parquet.String(), &parquet.Plain),
		"chain":   parquet.Int(32), "draw": parquet.Int(32),
	}
	for _, p := range parameters {
		g[p] = parquet.Leaf(parquet.DoubleType)
	}
	s = parquet.NewSchema("draws", g)
	index = map[string]int{}
	for i, path := range s.Columns() {
		index[path[0]] = i
	}
	return s, index
}

// drawsAtOnce is the largest number of draws that wait to be written.
const drawsAtOnce = 1000

// A drawsWriter writes the table of draws, one subject after the other.
type drawsWriter struct {
	w          *parquet.GenericWriter[any]
	parameters []string
	index      map[string]int // position of each column
	values     []parquet.Value
}

// newDrawsWriter begins a table. Columns wait in scratch until they are written; nil is memory.
func newDrawsWriter(out io.Writer, parameters []string, scratch parquet.BufferPool) (*drawsWriter, error) {
	for _, p := range parameters {
		if p == "subject" || p == "chain" || p == "draw" {
			return nil, fmt.Errorf("a parameter must not be called %q", p)
		}
	}
	schema, index := drawsSchema(parameters)
	w := parquet.NewGenericWriter[any](out, append(record.RowOptions(scratch), schema)...)
	return &drawsWriter{w: w, parameters: parameters, index: index}, nil
}

// write adds the draws of a subject, [chain][draw][parameter], column after column, which takes a third of the time of rows.
func (d *drawsWriter) write(subject string, draws [][][]float64) error {
	name := parquet.ByteArrayValue([]byte(subject))
	for c, chain := range draws {
		for from := 0; from < len(chain); from += drawsAtOnce {
			part := chain[from:min(from+drawsAtOnce, len(chain))]
			d.values = slices.Grow(d.values[:0], len(part))[:len(part)]
			err := cmp.Or(
				d.same("subject", name),
				d.same("chain", parquet.Int32Value(int32(c))),
				d.each("draw", func(i int) parquet.Value { return parquet.Int32Value(int32(from + i)) }))
			for k, p := range d.parameters {
				err = cmp.Or(err, d.each(p, func(i int) parquet.Value { return parquet.DoubleValue(part[i][k]) }))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// same adds one value to a column as often as d.values has room for.
func (d *drawsWriter) same(column string, v parquet.Value) error {
	at := d.index[column]
	v = v.Level(0, 0, at)
	for i := range d.values {
		d.values[i] = v
	}
	_, err := d.w.ColumnWriters()[at].WriteRowValues(d.values)
	return err
}

// each adds as many values to a column as d.values has room for.
func (d *drawsWriter) each(column string, value func(i int) parquet.Value) error {
	at := d.index[column]
	for i := range d.values {
		d.values[i] = value(i).Level(0, 0, at)
	}
	_, err := d.w.ColumnWriters()[at].WriteRowValues(d.values)
	return err
}

// A drawsTable is a table of draws on disk. It holds the draws of one subject at a time.
type drawsTable struct {
	dir        fs.FS
	file       part.File
	parameters []string       // in the order of the columns
	index      map[string]int // position of each column
}

// newDraws reads which columns a table has. It returns nil if the table has no rows.
func newDraws(dir fs.FS, file part.File) (_ Draws, err error) {
	defer record.RecoverCorrupt(&err)
	t := &drawsTable{dir: dir, file: file, index: map[string]int{}}
	f, err := openTable(dir, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for i, path := range f.Schema().Columns() {
		t.index[path[0]] = i
		if !slices.Contains([]string{"subject", "chain", "draw"}, path[0]) {
			t.parameters = append(t.parameters, path[0])
		}
	}
	if len(t.index) != len(t.parameters)+3 {
		return nil, errors.New("columns subject, chain and draw are needed")
	}
	if f.NumRows() == 0 {
		return nil, nil
	}
	return t, nil
}

func (t *drawsTable) Parameters() []string { return t.parameters }

func (t *drawsTable) All() iter.Seq2[*SubjectDraws, error] {
	return func(yield func(*SubjectDraws, error) bool) {
		f, err := openTable(t.dir, t.file)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		rows := &rowReader{groups: f.RowGroups(), buffer: make([]parquet.Row, 256)}
		defer rows.close()
		for last := ""; ; {
			d, err := t.next(rows)
			if d == nil && err == nil {
				return
			}
			if err == nil && d.Subject <= last {
				err = fmt.Errorf("%s: the draws are not sorted by subject: %q comes after %q", t.file.Path, d.Subject, last)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if last = d.Subject; !yield(d, nil) {
				return
			}
		}
	}
}

// next reads the draws of the next subject. It returns nil after the last one.
func (t *drawsTable) next(rows *rowReader) (*SubjectDraws, error) {
	d := &SubjectDraws{Values: make([][]float64, len(t.parameters))}
	for {
		r, err := rows.peek()
		if err != nil {
			return nil, err
		}
		if r == nil && len(d.Draw) == 0 {
			return nil, nil
		}
		if r == nil || len(d.Draw) > 0 && string(r[t.index["subject"]].ByteArray()) != d.Subject {
			return d, nil
		}
		if len(d.Draw) == 0 {
			d.Subject = r[t.index["subject"]].String()
		}
		d.Chain, d.Draw = append(d.Chain, r[t.index["chain"]].Int32()), append(d.Draw, r[t.index["draw"]].Int32())
		for k, p := range t.parameters {
			d.Values[k] = append(d.Values[k], r[t.index[p]].Double())
		}
		rows.taken++
	}
}

func (t *drawsTable) Of(subject string) (_ *SubjectDraws, err error) {
	defer record.RecoverCorrupt(&err)
	f, err := openTable(t.dir, t.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for i, g := range f.RowGroups() {
		row, err := firstRow(g.ColumnChunks()[t.index["subject"]], g.NumRows(), subject)
		if err != nil {
			return nil, err
		}
		if row == g.NumRows() {
			continue
		}
		rows := &rowReader{groups: f.RowGroups()[i:], buffer: make([]parquet.Row, 256), skip: row}
		defer rows.close()
		d, err := t.next(rows)
		if err != nil || d == nil || d.Subject != subject {
			return nil, err
		}
		return d, nil
	}
	return nil, nil
}

// firstRow returns the first of n rows whose text is not below the given one. The texts of the column are sorted.
func firstRow(column parquet.ColumnChunk, n int64, text string) (int64, error) {
	pages := column.Pages()
	defer pages.Close()
	var failed error
	row := sort.Search(int(n), func(i int) bool {
		if failed != nil {
			return true
		}
		failed = pages.SeekToRow(int64(i))
		if failed != nil {
			return true
		}
		page, err := pages.ReadPage()
		if failed = err; err != nil {
			return true
		}
		defer parquet.Release(page)
		var value [1]parquet.Value
		if k, err := page.Values().ReadValues(value[:]); k == 0 {
			failed = cmp.Or(err, io.ErrUnexpectedEOF)
			return true
		}
		return string(value[0].ByteArray()) >= text
	})
	return int64(row), failed
}

// A rowReader reads the rows of row groups, and holds as many as its buffer has.
type rowReader struct {
	groups []parquet.RowGroup
	skip   int64 // number of rows of the first group to leave out
	rows   parquet.Rows
	buffer []parquet.Row
	n      int // number of rows in buffer
	taken  int // of these, the number that were taken
}

// peek returns the next row, which is valid until it is called again, or nil after the last row.
func (r *rowReader) peek() (_ parquet.Row, err error) {
	defer record.RecoverCorrupt(&err)
	for r.taken == r.n {
		if r.rows == nil {
			if len(r.groups) == 0 {
				return nil, nil
			}
			r.rows, r.groups = r.groups[0].Rows(), r.groups[1:]
			if r.skip > 0 {
				if err := r.rows.SeekToRow(r.skip); err != nil {
					return nil, err
				}
				r.skip = 0
			}
		}
		n, err := r.rows.ReadRows(r.buffer)
		r.n, r.taken = n, 0
		switch {
		case errors.Is(err, io.EOF):
			err = r.rows.Close()
			r.rows = nil
		case err == nil && n == 0:
			err = io.ErrNoProgress
		}
		if err != nil {
			return nil, err
		}
	}
	return r.buffer[r.taken], nil
}

func (r *rowReader) close() {
	if r.rows != nil {
		_ = r.rows.Close()
	}
}
