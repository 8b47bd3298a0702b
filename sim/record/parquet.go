package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// OpenParquet opens a Parquet file of any columns. It refuses a file with a page of more than 67,108,864 bytes or values,
// and compression by anything but zstd, snappy and gzip. A function that reads the file must defer RecoverCorrupt.
func OpenParquet(in io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkFooter(in, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a readable Parquet file: %w", err)
	}
	if err := checkPages(in, f, maxPage); err != nil {
		return nil, err
	}
	return f, nil
}

// checkFooter checks the end of a file, so that a corrupt length cannot ask for gigabytes.
func checkFooter(in io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return errors.New("not a Parquet file: too short")
	}
	if _, err := in.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return errors.New("truncated, or not a Parquet file: it does not end in PAR1")
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-12 {
		return errors.New("corrupt Parquet file: its footer is longer than the file")
	}
	return nil
}

// RecoverCorrupt turns a panic of the Parquet decoder into an error. The decoder panics on some corrupt files because
// it trusts lengths in the file.
func RecoverCorrupt(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("truncated or corrupt: %v", r)
	}
}
