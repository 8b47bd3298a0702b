package record

import (
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// OpenParquet opens a Parquet file of any columns. It refuses a file with a page of more than 67,108,864 bytes or values, with
// a page that claims more values than it has, with a footer or a page index of more than 262,144 items, with compression by
// anything but zstd, snappy and gzip, or with texts that repeat the beginning of others (DELTA_BYTE_ARRAY). A function that
// reads the file must defer RecoverCorrupt.
func OpenParquet(in io.ReaderAt, size int64) (*parquet.File, error) {
	footer, err := readFooter(in, size)
	if err != nil {
		return nil, err
	}
	if err := checkStructure(footer); err != nil {
		return nil, fmt.Errorf("%w: %w", errFooter, err)
	}
	f, err := openFile(in, size, parquet.SkipPageIndex(true))
	if err != nil {
		return nil, err
	}
	if err := checkPages(in, f, maxPage); err != nil {
		return nil, err
	}
	if err := checkPageIndexes(in, f); err != nil {
		return nil, err
	}
	return openFile(in, size) // again, with the page indexes
}

// openFile opens a file by the library, whose errors have names in the file as they are, and so can have several lines.
func openFile(in io.ReaderAt, size int64, options ...parquet.FileOption) (*parquet.File, error) {
	f, err := parquet.OpenFile(in, size, append(options, parquet.SkipBloomFilters(true))...)
	if err != nil {
		return nil, fmt.Errorf("not a readable Parquet file: %s", strings.Join(strings.Fields(err.Error()), " "))
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
