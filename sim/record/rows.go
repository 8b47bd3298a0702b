package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// EncodeRows returns rows of a struct as a Parquet table, with one column per field. The field's tag gives the column's
// name, "optional" if a value may be missing, and "plain" as the encoding of a string. No other encoding may be used,
// because the same rows must give the same bytes on every processor.
func EncodeRows[T any](rows []T) ([]byte, error) {
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[T](&buf, RowOptions()...)
	for len(rows) > 0 {
		n := min(len(rows), batch)
		if _, err := w.Write(rows[:n]); err != nil {
			return nil, err
		}
		rows = rows[n:]
	}
	err := w.Close()
	return buf.Bytes(), err
}

// DecodeRows reads a table that EncodeRows has written. It allocates memory only for the rows that it has read,
// whatever number of rows the file declares.
func DecodeRows[T any](data []byte) (rows []T, err error) {
	defer RecoverCorrupt(&err)
	f, err := OpenParquet(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	r := parquet.NewGenericReader[T](f)
	defer r.Close()
	for {
		rows = slices.Grow(rows, batch)
		n, err := r.Read(rows[len(rows) : len(rows)+batch])
		rows = rows[:len(rows)+n]
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, io.ErrNoProgress
		}
	}
}

// RowOptions returns options that fix what would otherwise depend on how the program was built.
func RowOptions() []parquet.WriterOption {
	return []parquet.WriterOption{parquet.CreatedBy("achilles", fmt.Sprint(Version), ""), parquet.Compression(&parquet.Zstd)}
}
