package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// maxItems is the largest number of items in all lists of a footer or of a page index. A table of a thousand columns in ten
// groups of rows has about a hundred thousand.
const maxItems = 1 << 18

// maxNested is the largest depth of structures and lists inside each other. A footer has seven.
const maxNested = 32

var (
	errFooter = errors.New("truncated or corrupt: the footer cannot be read")
	errIndex  = errors.New("truncated or corrupt: the page index cannot be read")
)

// readFooter returns the footer of a file, without its length and the mark at the end. It checks both, so that a corrupt length
// cannot ask for gigabytes.
func readFooter(in io.ReaderAt, size int64) ([]byte, error) {
	var tail [8]byte
	if size < 12 {
		return nil, errors.New("not a Parquet file: too short")
	}
	if _, err := in.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return nil, err
	}
	if string(tail[4:]) != "PAR1" {
		return nil, errors.New("truncated, or not a Parquet file: it does not end in PAR1")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-12 {
		return nil, errors.New("corrupt Parquet file: its footer is longer than the file")
	}
	footer := make([]byte, n)
	_, err := in.ReadAt(footer, size-8-n)
	return footer, err
}

// checkPageIndexes checks the page indexes of all columns. The library allocates memory for as many indexes in every group of
// rows as the first has columns, for the sum of their lengths, and for what they claim to have.
func checkPageIndexes(in io.ReaderAt, f *parquet.File) error {
	groups, total := f.Metadata().RowGroups, int64(0)
	if len(groups) > 0 && len(groups)*len(groups[0].Columns) > maxItems {
		return errIndex
	}
	for _, g := range groups {
		for i := range g.Columns {
			c := &g.Columns[i]
			for _, section := range [][2]int64{{c.ColumnIndexOffset, int64(c.ColumnIndexLength)}, {c.OffsetIndexOffset, int64(c.OffsetIndexLength)}} {
				at, n := section[0], section[1]
				if total += n; at < 0 || n < 0 || total > f.Size() || at > f.Size()-n {
					return errIndex
				}
				if n == 0 {
					continue
				}
				b := make([]byte, n)
				if _, err := in.ReadAt(b, at); err != nil {
					return fmt.Errorf("%w: %w", errIndex, err)
				}
				if err := checkStructure(b); err != nil {
					return fmt.Errorf("%w: %w", errIndex, err)
				}
			}
		}
	}
	return nil
}

// checkStructure reads a structure in Thrift's compact protocol and keeps nothing of it. It returns an error if lists claim to
// have more than maxItems items in all, or more than there are, or if values are nested more than maxNested deep: the library
// allocates memory for what a list claims, and calls itself at every level.
func checkStructure(b []byte) error {
	s := &structure{r: new(thrift.CompactProtocol).NewReaderFromBytes(b)}
	return s.value(thrift.STRUCT, maxNested)
}

// A structure is read by checkStructure.
type structure struct {
	r     thrift.Reader
	items int // number of items of all lists so far
}

// value reads a value of a type, which has at most depth levels.
func (s *structure) value(t thrift.Type, depth int) (err error) {
	if depth == 0 {
		return fmt.Errorf("values are more than %d levels deep", maxNested)
	}
	switch t {
	case thrift.TRUE, thrift.FALSE:
		_, err = s.r.ReadBool()
	case thrift.I8:
		_, err = s.r.ReadInt8()
	case thrift.I16:
		_, err = s.r.ReadInt16()
	case thrift.I32:
		_, err = s.r.ReadInt32()
	case thrift.I64:
		_, err = s.r.ReadInt64()
	case thrift.DOUBLE:
		_, err = s.r.ReadFloat64()
	case thrift.BINARY:
		_, err = s.r.ReadBytes()
	case thrift.STRUCT:
		err = s.fields(depth - 1)
	case thrift.LIST:
		var l thrift.List
		if l, err = s.r.ReadList(); err == nil {
			err = s.list(l, depth-1)
		}
	default: // the format has no sets, maps or identifiers
		err = fmt.Errorf("unknown type %d", t)
	}
	return err
}

// fields reads the fields of a structure. A field that is true or false has no value behind it.
func (s *structure) fields(depth int) error {
	for {
		f, err := s.r.ReadField()
		if err != nil || f.Type == thrift.STOP {
			return err
		}
		if f.Type == thrift.TRUE || f.Type == thrift.FALSE {
			continue
		}
		if err := s.value(f.Type, depth); err != nil {
			return err
		}
	}
}

func (s *structure) list(l thrift.List, depth int) error {
	if s.items += int(l.Size); s.items > maxItems {
		return fmt.Errorf("lists of more than %d items", maxItems)
	}
	for range l.Size {
		if err := s.value(l.Type, depth); err != nil {
			return err
		}
	}
	return nil
}
