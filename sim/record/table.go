package record

import (
	"errors"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/table"
)

// rowGroup is the number of rows that are compressed together. Readers hold one group at a time. It is a variable so that tests
// need few rows for several groups.
var rowGroup = 1 << 20

// tableVersion is in the footer of every table. It has not changed with the manifest, so that the same rows have the same bytes as ever.
const tableVersion = "2"

// batch is the number of values handed to the Parquet writer at once.
const batch = 1 << 12

// A cell is the type of a table's column.
type cell uint8

const (
	textCell       cell = iota // a string
	optionalText               // the same, or null
	integerCell                // a 32-bit integer
	optionalNumber             // a 64-bit float, or null
	textList                   // a list of strings
	integerList                // a list of 32-bit integers
)

func (c cell) String() string {
	return [...]string{"string", "optional string", "integer", "optional float", "list of strings", "list of integers"}[c]
}

// node returns the Parquet type of c. Integers are delta encoded, because most are runs or counters. Everything else is
// plain, and left to the compression: the library's encoder of dictionary indices gives other bytes on processors with
// AVX2 (on these it ends a bit-packed run if each half of eight values is constant, on others if all eight are).
func (c cell) node() parquet.Node {
	text := func() parquet.Node { return parquet.Encoded(parquet.String(), &parquet.Plain) }
	integer := func() parquet.Node { return parquet.Encoded(parquet.Int(32), &parquet.DeltaBinaryPacked) }
	switch c {
	case textCell:
		return text()
	case optionalText:
		return parquet.Optional(text())
	case integerCell:
		return integer()
	case optionalNumber:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	case textList:
		return parquet.List(text())
	case integerList:
		return parquet.List(integer())
	}
	panic("record: no such cell type")
}

// A field is one column of a table's schema.
type field struct {
	name string
	cell cell
}

// ordered is a schema root that keeps its columns in the given order; parquet.Group alone sorts them by name.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (o ordered) Fields() []parquet.Field { return o.fields }

func schema(name string, fields []field) *parquet.Schema {
	root := ordered{Group: parquet.Group{}}
	for _, f := range fields {
		n := f.cell.node()
		root.Group[f.name] = n
		root.fields = append(root.fields, parquet.Group{f.name: n}.Fields()...)
	}
	return parquet.NewSchema(name, root)
}

// A tableWriter writes a Parquet file column by column. The same calls give the same bytes.
type tableWriter struct {
	w       *parquet.GenericWriter[any]
	columns []*parquet.ColumnWriter
	values  []parquet.Value
}

// newTableWriter starts a table. Pages hold about `page` bytes before compression: one can seek quickly in small pages,
// and large ones compress better. scratch is as in RowOptions.
func newTableWriter(out io.Writer, name string, fields []field, page int, scratch parquet.BufferPool) *tableWriter {
	options := []parquet.WriterOption{parquet.CreatedBy("achilles-public", tableVersion, ""), parquet.Compression(compression), parquet.PageBufferSize(page)}
	if scratch != nil {
		options = append(options, parquet.ColumnPageBuffers(scratch))
	}
	w := parquet.NewGenericWriter[any](out, append(options, schema(name, fields))...)
	return &tableWriter{w: w, columns: w.ColumnWriters(), values: make([]parquet.Value, 0, batch)}
}

// write appends n values to column c. value(i) returns the i-th value with its levels.
func (t *tableWriter) write(c, n int, value func(i int) parquet.Value) error {
	for i := 0; i < n; {
		t.values = t.values[:0]
		for ; i < n && len(t.values) < batch; i++ {
			t.values = append(t.values, value(i))
		}
		if _, err := t.columns[c].WriteRowValues(t.values); err != nil {
			return err
		}
	}
	return nil
}

// text appends strings to column c: for each index that element of value. A negative index is null, allowed in optional columns only.
func (t *tableWriter) text(c int, optional bool, value []string, index []int32) error {
	x := newCells(c, optional, value)
	return t.cells(&x, len(index), func(i int) int { return int(index[i]) })
}

