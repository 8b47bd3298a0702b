package record_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// pages returns a Parquet file with one column, whose pages hold about 10,000 bytes before compression.
func pages(t *testing.T, compression parquet.WriterOption, version int) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[pair](&b, compression, parquet.PageBufferSize(10_000), parquet.DataPageVersion(version))
	for i := range 5000 {
		if _, err := w.Write([]pair{{strings.Repeat("x", i%9), float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func checkPages(t *testing.T, data []byte, limit int64) error {
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return record.CheckPages(bytes.NewReader(data), f, limit)
}

// TestPages checks that honest pages pass if the limit is above their size, and fail below it, whatever compresses them,
// and that compression without a bound is refused.
func TestPages(t *testing.T) {
	for name, codec := range map[string]parquet.WriterOption{
		"none": parquet.Compression(&parquet.Uncompressed), "snappy": parquet.Compression(&parquet.Snappy),
		"gzip": parquet.Compression(&parquet.Gzip), "zstd": parquet.Compression(&parquet.Zstd),
	} {
		for version := 1; version <= 2; version++ {
			data := pages(t, codec, version)
			if err := checkPages(t, data, 40_000); err != nil {
				t.Errorf("%s, version %d: %v", name, version, err)
			}
			if err := checkPages(t, data, 5_000); err == nil || !strings.Contains(err.Error(), "at most 5000 are read") {
				t.Errorf("%s, version %d: pages of 10,000 bytes pass a limit of 5,000 (%v)", name, version, err)
			}
		}
	}
	for name, codec := range map[string]parquet.WriterOption{"lz4": parquet.Compression(&parquet.Lz4Raw), "brotli": parquet.Compression(&parquet.Brotli)} {
		data := pages(t, codec, 2)
		if _, err := record.OpenParquet(bytes.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), "write the file with zstd") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClaims checks that a page is refused whose header, or whose first bytes, claim more than the page has: a size, or a
// smallest value of two gigabytes in the header.
func TestClaims(t *testing.T) {
	for name, codec := range map[string]parquet.WriterOption{
		"header": parquet.Compression(&parquet.Zstd), "start": parquet.Compression(&parquet.Snappy), "statistics": parquet.Compression(&parquet.Zstd),
	} {
		data := pages(t, codec, 1)
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		at := f.Metadata().RowGroups[0].Columns[1].MetaData.DataPageOffset
		var h format.PageHeader
		protocol := new(thrift.CompactProtocol)
		r := protocol.NewReaderFromBytes(bytes.Clone(data[at:]))
		if err := thrift.NewDecoder(r).Decode(&h); err != nil {
			t.Fatal(err)
		}
		length := int64(r.BytesRead())
		want := "at most 15000 are read"
		switch name {
		case "header":
			h.UncompressedPageSize = 1<<20 - 1 // as many bytes in the header as before: both take three in Thrift
			header, err := thrift.Marshal(protocol, &h)
			if err != nil || int64(len(header)) != length {
				t.Fatalf("a header of %d bytes, not %d (%v)", len(header), length, err)
			}
			copy(data[at:], header)
		case "statistics": // in Thrift: field 1, 2 and 3, integers; field 5, a structure: 1 to 4, integers; 5, a structure: 1, bytes
			copy(data[at:], []byte{0x15, 0, 0x15, 0, 0x15, 0, 0x2c, 0x15, 0, 0x15, 0, 0x15, 0, 0x15, 0, 0x1c, 0x18, 0xff, 0xff, 0xff, 0xff, 7})
			want = "truncated or corrupt"
		case "start":
			copy(data[at+length:], []byte{0xff, 0x7f}) // 16,383, in two bytes as the true size
			if data[at+length+1]&0x80 != 0 {
				t.Fatal("the size took more than two bytes")
			}
		}
		limited(t, name, 1<<24, func() { err = checkPages(t, data, 15_000) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestZstdSize compares the bound of a frame's size with the size.
func TestZstdSize(t *testing.T) {
	random := make([]byte, 300_000)
	r := rng.NewKey(1, "pages").Rand()
	for i := range random {
		random[i] = byte(r.Uint64())
	}
	known, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer // does not state its size
	w, err := zstd.NewWriter(&stream)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if _, err := w.Write(random); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	zeros := known.EncodeAll(make([]byte, 300_000), nil)
	for _, c := range []struct {
		name     string
		data     []byte
		from, to int64 // the bound
	}{
		{"nothing", nil, 0, 0},
		{"zeros", zeros, 300_000, 300_000},
		{"random bytes", known.EncodeAll(random, nil), 300_000, 300_000},
		{"two frames", append(bytes.Clone(zeros), zeros...), 600_000, 600_000},
		{"a stream", stream.Bytes(), 1_200_000, 1_400_000},
		{"a skippable frame", []byte{0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7}, 0, 0},
		// magic number, no flags, a window of a kilobyte; two blocks of one byte 2²⁰ times, the second is the last
		{"repetitions", []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0, 2, 0, 0x80, 7, 3, 0, 0x80, 7}, 2 << 20, 2 << 20},
	} {
		got, err := record.ZstdSize(io.NewSectionReader(bytes.NewReader(c.data), 0, int64(len(c.data))))
		if err != nil || got < c.from || got > c.to {
			t.Errorf("%s: %d, not %d to %d (%v)", c.name, got, c.from, c.to, err)
		}
		if len(c.data) > 0 {
			cut := io.NewSectionReader(bytes.NewReader(c.data), 0, 5)
			if _, err := record.ZstdSize(cut); err == nil {
				t.Errorf("%s: cut after five bytes, and no error", c.name)
			}
		}
	}
}

// TestClaimsOfStructures checks that structures are refused whose lists claim more than they have, or which are nested too
// deeply, at a cost that does not depend on the claim. In Thrift's compact protocol, 0x19 begins a list as the first field, 0xf8
// says that it has texts and that their number follows, and 0x1c begins a structure as the first field.
func TestClaimsOfStructures(t *testing.T) {
	list := func(number ...byte) []byte { return append([]byte{0x19, 0xf8}, number...) }
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"honest", append(list(2), 1, 'a', 1, 'b', 0), ""},
		{"more texts than there are", append(list(3), 1, 'a', 1, 'b'), "EOF"},
		{"two billion texts", list(0xff, 0xff, 0xff, 0xff, 7), "more than 262144 items"},
		{"deep", bytes.Repeat([]byte{0x1c}, 1_000_000), "more than 32 levels deep"},
		{"a map", []byte{0x1b, 0}, "unknown type"},
	} {
		err := record.CheckStructure(c.data)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestClaimsOfIndexes checks that a file is refused whose footer claims a page index of a gigabyte.
func TestClaimsOfIndexes(t *testing.T) {
	data := pages(t, parquet.Compression(&parquet.Zstd), 2)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f.Metadata().RowGroups[0].Columns[1].OffsetIndexLength = 1 << 30
	if err := record.CheckPageIndexes(bytes.NewReader(data), f); err == nil {
		t.Error("an index of a gigabyte is accepted")
	}
	f.Metadata().RowGroups[0].Columns[1].OffsetIndexLength = 0
	if err := record.CheckPageIndexes(bytes.NewReader(data), f); err != nil {
		t.Error(err)
	}
}

// TestClaimsOfValues checks that values are refused that claim to be more than the ten of their page: runs whose lengths, and
// delta encodings whose numbers are too large. The first byte of indices into a dictionary is their number of bits, 3 here. A run
// begins with twice its length, or with twice the number of groups of eight packed values, plus one.
func TestClaimsOfValues(t *testing.T) {
	for _, c := range []struct {
		name     string
		encoding format.Encoding
		data     []byte
		ok       bool
	}{
		{"a run of ten", format.RLEDictionary, []byte{3, 20, 5}, true},
		{"a run and packed values", format.RLEDictionary, []byte{3, 4, 5, 3, 1, 2, 3}, true},
		{"a run of a billion", format.RLEDictionary, []byte{3, 0x80, 0x80, 0x80, 0x80, 7, 5}, false},
		{"three runs of a thousand", format.RLEDictionary, []byte{3, 0xd0, 15, 5, 0xd0, 15, 5, 0xd0, 15, 5}, false},
		{"packed values that are not there", format.RLEDictionary, []byte{3, 5, 1, 2, 3}, false},
		{"truth values", format.RLE, []byte{2, 0, 0, 0, 20, 1}, true},
		{"truth values behind the end", format.RLE, []byte{9, 0, 0, 0, 20, 1}, false},
		{"ten differences", format.DeltaBinaryPacked, []byte{0x80, 1, 4, 10, 0}, true},
		{"a billion differences", format.DeltaLengthByteArray, []byte{0x80, 1, 4, 0x80, 0x80, 0x80, 0x80, 4, 0}, false},
		{"texts that repeat others", format.DeltaByteArray, nil, false},
		{"plain values", format.Plain, []byte{1, 2, 3}, true},
	} {
		if err := record.CheckValues(c.data, c.encoding, 10); (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}
