package conf

import "fmt"

// The limits of a file. They are checked before decoding, because the decoder's memory grows with the square of the
// depth and with the product of number and length of the keys: 600 kB of brackets took 22 GB. The longest shipped file
// has 8 kB, and the deepest key has depth 6.
const (
	MaxBytes  = 4 << 20 // length of a file
	maxDepth  = 16      // nested tables and lists; each dot of a key counts
	maxKey    = 500     // bytes of the path of a key: its name and those of the tables around it
	maxValues = 100_000 // keys, and elements of lists
)

// limits counts the values of a file and keeps the first breach of a limit.
type limits struct {
	values int
	fault  *Error
}

func (l *limits) breach(line int, key, format string, args ...any) {
	if l.fault == nil {
		l.fault = &Error{Line: line, Key: tidy(key), Msg: fmt.Sprintf(format, args...)}
	}
}

// enter counts a value, and reports whether the file so far is within the limits. depth and bytes are those of the
// value's path; path returns the path as a text.
func (l *limits) enter(line, depth, bytes int, path func() string) bool {
	l.values++
	switch {
	case depth > maxDepth:
		l.breach(line, path(), "more than %d tables and lists in one another", maxDepth)
	case bytes > maxKey:
		l.breach(line, path()[:40]+"…", "a key of more than %d bytes, with the tables around it", maxKey)
	case l.values > maxValues:
		l.breach(line, path(), "more than %d keys and elements of lists in one file", maxValues)
	}
	return l.fault == nil
}
