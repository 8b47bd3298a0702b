package record

import (
	"bytes"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"
)

// EncodeRows returns rows of a struct as a Parquet table, with one column per field. The field's tag gives the column's
// name, "optional" if a value may be missing, and "plain" as the encoding of a string. No other encoding may be used,
// because the same rows must give the same bytes on every processor.
func EncodeRows[T any](rows []T) ([]byte, error) {
	var buf bytes.Buffer
	w := NewRowWriter[T](&buf, nil)
	if err := w.Write(rows); err != nil {
		return nil, err
	}
	err := w.Close()
	return buf.Bytes(), err
}

// A RowWriter writes the table that EncodeRows returns, and is handed its rows a few at a time.
type RowWriter[T any] struct {
	w       *parquet.GenericWriter[T]
	waiting []T // fewer than batch rows
}

// NewRowWriter begins a table. The file of a table has one column after the other: what is written of them waits in buffers from
// scratch, or in memory if scratch is nil.
func NewRowWriter[T any](out io.Writer, scratch parquet.BufferPool) *RowWriter[T] {
	return &RowWriter[T]{w: parquet.NewGenericWriter[T](out, RowOptions(scratch)...)}
}

// Write adds rows to the table. They are handed on in batches that do not depend on the number of rows in a call, because the
// writer ends a page after a batch.
func (w *RowWriter[T]) Write(rows []T) error {
	for len(rows) > 0 {
		n := min(len(rows), batch-len(w.waiting))
		w.waiting, rows = append(w.waiting, rows[:n]...), rows[n:]
		if len(w.waiting) == batch {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *RowWriter[T]) flush() error {
	_, err := w.w.Write(w.waiting)
	w.waiting = w.waiting[:0]
	return err
}

// Close writes the rest of the table.
func (w *RowWriter[T]) Close() error {
	if len(w.waiting) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.w.Close()
}

// DecodeRows reads a table that EncodeRows has written. It allocates memory only for the rows that it has read,
// whatever number of rows the file declares.
func DecodeRows[T any](data []byte) (rows []T, err error) {
	for row, err := range ReadRows[T](bytes.NewReader(data), int64(len(data))) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// ReadRows yields the rows of a table that a RowWriter has written, and holds few of them at a time. An error is the last that it yields.
func ReadRows[T any](in io.ReaderAt, size int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		r, err := openRows[T](in, size)
		if err != nil {
			yield(none, err)
			return
		}
		defer r.Close()
		rows := make([]T, batch)
		for {
			n, err := readBatch(r, rows)
			for _, row := range rows[:n] {
				if !yield(row, nil) {
					return
				}
			}
			if err == nil && n == 0 {
				err = io.ErrNoProgress
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(none, err)
				return
			}
		}
	}
}

func openRows[T any](in io.ReaderAt, size int64) (_ *parquet.GenericReader[T], err error) {
	defer RecoverCorrupt(&err)
	f, err := OpenParquet(in, size)
	if err != nil {
		return nil, err
	}
	return parquet.NewGenericReader[T](f), nil
}

// readBatch reads rows, into memory that no row before shares.
func readBatch[T any](r *parquet.GenericReader[T], rows []T) (n int, err error) {
	defer RecoverCorrupt(&err)
	clear(rows)
	return r.Read(rows)
}

// RowOptions returns options that fix what would otherwise depend on how the program was built. scratch is the place where
// columns wait until they are written; nil is memory.
func RowOptions(scratch parquet.BufferPool) []parquet.WriterOption {
	options := []parquet.WriterOption{parquet.CreatedBy("achilles", tableVersion, ""), parquet.Compression(compression)}
	if scratch != nil {
		options = append(options, parquet.ColumnPageBuffers(scratch))
	}
	return options
}