// cells appends n cells of x: the i-th is that of text index(i), or null if index(i) is negative.
func (t *tableWriter) cells(x *cells, n int, index func(i int) int) error {
	null := parquet.NullValue().Level(0, 0, x.column)
	return t.write(x.column, n, func(i int) parquet.Value {
		if k := index(i); k >= 0 {
			return x.at(k)
		}
		return null
	})
}

// cells are the texts that a column may have.
type cells struct {
	column, level int
	text          []string
	made          []parquet.Value // of text; nil: too many to be kept
}

func newCells(column int, optional bool, text []string) cells {
	x := cells{column: column, level: level(optional), text: text}
	if len(text) <= mostCells {
		made := make([]parquet.Value, len(text))
		for k := range text {
			made[k] = x.at(k)
		}
		x.made = made
	}
	return x
}

// at returns the cell with text k.
func (x *cells) at(k int) parquet.Value {
	if x.made != nil {
		return x.made[k]
	}
	return parquet.ByteArrayValue([]byte(x.text[k])).Level(0, x.level, x.column)
}

// mostCells is the largest number of different texts of which copies are kept for all their rows. Of more, each row gets a copy,
// for some nanoseconds instead of 40 bytes and more for each text.
const mostCells = 1 << 16

func (t *tableWriter) integers(c, n int, value func(i int) int32) error {
	return t.write(c, n, func(i int) parquet.Value { return parquet.Int32Value(value(i)).Level(0, 0, c) })
}

// numbers appends numbers to column c, and nulls where they are missing; missing may be nil.
func (t *tableWriter) numbers(c int, value []float64, missing []bool) error {
	null := parquet.NullValue().Level(0, 0, c)
	for i := 0; i < len(value); {
		t.values = t.values[:0]
		for ; i < len(value) && len(t.values) < batch; i++ {
			if missing != nil && missing[i] {
				t.values = append(t.values, null)
			} else {
				t.values = append(t.values, parquet.DoubleValue(value[i]).Level(0, 1, c))
			}
		}
		if _, err := t.columns[c].WriteRowValues(t.values); err != nil {
			return err
		}
	}
	return nil
}

// flush ends a row group.
func (t *tableWriter) flush() error { return t.w.Flush() }

func (t *tableWriter) close() error { return t.w.Close() }

func level(optional bool) int {
	if optional {
		return 1
	}
	return 0
}

// A Create opens a file for writing, given its path in the public directory.
type Create func(path string) (io.WriteCloser, error)

// table writes a table with the rows that the function fill writes, whose number it returns. docs says what columns mean.
func (c Create) table(name string, fields []field, docs []Feature, fill func(*tableWriter) (rows int, err error)) (part.Table, error) {
	path := name + tableSuffix
	out, err := c(path)
	if err != nil {
		return part.Table{}, err
	}
	s := newShardWriter(path, out, name, fields, 1<<18, nil)
	rows, err := fill(s.table)
	if err != nil {
		return part.Table{}, errors.Join(err, out.Close())
	}
	f, err := s.close()
	return part.Table{Files: []part.File{f}, Rows: rows, Table: table.Table{Name: name, Title: titles[name], Columns: columnsOf(fields, docs)}}, err
}

// titles say what tables have.
var titles = map[string]string{itemsTable: "Items", responsesTable: "Responses", subjectsTable: "What is known of subjects"}

// columnsOf describes the columns of a table.
func columnsOf(fields []field, docs []Feature) (out []table.Column) {
	for _, f := range fields {
		c := table.Column{Name: f.name, Doc: meaning[f.name]}
		switch f.cell {
		case textCell, optionalText:
			c.Kind = table.Text
		case integerCell:
			c.Kind = table.Count
		}
		if i := slices.IndexFunc(docs, func(x Feature) bool { return x.Name == f.name }); i >= 0 {
			c.Doc, c.Unit = docs[i].Doc, docs[i].Unit
		}
		out = append(out, c)
	}
	return out
}
