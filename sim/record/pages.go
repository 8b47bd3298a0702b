package record

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// maxPage is the largest size of a page of a Parquet file after decompression, in bytes. It is also the largest number of
// values in a page. Writers of the field make pages of about a megabyte.
const maxPage = 1 << 26

// maxHeader is the largest size of a page's header, in bytes. It has the smallest and the largest value of the page, which
// writers cut short.
const maxHeader = 1 << 16

var errPage = errors.New("truncated or corrupt: pages and footer do not agree")

// checkPages reads the header of every page of a Parquet file, and what the page's first bytes claim to decompress to. It
// returns an error if a page would be larger than limit bytes, because the library allocates memory for what a page
// claims. It decompresses nothing but gzip.
func checkPages(in io.ReaderAt, f *parquet.File, limit int64) error {
	leaves := leavesOf(f.Root())
	for _, g := range f.Metadata().RowGroups {
		if len(g.Columns) != len(leaves) {
			return errPage
		}
		for i := range g.Columns {
			c := &g.Columns[i].MetaData
			if err := checkChunk(in, f.Size(), c, leaves[i], limit); err != nil {
				return fmt.Errorf("column %q: %w", strings.Join(c.PathInSchema, "."), err)
			}
		}
	}
	return nil
}

// leavesOf returns the columns below c that have values, in the order of the file.
func leavesOf(c *parquet.Column) (out []*parquet.Column) {
	if c.Leaf() {
		return []*parquet.Column{c}
	}
	for _, child := range c.Columns() {
		out = append(out, leavesOf(child)...)
	}
	return out
}

// checkChunk checks the pages of one column of one row group. It refuses LZ4, whose decoder doubles its memory for ever if
// the data are corrupt, and Brotli, for which the module has no reader of its own.
func checkChunk(in io.ReaderAt, size int64, c *format.ColumnMetaData, leaf *parquet.Column, limit int64) error {
	switch c.Codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
	default:
		return fmt.Errorf("compressed by %v; write the file with zstd, snappy, gzip or no compression", c.Codec)
	}
	at := c.DataPageOffset
	if c.DictionaryPageOffset != 0 { // where the library starts to read, too
		at = c.DictionaryPageOffset
	}
	if at < 0 || c.TotalCompressedSize < 0 || at > size-c.TotalCompressedSize {
		return errPage
	}
	for end := at + c.TotalCompressedSize; at < end; {
		n, err := checkPage(io.NewSectionReader(in, at, end-at), c.Codec, leaf, limit)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// checkPage checks the page at the start of in, and returns the number of bytes that the page takes there.
func checkPage(in *io.SectionReader, codec format.CompressionCodec, leaf *parquet.Column, limit int64) (int64, error) {
	var h format.PageHeader
	header := make([]byte, min(in.Size(), maxHeader))
	if _, err := in.ReadAt(header, 0); err != nil {
		return 0, fmt.Errorf("%w: %w", errPage, err)
	}
	r := new(thrift.CompactProtocol).NewReaderFromBytes(header)
	if err := thrift.NewDecoder(r).Decode(&h); err != nil {
		return 0, fmt.Errorf("%w: %w", errPage, err)
	}
	start, n := int64(r.BytesRead()), int64(h.CompressedPageSize)
	if n < 0 || start+n > in.Size() || min(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues) < 0 {
		return 0, errPage
	}
	values := max(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues)
	claim := max(int64(h.UncompressedPageSize), int64(values), n)
	if v2 := h.DataPageHeaderV2; v2.Valid { // levels come first, and are not compressed
		levels := int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
		if v2.V.RepetitionLevelsByteLength < 0 || v2.V.DefinitionLevelsByteLength < 0 || levels > n {
			return 0, errPage
		}
		if err := checkLevels(in, start, &v2.V, leaf); err != nil {
			return 0, err
		}
		start, n = start+levels, n-levels
		if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
			codec = format.Uncompressed
		}
	}
	if claim <= limit && n > 0 {
		inside, err := decompressed(codec, io.NewSectionReader(in, start, n), limit)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", errPage, err)
		}
		claim = max(claim, inside)
	}
	if claim > limit {
		return 0, fmt.Errorf("a page of %d bytes or values; at most %d are read", claim, limit)
	}
	if needsValues(&h, leaf) {
		if err := checkInside(io.NewSectionReader(in, start, n), codec, &h, leaf); err != nil {
			return 0, err
		}
	}
	return start + n, nil
}

// decompressed returns an upper bound of the size that in has after decompression, in bytes.
func decompressed(codec format.CompressionCodec, in *io.SectionReader, limit int64) (int64, error) {
	switch codec {
	case format.Snappy: // starts with its size after decompression
		n, err := binary.ReadUvarint(bufio.NewReaderSize(in, binary.MaxVarintLen64))
		return int64(min(n, 1<<40)), err
	case format.Gzip:
		z, err := gzip.NewReader(in)
		if err != nil {
			return 0, err
		}
		return io.Copy(io.Discard, io.LimitReader(z, limit+1))
	case format.Zstd:
		return zstdSize(in)
	}
	return in.Size(), nil
}

// zstdBlock is the largest size of a block of Zstandard after decompression, in bytes (RFC 8878, section 3.1.1.2.4).
const zstdBlock = 1 << 17

// zstdSize returns an upper bound of the size of Zstandard frames after decompression (RFC 8878, section 3.1.1). A frame
// that states its size cannot become larger.
func zstdSize(in *io.SectionReader) (size int64, err error) {
	for at := int64(0); at < in.Size(); {
		var frame zstd.Header
		var start [zstd.HeaderMaxSize]byte
		n, _ := in.ReadAt(start[:], at)
		if err := frame.Decode(start[:n]); err != nil {
			return 0, err
		}
		at += int64(frame.HeaderSize)
		if frame.Skippable {
			at += int64(frame.SkippableSize)
			continue
		}
		var blocks int64
		if at, blocks, err = zstdBlocks(in, at); err != nil {
			return 0, err
		}
		if frame.HasCheckSum {
			at += 4
		}
		if frame.HasFCS {
			blocks = int64(min(frame.FrameContentSize, 1<<40))
		}
		size += blocks
	}
	return size, nil
}

// zstdBlocks returns the end of the blocks that start at an offset, and the largest size that they can have after
// decompression.
func zstdBlocks(in *io.SectionReader, at int64) (end, size int64, err error) {
	for last := false; !last; {
		var b [3]byte
		if _, err := in.ReadAt(b[:], at); err != nil {
			return 0, 0, io.ErrUnexpectedEOF
		}
		header := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		kind, length := header>>1&3, header>>3
		last = header&1 != 0
		at += 3
		switch kind {
		case 0: // bytes as they are
			at, size = at+length, size+length
		case 1: // one byte, repeated
			at, size = at+1, size+length
		default:
			at, size = at+length, size+zstdBlock
		}
	}
	return at, size, nil
}
