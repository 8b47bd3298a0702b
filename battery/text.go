package battery

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"achilles/sim/store"
)

// A Text is a text in which runs of four or more equal bytes are packed, as maps of worlds have them: a map takes a quarter of its
// length. It prints, and is written as JSON, in full. The texts of Items may wait in a temporary file.
type Text struct {
	packed string
	spool  *store.Spool // has the packed text; nil: packed is it
	at     store.Span
}

// A run is the byte runMark, its length and the byte that is repeated. The mark itself is packed as a run of any length.
const (
	runMark    = 0
	leastRun   = 4
	longestRun = 255
)

// PackText packs a text.
func PackText[T string | []byte](text T) Text {
	var room [1024]byte
	return Text{packed: string(appendPacked(room[:0], []byte(text)))}
}

// appendPacked appends a text to b, packed.
func appendPacked(b, text []byte) []byte {
	plain := 0 // the bytes from here to i are not packed
	for i := 0; i < len(text); {
		n := runLength(text[i:])
		if n < leastRun && text[i] != runMark {
			i += beforeRun(text[i:])
			continue
		}
		b = append(append(b, text[plain:i]...), runMark, byte(n), text[i])
		i += n
		plain = i
	}
	return append(b, text[plain:]...)
}

// lowest and highest are words of eight bytes that have the lowest bit of each, and the highest.
const (
	lowest  = 0x0101010101010101
	highest = lowest << 7
)

// runLength returns how many bytes at the beginning of a text, which has one, are equal, up to longestRun.
func runLength(text []byte) int {
	text = text[:min(len(text), longestRun)]
	n, all := 1, lowest*uint64(text[0])
	for ; n+8 <= len(text); n += 8 {
		if unlike := binary.LittleEndian.Uint64(text[n:]) ^ all; unlike != 0 {
			return n + bits.TrailingZeros64(unlike)/8
		}
	}
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// beforeRun returns a number of bytes, at least one, at the beginning of a text, which has one. None of them begins leastRun equal
// bytes, if the first does not, and none but the first is a runMark. It looks at eight bytes at once.
func beforeRun(text []byte) int {
	n := 1
	for ; n+8 <= len(text); n += 9 - leastRun {
		eight := binary.LittleEndian.Uint64(text[n:])
		if (eight-lowest)&^eight&highest != 0 { // there is a 0, the runMark
			break
		}
		unlike := eight ^ eight>>8       // a byte is 0 if the next is equal; the last one is not
		unlike |= unlike>>8 | unlike>>16 // a byte is 0 if the next three are equal
		if zero := (unlike - lowest) &^ unlike & highest; zero != 0 {
			return n + bits.TrailingZeros64(zero)/8
		}
	}
	return n
}

// Read returns the whole text. It fails only if the text is in a temporary file that cannot be read.
func (t Text) Read() (string, error) {
	packed, err := t.bytes()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(3 * len(packed))
	var run [longestRun]byte
	for rest := packed; len(rest) > 0; {
		i := bytes.IndexByte(rest, runMark)
		if i < 0 {
			b.Write(rest)
			break
		}
		b.Write(rest[:i])
		for k := range rest[i+1] {
			run[k] = rest[i+2]
		}
		b.Write(run[:rest[i+1]])
		rest = rest[i+3:]
	}
	return b.String(), nil
}

// bytes returns the packed text.
func (t Text) bytes() ([]byte, error) {
	if t.spool == nil {
		return []byte(t.packed), nil
	}
	b, err := t.spool.Get(t.at)
	if err != nil {
		return nil, fmt.Errorf("a text that waits in a temporary file: %w", err)
	}
	return b, nil
}

// String returns the whole text, or the error of Read.
func (t Text) String() string {
	text, err := t.Read()
	if err != nil {
		return err.Error()
	}
	return text
}

// Empty reports whether the text is empty.
func (t Text) Empty() bool { return t.packed == "" && t.spool == nil }

// MarshalText returns the whole text.
func (t Text) MarshalText() ([]byte, error) {
	text, err := t.Read()
	return []byte(text), err
}

// UnmarshalText packs a text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = PackText(text)
	return nil
}
