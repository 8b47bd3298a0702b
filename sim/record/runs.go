package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A page can claim more values than it has in three ways: by the lengths of the runs of its levels and of its indices into a
// dictionary, by the number of values of a delta encoding, and by texts that repeat the beginning of the text before. The library
// allocates memory for what is claimed.

var errRuns = errors.New("the lengths of its runs do not agree with its number of values")

// slack is the number of values beyond those of the page that its runs may have. Writers fill up the last run of packed values.
const slack = 1024

// needsValues reports whether a page has claims inside, so that it must be decompressed to be checked.
func needsValues(h *format.PageHeader, leaf *parquet.Column) bool {
	encoding := h.DataPageHeader.V.Encoding
	if h.DataPageHeaderV2.Valid {
		encoding = h.DataPageHeaderV2.V.Encoding
	}
	return (h.DataPageHeader.Valid || h.DataPageHeaderV2.Valid) &&
		(encoding != format.Plain || leaf.MaxRepetitionLevel() > 0 || leaf.MaxDefinitionLevel() > 0)
}

// checkInside decompresses what in has of a page, and checks what that claims.
func checkInside(in *io.SectionReader, codec format.CompressionCodec, h *format.PageHeader, leaf *parquet.Column) error {
	data := make([]byte, in.Size())
	if _, err := in.ReadAt(data, 0); err != nil && err != io.EOF {
		return fmt.Errorf("%w: %w", errPage, err)
	}
	if codec != format.Uncompressed && len(data) > 0 {
		var err error
		if data, err = parquet.LookupCompressionCodec(codec).Decode(nil, data); err != nil {
			return fmt.Errorf("%w: %w", errPage, err)
		}
	}
	if v2 := &h.DataPageHeaderV2; v2.Valid {
		return checkValues(data, v2.V.Encoding, v2.V.NumValues)
	}
	return checkPageV1(data, &h.DataPageHeader.V, leaf)
}

// checkLevels checks the levels of a page of version 2, which are in front of its values and begin at an offset.
func checkLevels(in *io.SectionReader, at int64, h *format.DataPageHeaderV2, leaf *parquet.Column) error {
	for _, level := range [2]struct {
		length int32
		most   int
	}{{h.RepetitionLevelsByteLength, leaf.MaxRepetitionLevel()}, {h.DefinitionLevelsByteLength, leaf.MaxDefinitionLevel()}} {
		runs := make([]byte, level.length)
		if _, err := in.ReadAt(runs, at); err != nil && err != io.EOF {
			return fmt.Errorf("%w: %w", errPage, err)
		}
		at += int64(level.length)
		if err := checkRuns(runs, bits.Len(uint(level.most)), h.NumValues); err != nil {
			return err
		}
	}
	return nil
}

// checkPageV1 checks what a page claims inside. data is the page after decompression: the levels, each with their length in
// front, and the values.
func checkPageV1(data []byte, h *format.DataPageHeader, leaf *parquet.Column) (err error) {
	for _, level := range [2]int{leaf.MaxRepetitionLevel(), leaf.MaxDefinitionLevel()} {
		if level == 0 {
			continue
		}
		var runs []byte
		if runs, data, err = cut(data); err != nil {
			return err
		}
		if err := checkRuns(runs, bits.Len(uint(level)), h.NumValues); err != nil {
			return err
		}
	}
	return checkValues(data, h.Encoding, h.NumValues)
}

// cut returns the part of data whose length is in the first four bytes, and what is behind it.
func cut(data []byte) (part, rest []byte, err error) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, nil, errRuns
	}
	n := 4 + int(binary.LittleEndian.Uint32(data))
	return data[4:n], data[n:], nil
}

// checkValues checks what the values of a page claim. n is the number of values in the page.
func checkValues(data []byte, encoding format.Encoding, n int32) error {
	switch encoding {
	//lint:ignore SA1019 older writers use it
	case format.PlainDictionary, format.RLEDictionary:
		if len(data) == 0 {
			return nil
		}
		if data[0] > 32 {
			return errRuns
		}
		return checkRuns(data[1:], int(data[0]), n)
	case format.RLE: // of truth values
		runs, _, err := cut(data)
		if err != nil {
			return err
		}
		return checkRuns(runs, 1, n)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray: // block size, number of parts of a block, number of values
		for range 2 {
			_, k := binary.Uvarint(data)
			if k <= 0 {
				return errRuns
			}
			data = data[k:]
		}
		if claim, k := binary.Uvarint(data); k <= 0 || claim > uint64(n)+slack {
			return errRuns
		}
	case format.DeltaByteArray:
		return fmt.Errorf("its texts are in the encoding %v; write the file with plain texts or a dictionary", encoding)
	}
	return nil
}

// checkRuns checks runs of equal values, and runs of groups of eight packed values (the RLE and bit-packing hybrid of the Parquet
// format). Values have width bits.
func checkRuns(data []byte, width int, n int32) error {
	total := uint64(0)
	for len(data) > 0 {
		u, k := binary.Uvarint(data)
		if k <= 0 || u > math.MaxInt32 {
			return errRuns
		}
		data = data[k:]
		count, size := u>>1, uint64(width+7)/8
		if u&1 == 1 {
			count, size = 8*count, count*uint64(width)
		}
		if total += count; total > uint64(n)+slack || size > uint64(len(data)) {
			return errRuns
		}
		data = data[size:]
	}
	return nil
}
