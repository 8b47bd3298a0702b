package record

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// OpenParquet opens a Parquet file of any columns. It refuses a file with a page of more than 67,108,864 bytes or values,
// with a footer or a page index of more than 262,144 items, and compression by anything but zstd, snappy and gzip. A
// function that reads the file must defer RecoverCorrupt.
func OpenParquet(in io.ReaderAt, size int64) (*parquet.File, error) {
	footer, err := readFooter(in, size)
	if err != nil {
		return nil, err
	}
	if err := checkStructure(footer); err != nil {
		return nil, fmt.Errorf("%w: %w", errFooter, err)
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, fmt.Errorf("not a readable Parquet file: %w", err)
	}
	if err := checkPages(in, f, maxPage); err != nil {
		return nil, err
	}
	if err := checkPageIndexes(in, f); err != nil {
		return nil, err
	}
	if f, err = parquet.OpenFile(in, size, parquet.SkipBloomFilters(true)); err != nil { // again, with the indexes
		return nil, fmt.Errorf("not a readable Parquet file: %w", err)
	}
	return f, nil
}

// RecoverCorrupt turns a panic of the Parquet decoder into an error. The decoder panics on some corrupt files because
// it trusts lengths in the file.
func RecoverCorrupt(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("truncated or corrupt: %v", r)
	}
}
