package record_test

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestCompressionIsThatOfTheLibrary checks that pages of all lengths are compressed to the bytes of the library, whatever was compressed
// before, and come back.
func TestCompressionIsThatOfTheLibrary(t *testing.T) {
	draw := rng.Stream(1, "pages")
	const window = 1 << 20
	for _, n := range []int{0, 1, 1023, 1024, 1025, 1 << 16, 1<<17 + 1, 1 << 18, 3 << 17, window - 1, window, window + 1, 2*window + 7, 5} {
		page := make([]byte, n)
		for i := range page {
			if page[i] = byte(draw.IntN(3)); i > 1000 && draw.IntN(200) == 0 { // repeats what may be far away
				copy(page[i:], page[draw.IntN(i):][:min(i/2, 300)])
			}
		}
		for i := min(n, window); i < n; i++ { // repeats across the window
			page[i] = page[i-window]
		}
		got, err := record.Compression.Encode(nil, page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := parquet.Zstd.Encode(nil, page)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d bytes: other bytes than those of the library: %d, %d", n, len(got), len(want))
		}
		if back, err := record.Compression.Decode(nil, got); err != nil || !bytes.Equal(back, page) {
			t.Errorf("%d bytes: they do not come back: %v", n, err)
		}
	}
}
