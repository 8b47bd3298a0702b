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
