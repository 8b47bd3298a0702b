package battery

import "strings"

// A Text is a text in which runs of four or more equal bytes are packed, as maps of worlds have them: a map takes a quarter of its
// length. It prints, and is written as JSON, in full.
type Text struct{ packed string }

// A run is the byte runMark, its length and the byte that is repeated. The mark itself is packed as a run of any length.
const (
	runMark    = 0
	leastRun   = 4
	longestRun = 255
)

// PackText packs a text.
func PackText(text string) Text {
	var room [1024]byte
	b := room[:0]
	for i := 0; i < len(text); {
		n := 1
		for i+n < len(text) && n < longestRun && text[i+n] == text[i] {
			n++
		}
		if n >= leastRun || text[i] == runMark {
			b = append(b, runMark, byte(n), text[i])
		} else {
			b = append(b, text[i:i+n]...)
		}
		i += n
	}
	return Text{string(b)}
}

// String returns the whole text.
func (t Text) String() string {
	var b strings.Builder
	b.Grow(3 * len(t.packed))
	for rest := t.packed; rest != ""; {
		i := strings.IndexByte(rest, runMark)
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		for range rest[i+1] {
			b.WriteByte(rest[i+2])
		}
		rest = rest[i+3:]
	}
	return b.String()
}

// Empty reports whether the text is empty.
func (t Text) Empty() bool { return t.packed == "" }

// MarshalText returns the whole text.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText packs a text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = PackText(string(text))
	return nil
}
