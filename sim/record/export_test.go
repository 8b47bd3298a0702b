package record

import (
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// The bounds of Parquet pages, for tests with small limits.
var (
	CheckPages       = checkPages
	CheckPageIndexes = checkPageIndexes
	CheckStructure   = checkStructure
	CheckValues      = checkValues
	ZstdSize         = zstdSize
)

// EncodeWorlds writes worlds in memory, path → content.
func EncodeWorlds(worlds []World) (map[string][]byte, error) {
	files := map[string][]byte{}
	w := NewWorldWriter(func(path string) (io.WriteCloser, error) { return &memory{files: files, path: path}, nil })
	for i := range worlds {
		if err := w.Write(&worlds[i]); err != nil {
			return nil, err
		}
	}
	_, err := w.Close()
	return files, err
}

// PackedSize returns the bytes of memory that responses take.
func PackedSize(r *Responses) (n int) {
	for i := range r.chunks {
		n += int(reflect.TypeFor[chunk]().Size())
		for _, c := range &r.chunks[i].columns {
			n += 8 * cap(c.words)
		}
	}
	return n
}

// ValuesSize returns the bytes of memory that the values of items take that were read, but for the texts themselves.
func ValuesSize(it *Items) (n int) {
	for i := range it.packed {
		p := &it.packed[i]
		n += int(reflect.TypeFor[packedValues]().Size()) + 8*cap(p.number) + int(reflect.TypeFor[string]().Size())*cap(p.text) + 8*cap(p.code.words)
		if c := p.own; c != nil {
			n += 8*cap(c.Number) + int(reflect.TypeFor[string]().Size())*cap(c.Text) + cap(c.Missing)
		}
	}
	return n
}

// MostWaiting writes the responses of a data set, and returns the largest number of them for which the writer had room that were not
// handed on to the table.
func MostWaiting(d *Dataset) (most int, err error) {
	create := Create(func(path string) (io.WriteCloser, error) { return &memory{files: map[string][]byte{}, path: path}, nil })
	_, err = create.table(responsesTable, responseFields(), nil, func(t *tableWriter) (int, error) {
		w := newResponseWriter(d, t, responseFields(), 1)
		for block := range d.Responses.blocks() {
			if err := w.write(block); err != nil {
				return 0, err
			}
			most = max(most, len(w.waiting))
		}
		return 0, w.end()
	})
	return most, err
}

// SetRowGroup sets the number of rows of a group, a multiple of what is handed on to a table at once, until restore is called.
func SetRowGroup(n int) (restore func()) {
	before := rowGroup
	rowGroup = n
	return func() { rowGroup = before }
}

// Compression is that of all tables.
var Compression = compression

// MostShapes is the largest number of shapes of an item that are kept.
const MostShapes = mostShapes

// Shapes returns the number of shapes that a writer keeps.
func Shapes(w *TrajectoryWriter) int { return len(w.checked) }

// Places decodes a column of a row group whose schema is that of a file.
func Places(f *parquet.File, g parquet.RowGroup, column string, names []string) (places []int32, foreign string, err error) {
	return (&tableReader{file: f}).places(g, column, names, nil)
}
