package record

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// pageWindow is the distance in bytes at which a pageCodec looks for what repeats. It is more than nearly all pages have.
const pageWindow = 1 << 20

// compression is that of all tables. It has nothing but buffers.
var compression = &pageCodec{}

// A pageCodec gives the bytes of parquet.Zstd, by encoders that take 3 MB each in place of 17: they have no room for pages that are
// longer than pageWindow, which it leaves to that.
type pageCodec struct{ encoders sync.Pool }

// String returns the name of the compression.
func (c *pageCodec) String() string { return parquet.Zstd.String() }

// CompressionCodec returns the number of the compression in the format.
func (c *pageCodec) CompressionCodec() format.CompressionCodec {
	return parquet.Zstd.CompressionCodec()
}

// Encode compresses a page.
func (c *pageCodec) Encode(dst, src []byte) ([]byte, error) {
	if len(src) > pageWindow {
		return parquet.Zstd.Encode(dst, src)
	}
	e, ok := c.encoders.Get().(*zstd.Encoder)
	if !ok {
		var err error
		// All but the window as in parquet.Zstd.
		e, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithZeroFrames(true),
			zstd.WithEncoderCRC(false), zstd.WithWindowSize(pageWindow))
		if err != nil {
			return nil, err
		}
	}
	defer c.encoders.Put(e)
	return e.EncodeAll(src, dst[:0]), nil
}

// Decode returns what Encode has compressed.
func (c *pageCodec) Decode(dst, src []byte) ([]byte, error) { return parquet.Zstd.Decode(dst, src) }
