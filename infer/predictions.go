package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/record"
)

// newPredictions returns the predictions in a table, which stay on disk. It returns nil if the table has no rows.
func newPredictions(dir fs.FS, file part.File) (_ iter.Seq2[[]Prediction, error], err error) {
	defer record.RecoverCorrupt(&err)
	t, err := openTable(dir, file)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if t.NumRows() == 0 {
		return nil, nil
	}
	return func(yield func([]Prediction, error) bool) { eachSubject(dir, file, yield) }, nil
}

// eachSubject yields the predictions in a table, those of one subject at a time.
func eachSubject(dir fs.FS, file part.File, yield func([]Prediction, error) bool) {
	in, err := openFile(dir, file)
	if err != nil {
		yield(nil, err)
		return
	}
	defer in.Close()
	var mine []Prediction
	for p, err := range record.ReadRows[Prediction](in, file.Bytes) {
		if err != nil {
			yield(nil, fmt.Errorf("inferred/%s: %w", file.Path, err))
			return
		}
		if len(mine) > 0 && p.Subject != mine[0].Subject {
			if p.Subject < mine[0].Subject {
				yield(nil, fmt.Errorf("inferred/%s: the predictions are not sorted by subject: %q comes after %q", file.Path, p.Subject, mine[0].Subject))
				return
			}
			if !yield(mine, nil) {
				return
			}
			mine = nil
		}
		mine = append(mine, p)
	}
	if len(mine) > 0 {
		yield(mine, nil)
	}
}

// An openedFile is a file of an inferred directory.
type openedFile struct {
	io.ReaderAt
	io.Closer
}

// openFile opens a file. If its file system cannot read within files, the file is held in memory.
func openFile(dir fs.FS, file part.File) (*openedFile, error) {
	f, err := dir.Open(file.Path)
	if err != nil {
		return nil, fmt.Errorf("inferred: %w", err)
	}
	if in, ok := f.(io.ReaderAt); ok {
		return &openedFile{in, f}, nil
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("inferred/%s: %w", file.Path, err), f.Close())
	}
	return &openedFile{bytes.NewReader(b), f}, nil
}

// An openedTable is a Parquet file of an inferred directory.
type openedTable struct {
	*parquet.File
	io.Closer
}

// openTable opens a Parquet file.
func openTable(dir fs.FS, file part.File) (*openedTable, error) {
	in, err := openFile(dir, file)
	if err != nil {
		return nil, err
	}
	f, err := record.OpenParquet(in, file.Bytes)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &openedTable{f, in}, nil
}

// clampUnit corrects a mean of probabilities that rounding has moved out of [0, 1]. It returns other values unchanged.
func clampUnit(x float64) float64 {
	if math.Abs(x-0.5) < 0.5+1e-9 {
		return min(max(x, 0), 1)
	}
	return x
}
